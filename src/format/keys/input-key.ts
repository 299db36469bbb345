import { concat, utf8 } from '../../crypto/bytes.ts';
import type { FormatCrypto } from '../format-crypto.ts';
import { purposeByte, type Purpose } from '../wire/header.ts';

/** Length of named keys, data keys and input keys. */
export const KEY_BYTES = 32;

const USE_LABEL = utf8('SWM1 use');

/**
 * Input key = HKDF-Expand-SHA-512(named key, "SWM1 use" ‖ purpose ‖ suite, 32): one named key has
 * different input keys for each purpose and suite.
 *
 * @param key the named key of one generation, 32 bytes
 * @returns 32 fresh bytes, to be wiped
 */
export function deriveInputKey(
  crypto: FormatCrypto,
  key: Uint8Array,
  purpose: Purpose,
  suite: 1 | 2,
): Promise<Uint8Array> {
  return crypto.expand(key, inputKeyInfo(purpose, suite), KEY_BYTES);
}

/** The info of that derivation: "SWM1 use" ‖ purpose ‖ suite. */
export function inputKeyInfo(purpose: Purpose, suite: 1 | 2): Uint8Array {
  return concat(USE_LABEL, Uint8Array.of(purposeByte(purpose), suite));
}
