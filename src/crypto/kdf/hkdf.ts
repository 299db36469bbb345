import type { HashAlgorithm } from '../contracts.ts';
import { wipe } from '../bytes.ts';
import { checkBytes, checkInteger } from '../errors.ts';
import { Hmac, hmac } from '../mac/hmac.ts';

/* HKDF (RFC 5869): derives keys from a strong secret. Passwords need PBKDF2 or Argon2id. */

/** The block counter is one byte (RFC 5869, section 2.3). */
const MAX_BLOCKS = 255;

/**
 * HKDF-Extract (section 2.2): concentrates the input into one key.
 *
 * @param salt any length; empty means hash.digestBytes zeros
 * @param inputKey any length
 * @returns the pseudorandom key, hash.digestBytes bytes
 */
export function hkdfExtract(
  hash: HashAlgorithm,
  salt: Uint8Array,
  inputKey: Uint8Array,
): Uint8Array {
  checkBytes('salt', salt);
  checkBytes('inputKey', inputKey);
  return hmac(hash, salt, inputKey);
}

/**
 * HKDF-Expand (section 2.3): T(i) = HMAC(PRK, T(i - 1) ‖ info ‖ i), for i = 1, 2, …
 *
 * @param prk a strong key of any length. The RFC requires hash.digestBytes bytes; some formats expand shorter
 * uniform keys directly.
 * @param info the purpose of the derived key; any length
 * @param lengthBytes 0 … 255 · hash.digestBytes
 * @throws RangeError for more bytes
 */
export function hkdfExpand(
  hash: HashAlgorithm,
  prk: Uint8Array,
  info: Uint8Array,
  lengthBytes: number,
): Uint8Array {
  checkBytes('prk', prk);
  checkBytes('info', info);
  checkInteger('lengthBytes', lengthBytes, 0, MAX_BLOCKS * hash.digestBytes);
  const outputKey = new Uint8Array(lengthBytes);
  const mac = new Hmac(hash, prk);
  let block: Uint8Array = new Uint8Array(0);
  for (let i = 1, offset = 0; offset < lengthBytes; i++, offset += hash.digestBytes) {
    const next = mac.reset().update(block).update(info).update(Uint8Array.of(i)).digest();
    outputKey.set(next.subarray(0, lengthBytes - offset), offset);
    wipe(block);
    block = next;
  }
  wipe(block);
  mac.wipe();
  return outputKey;
}

/** Extract, then expand (section 2.1). The arguments are those of the two functions. */
export function hkdf(
  hash: HashAlgorithm,
  inputKey: Uint8Array,
  salt: Uint8Array,
  info: Uint8Array,
  lengthBytes: number,
): Uint8Array {
  const prk = hkdfExtract(hash, salt, inputKey);
  try {
    return hkdfExpand(hash, prk, info, lengthBytes);
  } finally {
    wipe(prk);
  }
}
