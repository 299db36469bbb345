import { toHex, utf8 } from '../crypto/bytes.ts';
import { SHA512 } from '../crypto/hash/sha512.ts';
import { hkdfExpand } from '../crypto/kdf/hkdf.ts';

const FINGERPRINT_BYTES = 16;

/**
 * The fingerprint of a sync key. Users compare it to check that two devices have the same key. It
 * does not reveal the key.
 *
 * @param key 32 or 64 uniformly random bytes
 * @returns hexadecimal in groups of four digits
 */
export function syncFingerprint(key: Uint8Array): string {
  const bytes = hkdfExpand(SHA512, key, utf8('SWM1 sync fingerprint'), FINGERPRINT_BYTES);
  return toHex(bytes).match(/.{4}/g)!.join(' ');
}
