import { concat, wipe } from '../crypto/bytes.ts';
import { checkBytes } from '../crypto/errors.ts';

/** The two keys of Weave and Kinto records, 32 bytes each. */
export interface KeyBundle {
  /** AES-256. */
  readonly encryptionKey: Uint8Array;
  /** HMAC-SHA-256. */
  readonly hmacKey: Uint8Array;
}

/** Length of both keys together. */
export const BUNDLE_BYTES = 64;

/** @param bytes encryption key ‖ HMAC key, copied @throws RangeError unless 64 bytes */
export function bundleOf(bytes: Uint8Array): KeyBundle {
  checkBytes('bundle', bytes, BUNDLE_BYTES);
  return { encryptionKey: bytes.slice(0, 32), hmacKey: bytes.slice(32) };
}

/** @returns 64 bytes, which the caller wipes */
export function bundleBytes({ encryptionKey, hmacKey }: KeyBundle): Uint8Array<ArrayBuffer> {
  return concat(encryptionKey, hmacKey);
}

/** Overwrites both keys. */
export function wipeBundle({ encryptionKey, hmacKey }: KeyBundle): void {
  wipe(encryptionKey, hmacKey);
}
