import type { Awaitable } from '../../src/engine/contract.ts';
import type { SealwrightError } from '../../src/rpc/errors.ts';

/** The code of an error of ours, the name of a DOMException, whose codes are numbers, or the whole error as text. */
export function codeOfError(error: unknown): string {
  if (error instanceof DOMException) return error.name;
  return (error as { code?: string }).code ?? String(error);
}

/** 'ok', or the code of the error that the work rejects with. */
export async function codeOf(work: Awaitable<unknown>): Promise<string> {
  try {
    await work;
    return 'ok';
  } catch (error) {
    return codeOfError(error);
  }
}

/** 'ok', or the code of the error and the argument that its message names. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'ok';
  } catch (error) {
    const [argument] = (error as Error).message.split(':');
    return error instanceof DOMException ? error.name : `${codeOfError(error)} ${argument}`;
  }
}

/** 'none', or the name of the error that the work rejects with. */
export async function errorNameOf(work: Awaitable<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return (error as Error).name;
  }
}

/** The error that the work rejects with, typed as one of ours. The test fails where it resolves. */
export async function errorOf(work: Awaitable<unknown>): Promise<SealwrightError> {
  try {
    await work;
  } catch (error) {
    return error as SealwrightError;
  }
  throw new Error('The work did not reject');
}

/** What the work resolves to, or what it rejects with. */
export async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return error;
  }
}
