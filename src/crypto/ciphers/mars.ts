/**
 * MARS (Burwick and others, IBM, "MARS - a candidate cipher for AES", revised August 1999, whose key schedule
 * differs from that of June 1998): blocks of 128 bits, little-endian words, 8 + 16 + 8 rounds.
 *
 * NOT safe against side channels: the addresses of its look-ups depend on key and data.
 */
import { sha1 } from '../hash/legacy/sha1.ts';
import { rotateLeft32 } from '../words.ts';
import { KeyedWordCipher, keyWords } from './word-cipher.ts';

const KEYS = 40;

/** S_0 and S_1, one after the other */
export const MARS_TABLES: Int32Array = computeTable();
const S = MARS_TABLES;

/** The table B of the key schedule (section 2.4): S[265 … 268] */
const B = S.subarray(265, 269);

/** MARS with keys of 16, 24 or 32 bytes (the design allows 4 to 14 words). */
export class Mars extends KeyedWordCipher {
  /** @param key 16, 24 or 32 bytes; copied */
  constructor(key: Uint8Array) {
    super(key, expandMarsKey);
  }

  protected encryptWords(w: Int32Array, from: number, to: number): void {
    const k = this.keys;
    for (let p = from; p < to; p += 4) {
      // Section 2.3.1, phase 1: forward mixing
      let a = (w[p] + k[0]) | 0;
      let b = (w[p + 1] + k[1]) | 0;
      let c = (w[p + 2] + k[2]) | 0;
      let d = (w[p + 3] + k[3]) | 0;
      for (let i = 0; i < 8; i++) {
        b = ((b ^ S[a & 0xff]) + S[256 + ((a >>> 8) & 0xff)]) | 0;
        c = (c + S[(a >>> 16) & 0xff]) | 0;
        d ^= S[256 + (a >>> 24)];
        a = (a >>> 24) | (a << 8);
        if ((i & 3) === 0) a = (a + d) | 0;
        else if ((i & 3) === 1) a = (a + b) | 0;
        const first = a;
        a = b;
        b = c;
        c = d;
        d = first;
      }
      // Phase 2: the keyed transformation, with E of section 2.3.2
      for (let i = 0; i < 16; i++) {
        let m = (a + k[2 * i + 4]) | 0;
        const rotated = (a << 13) | (a >>> 19);
        let r = rotateLeft32(Math.imul(rotated, k[2 * i + 5]), 5);
        let l = S[m & 511] ^ r;
        m = rotateLeft32(m, r);
        r = rotateLeft32(r, 5);
        l = rotateLeft32(l ^ r, r);
        c = (c + m) | 0;
        if (i < 8) {
          b = (b + l) | 0;
          d ^= r;
        } else {
          d = (d + l) | 0;
          b ^= r;
        }
        a = b;
        b = c;
        c = d;
        d = rotated;
      }
      // Phase 3: backward mixing
      for (let i = 0; i < 8; i++) {
        if ((i & 3) === 2) a = (a - d) | 0;
        else if ((i & 3) === 3) a = (a - b) | 0;
        b ^= S[256 + (a & 0xff)];
        c = (c - S[a >>> 24]) | 0;
        d = ((d - S[256 + ((a >>> 16) & 0xff)]) ^ S[(a >>> 8) & 0xff]) | 0;
        const first = (a << 24) | (a >>> 8);
        a = b;
        b = c;
        c = d;
        d = first;
      }
      w[p] = a - k[36];
      w[p + 1] = b - k[37];
      w[p + 2] = c - k[38];
      w[p + 3] = d - k[39];
    }
  }

