import { timesXReflected } from '../../crypto/gf128.ts';
import { load32be, store32be } from '../../crypto/words.ts';

/**
 * ([aBytes]_64 ‖ [cBytes]_64 ⊕ [allBytes]_64 ‖ 0^64) · H: what the last block of lengths adds to GHASH (SP
 * 800-38D, section 6.4) where the associated data are a, and not all. Constant-time.
 *
 * @param h the hash key, 16 bytes
 * @returns 16 bytes
 */
export function ghashOfLengths(
  h: Uint8Array,
  aBytes: number,
  cBytes: number,
  allBytes: number,
): Uint8Array<ArrayBuffer> {
  const [a, c, all] = [bits(aBytes), bits(cBytes), bits(allBytes)];
  return times([a[0] ^ all[0], a[1] ^ all[1], c[0], c[1]], h);
}

/** A length in bits, as two words. */
function bits(bytes: number): [number, number] {
  return [Math.floor(bytes / 0x2000_0000), bytes << 3];
}

/** Algorithm 1: X · H, bit by bit, each bit as a mask. */
function times(x: readonly number[], h: Uint8Array): Uint8Array<ArrayBuffer> {
  const z = [0, 0, 0, 0];
  const v = [0, 4, 8, 12].map((at) => load32be(h, at));
  for (let i = 0; i < 128; i++) {
    const isSet = -((x[i >> 5]! >>> (31 - (i & 31))) & 1);
    for (let word = 0; word < 4; word++) z[word]! ^= v[word]! & isSet;
    timesXReflected(v);
  }
  const product = new Uint8Array(16);
  z.forEach((word, i) => store32be(product, 4 * i, word));
  return product;
}
