/**
 * IDEA (Lai, "On the Design and Security of Block Ciphers", ETH 1992, chapter 3; also Lai and Massey,
 * EUROCRYPT '90 and '91): blocks of 64 bits, keys of 128 bits, words of 16 bits, big-endian.
 *
 * No address and no branch depends on a secret: multiplication modulo 65537 is computed without a case for
 * zero, inverses are powers. JavaScript engines do not promise that multiplication takes constant time;
 * current processors do.
 */
import { checkBytes } from '../errors.ts';
import { swap32 } from '../words.ts';
import { WordCipher } from './word-cipher.ts';

/** Eight rounds of six subkeys each, and four of the output transformation. */
const SUBKEYS = 52;
const OUTPUT = 48;

/** IDEA. Not for new data: blocks of 64 bits repeat after 2^32 blocks. */
export class Idea extends WordCipher<8> {
  readonly blockBytes = 8;
  declare readonly encryptKeys: Int32Array;
  declare readonly decryptKeys: Int32Array;

  /** @param key 16 bytes; copied */
  constructor(key: Uint8Array) {
    super();
    const { encryptKeys, decryptKeys } = expandIdeaKey(key);
    this.encryptKeys = encryptKeys;
    this.decryptKeys = decryptKeys;
  }

  wipe(): void {
    this.encryptKeys.fill(0);
    this.decryptKeys.fill(0);
  }

  protected encryptWords(w: Int32Array, from: number, to: number): void {
    crypt(this.encryptKeys, w, from, to);
  }

  protected decryptWords(w: Int32Array, from: number, to: number): void {
    crypt(this.decryptKeys, w, from, to);
  }
}

/**
 * Multiplication modulo 65537 of words of 16 bits, in which 0 represents 65536.
 *
 * With factors of 1 to 65536, x · y - 1 = (x - 1) · y + (y - 1) has 32 bits. 2^16 ≡ -1, so that x · y ≡
 * low - high + 1, and one more if low < high, because 65537 ≡ 1 modulo 2^16.
 *
 * @param x a word; bits above the lowest 16 are ignored
 * @param y 1 to 65536
 * @returns the product in the low 16 bits; the others are undefined
 */
function multiply(x: number, y: number): number {
  const product = (Math.imul((x - 1) & 0xffff, y) + (y - 1)) | 0;
  const difference = (product & 0xffff) - (product >>> 16);
  return (difference + 1 - (difference >> 31)) | 0;
}

/** The encryption network (figure 3.1). Decryption is the same with the inverse subkeys. */
function crypt(z: Int32Array, w: Int32Array, from: number, to: number): void {
  for (let p = from; p < to; p += 2) {
    const high = swap32(w[p]);
    const low = swap32(w[p + 1]);
    // Only the low 16 bits of these words count; sums and differences need no mask.
    let x1 = high >>> 16;
    let x2 = high;
    let x3 = low >>> 16;
    let x4 = low;
    for (let i = 0; i < OUTPUT; i += 6) {
      x1 = multiply(x1, z[i]);
      x2 = (x2 + z[i + 1]) | 0;
      x3 = (x3 + z[i + 2]) | 0;
      x4 = multiply(x4, z[i + 3]);
      // The MA structure
      const t0 = multiply(x1 ^ x3, z[i + 4]);
      const t1 = multiply((t0 + (x2 ^ x4)) | 0, z[i + 5]);
      const t2 = (t0 + t1) | 0;
      x1 ^= t1;
      x4 ^= t2;
      const exchanged = x2 ^ t2;
      x2 = x3 ^ t1;
      x3 = exchanged;
    }
    const y1 = multiply(x1, z[OUTPUT]);
    const y2 = x3 + z[OUTPUT + 1];
    const y3 = x2 + z[OUTPUT + 2];
    const y4 = multiply(x4, z[OUTPUT + 3]);
    w[p] = swap32((y1 << 16) | (y2 & 0xffff));
    w[p + 1] = swap32((y3 << 16) | (y4 & 0xffff));
  }
}

/** The subkeys of both directions, those that are multiplied as factors of 1 to 65536. Wipe them. */
export interface IdeaKeys {
  readonly encryptKeys: Int32Array;
  readonly decryptKeys: Int32Array;
}

/** @param key 16 bytes; not kept */
export function expandIdeaKey(key: Uint8Array): IdeaKeys {
  checkBytes('key', key, 16);
  const subkeys = expandKey(key);
  const inverses = invertKey(subkeys);
  return { encryptKeys: prepareFactors(subkeys), decryptKeys: prepareFactors(inverses) };
}

/** The key's eight words, then those of the key rotated left by 25 bits, and so on, up to 52. */
function expandKey(key: Uint8Array): Int32Array {
  const z = new Int32Array(SUBKEYS);
  for (let i = 0; i < 8; i++) z[i] = (key[2 * i] << 8) | key[2 * i + 1];
  for (let i = 8; i < SUBKEYS; i++) {
    // Rotated by 25 = 16 + 9 bits: the last 7 bits of the next word, the first 9 of the one after it.
    const first = z[i - 8 + (((i + 1) & 7) - (i & 7))];
    const second = z[i - 8 + (((i + 2) & 7) - (i & 7))];
    z[i] = ((first << 9) | (second >> 7)) & 0xffff;
  }
  return z;
}

/**
 * The subkeys of decryption: the inverses of those of encryption in reverse order. The sums of all rounds but
 * the first and the last are exchanged.
 */
function invertKey(z: Int32Array): Int32Array {
  const inverses = new Int32Array(SUBKEYS);
  for (let i = 0; i <= OUTPUT; i += 6) {
    const from = OUTPUT - i;
    const exchanged = i === 0 || i === OUTPUT ? 0 : 1;
    inverses[i] = inverse(z[from]);
    inverses[i + 1] = -z[from + 1 + exchanged] & 0xffff;
    inverses[i + 2] = -z[from + 2 - exchanged] & 0xffff;
    inverses[i + 3] = inverse(z[from + 3]);
    if (i < OUTPUT) {
      inverses[i + 4] = z[from - 2];
      inverses[i + 5] = z[from - 1];
    }
  }
  return inverses;
}

/** x^65535 = x^-1 modulo the prime 65537; 65535 has 16 bits, all of them 1. */
function inverse(x: number): number {
  let power = x;
  for (let bit = 1; bit < 16; bit++) {
    power = multiply(multiply(power, factor(power)), factor(x));
  }
  return power & 0xffff;
}

/** 1 to 65536 for a word, for `multiply`. */
function factor(x: number): number {
  return ((x - 1) & 0xffff) + 1;
}

/** Replaces the subkeys that are multiplied. @returns `z` */
function prepareFactors(z: Int32Array): Int32Array {
  for (let i = 0; i < SUBKEYS; i += 6) {
    z[i] = factor(z[i]);
    z[i + 3] = factor(z[i + 3]);
    if (i < OUTPUT) {
      z[i + 4] = factor(z[i + 4]);
      z[i + 5] = factor(z[i + 5]);
    }
  }
  return z;
}