  /** The steps of `encryptWords`, undone from the last to the first. */
  protected decryptWords(w: Int32Array, from: number, to: number): void {
    const k = this.keys;
    for (let p = from; p < to; p += 4) {
      let a = (w[p] + k[36]) | 0;
      let b = (w[p + 1] + k[37]) | 0;
      let c = (w[p + 2] + k[38]) | 0;
      let d = (w[p + 3] + k[39]) | 0;
      for (let i = 7; i >= 0; i--) {
        const last = (d >>> 24) | (d << 8);
        d = c;
        c = b;
        b = a;
        a = last;
        d = ((d ^ S[(a >>> 8) & 0xff]) + S[256 + ((a >>> 16) & 0xff)]) | 0;
        c = (c + S[a >>> 24]) | 0;
        b ^= S[256 + (a & 0xff)];
        if ((i & 3) === 2) a = (a + d) | 0;
        else if ((i & 3) === 3) a = (a + b) | 0;
      }
      for (let i = 15; i >= 0; i--) {
        const rotated = d;
        d = c;
        c = b;
        b = a;
        a = (rotated >>> 13) | (rotated << 19);
        let m = (a + k[2 * i + 4]) | 0;
        let r = rotateLeft32(Math.imul(rotated, k[2 * i + 5]), 5);
        let l = S[m & 511] ^ r;
        m = rotateLeft32(m, r);
        r = rotateLeft32(r, 5);
        l = rotateLeft32(l ^ r, r);
        c = (c - m) | 0;
        if (i < 8) {
          b = (b - l) | 0;
          d ^= r;
        } else {
          d = (d - l) | 0;
          b ^= r;
        }
      }
      for (let i = 7; i >= 0; i--) {
        let last = d;
        d = c;
        c = b;
        b = a;
        if ((i & 3) === 0) last = (last - d) | 0;
        else if ((i & 3) === 1) last = (last - b) | 0;
        a = (last << 24) | (last >>> 8);
        d ^= S[256 + (a >>> 24)];
        c = (c - S[(a >>> 16) & 0xff]) | 0;
        b = ((b - S[256 + ((a >>> 8) & 0xff)]) ^ S[a & 0xff]) | 0;
      }
      w[p] = a - k[0];
      w[p + 1] = b - k[1];
      w[p + 2] = c - k[2];
      w[p + 3] = d - k[3];
    }
  }
}

/**
 * Section 2.2 and appendix B: SHA-1 of counters and three constants. Then each entry that differs from a later
 * one of its half by an XOR with two zero bytes is multiplied by 3.
 */
function computeTable(): Int32Array {
  const digests = new Int32Array(515);
  for (let i = 0; i < 103; i++) {
    const input = Int32Array.of(5 * i, 0xb7e15162, 0x243f6a88, 0x02917d59);
    const digest = Uint8Array.from(sha1(new Uint8Array(input.buffer)));
    digests.set(new Int32Array(digest.buffer), 5 * i);
  }
  const table = digests.slice(0, 512);
  for (let i = 0; i < 512; i++) {
    const end = i < 256 ? 256 : 512;
    let j = i + 1;
    while (j < end && zeroBytes(table[i] ^ table[j]) < 2) j++;
    if (j < end) table[i] = Math.imul(table[i], 3);
  }
  return table;
}

function zeroBytes(word: number): number {
  let count = 0;
  for (let shift = 0; shift < 32; shift += 8) count += ((word >>> shift) & 0xff) === 0 ? 1 : 0;
  return count;
}

/**
 * Section 2.4 (August 1999).
 *
 * @param key 16, 24 or 32 bytes; not kept
 * @returns 40 round keys; wipe them
 */
export function expandMarsKey(key: Uint8Array): Int32Array {
  const words = keyWords(key);
  const t = new Int32Array(15);
  t.set(words);
  t[words.length] = words.length;
  const k = new Int32Array(KEYS);
  for (let j = 0; j < 4; j++) {
    // Linear key-word expansion
    for (let i = 0; i < 15; i++) {
      const sum = t[(i + 8) % 15] ^ t[(i + 13) % 15];
      t[i] ^= ((sum << 3) | (sum >>> 29)) ^ (4 * i + j);
    }
    // S-box based stirring
    for (let pass = 0; pass < 4; pass++) {
      for (let i = 0; i < 15; i++) t[i] = rotateLeft32((t[i] + S[t[(i + 14) % 15] & 511]) | 0, 9);
    }
    for (let i = 0; i < 10; i++) k[10 * j + i] = t[(4 * i) % 15];
  }
  // Modifying multiplication key-words: they end in 11 and have no run of ten equal bits.
  for (let i = 5; i <= 35; i += 2) {
    const w = k[i] | 3;
    k[i] = w ^ (rotateLeft32(B[k[i] & 3], k[i - 1]) & runMask(w));
  }
  words.fill(0);
  t.fill(0);
  return k;
}

/**
 * The bits inside the runs of ten or more equal bits of a word: bit l, 2 ≤ l ≤ 30, if bits l - 1, l and l + 1
 * are equal and part of such a run.
 */
function runMask(w: number): number {
  // Bit l: bits l and l + 1 are equal.
  const equal = ~(w ^ (w >>> 1)) & 0x7fff_ffff;
  // Bit l: bits l … l + 9 are equal.
  let runs = equal;
  for (let i = 1; i < 9; i++) runs &= equal >>> i;
  // Bit l: l is part of such a run.
  let parts = runs;
  for (let i = 1; i < 10; i++) parts |= runs << i;
  return parts & equal & (equal << 1) & 0x7fff_fffc;
}
