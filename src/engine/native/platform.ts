/** Helpers for the files of the native engine. */
import { AuthenticationError } from '../../crypto/errors.ts';

/** @returns the platform's result, or undefined if it refused for any reason */
export async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    // The error is the result of a probe.
    return undefined;
  }
}

/** WebCrypto's types exclude shared memory; callers of an engine never pass it. */
export function source(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}

/** @returns the result as bytes, copied to `into` if given */
export function deliver(result: ArrayBuffer | Uint8Array, into?: Uint8Array): Uint8Array {
  const bytes = result instanceof Uint8Array ? result : new Uint8Array(result);
  if (into === undefined) return bytes;
  into.set(bytes);
  return into.subarray(0, bytes.length);
}

/** Decrypts or unwraps: a failed verification rejects with an AuthenticationError. */
export async function verifying<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw verificationError(error);
  }
}

/**
 * WebCrypto throws OperationError if padding, tag or integrity check do not verify (Web Cryptography API, AES-CBC,
 * AES-GCM and AES-KW operations).
 *
 * @returns an AuthenticationError for that; any other error unchanged
 */
export function verificationError(error: unknown): unknown {
  return isOperationError(error) ? new AuthenticationError() : error;
}

/** Checks only the name: in a content script of Firefox the error belongs to the page's realm. */
function isOperationError(error: unknown): boolean {
  return (error as { readonly name?: unknown } | null)?.name === 'OperationError';
}
