import type { HashAlgorithm } from '../../contracts.ts';
import { hashAlgorithm, hashOf } from '../merkle-damgard.ts';

/**
 * SHA-1 (FIPS 180-4, section 6.1), for formats that require it: RSA-OAEP's default, TOTP, PBKDF2 in old
 * files. Collisions are feasible (eprint 2017/190, 2020/014), so new formats must not use it. HMAC-SHA-1 and
 * PBKDF2 do not need collision resistance.
 */
export const SHA1: HashAlgorithm = hashAlgorithm({
  name: 'SHA-1',
  blockBytes: 64,
  lengthBytes: 8,
  digestBytes: 20,
  // Section 5.3.1
  initial: Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0),
  scheduleWords: 80,
  compress,
});

/** @returns 20 bytes: the digest of all parts, one after the other */
export function sha1(...parts: readonly Uint8Array[]): Uint8Array {
  return hashOf(SHA1, parts);
}

/** Section 4.2.1: one constant for each twenty rounds */
const K = Int32Array.of(0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6);

/** Section 6.1.2, with f_t of section 4.1.1: Ch, Parity, Maj, Parity. Rotations are written out, as in sha256.ts. */
function compress(state: Int32Array, w: Int32Array): void {
  for (let t = 16; t < 80; t++) {
    const x = w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16];
    w[t] = (x << 1) | (x >>> 31);
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  for (let t = 0; t < 80; t++) {
    let f = b ^ c ^ d;
    let k = K[3];
    if (t < 20) {
      f = d ^ (b & (c ^ d));
      k = K[0];
    } else if (t < 40) {
      k = K[1];
    } else if (t < 60) {
      f = (b & c) ^ (d & (b ^ c));
      k = K[2];
    }
    const next = (((a << 5) | (a >>> 27)) + f + e + k + w[t]) | 0;
    e = d;
    d = c;
    c = (b << 30) | (b >>> 2);
    b = a;
    a = next;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}
