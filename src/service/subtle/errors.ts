import {
  SUBTLE_ERRORS,
  type Outcome,
  type SubtleErrorName,
} from '../../rpc/methods/subtle-values.ts';

/*
 * `subtle` rejects with the errors of the Web Cryptography API. They cross as results, by name and
 * message; everything else (no grant, locked, no room in the queue) fails the call like any other.
 */

/** An error of the Web Cryptography API. */
export function subtleError(
  name: Exclude<SubtleErrorName, 'TypeError'>,
  message: string,
): DOMException {
  return new DOMException(message, name);
}

/** The work's result, or its error where that is one of the Web Cryptography API. Other errors are thrown. */
export async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const name = nameOf(error);
    if (name === undefined) throw error;
    return { error: { name, message: (error as Error).message.slice(0, 4096) } };
  }
}

function nameOf(error: unknown): SubtleErrorName | undefined {
  if (error instanceof RangeError) return 'OperationError';
  if (!(error instanceof DOMException) && !(error instanceof TypeError)) return undefined;
  return SUBTLE_ERRORS.find((name) => name === error.name);
}
