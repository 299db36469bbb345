import { toHex, utf8 } from '../crypto/bytes.ts';
import { SHA512 } from '../crypto/hash/sha512.ts';
import { hkdfExpand } from '../crypto/kdf/hkdf.ts';

const FINGERPRINT_BYTES = 16;

/**
 * What people compare to know that two devices have the same key. It says nothing of the key.
 *
 * @param key 32 or 64 bytes that nobody can guess
 * @returns hexadecimal in groups of four digits
 */
export function syncFingerprint(key: Uint8Array): string {
  const bytes = hkdfExpand(SHA512, key, utf8('SWM1 sync fingerprint'), FINGERPRINT_BYTES);
  return toHex(bytes).match(/.{4}/g)!.join(' ');
}
