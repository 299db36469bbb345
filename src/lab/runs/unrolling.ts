/**
 * The study of unrolling of 2009: block encryption of AES-128 by tables, written with loops for rounds and
 * columns, with the columns written out ("short loops"), and with the rounds written out too. The variants
 * differ in nothing else.
 */

import type { Unrolling } from '../tasks.ts';

/**
 * @param t the table of the cipher (src/crypto/aes/tables.ts)
 * @param k 44 round keys
 * @param source whole blocks, as little-endian words
 */
export type EncryptWords = (
  t: Int32Array,
  k: Int32Array,
  source: Int32Array,
  target: Int32Array,
) => Int32Array;

/** Loops over rounds and over the four columns. */
const withLoops: EncryptWords = (t, k, source, target) => {
  const state = new Int32Array(4);
  const next = new Int32Array(4);
  for (let p = 0; p < source.length; p += 4) {
    for (let i = 0; i < 4; i++) state[i] = source[p + i]! ^ k[i]!;
    for (let q = 4; q < 40; q += 4) {
      for (let i = 0; i < 4; i++) {
        next[i] =
          column(t, 0, state[i]!, state[(i + 1) & 3]!, state[(i + 2) & 3]!, state[(i + 3) & 3]!) ^
          k[q + i]!;
      }
      state.set(next);
    }
    for (let i = 0; i < 4; i++) {
      target[p + i] =
        column(t, 1024, state[i]!, state[(i + 1) & 3]!, state[(i + 2) & 3]!, state[(i + 3) & 3]!) ^
        k[40 + i]!;
    }
  }
  return target;
};

/** A new column: a byte of each of four, through the table of its row. Small enough for every compiler to inline. */
function column(t: Int32Array, page: number, a: number, b: number, c: number, d: number): number {
  return (
    t[page + (a & 255)]! ^
    t[page + 256 + ((b >>> 8) & 255)]! ^
    t[page + 512 + ((c >>> 16) & 255)]! ^
    t[page + 768 + (d >>> 24)]!
  );
}

/** A loop over the rounds; the columns are written out. */
const withShortLoopsUnrolled: EncryptWords = (t, k, source, target) => {
  for (let p = 0; p < source.length; p += 4) {
    let x: number;
    let y: number;
    let z: number;
    let a = source[p]! ^ k[0]!;
    let b = source[p + 1]! ^ k[1]!;
    let c = source[p + 2]! ^ k[2]!;
    let d = source[p + 3]! ^ k[3]!;
    for (let q = 4; q < 40; q += 4) {
      x = column(t, 0, a, b, c, d) ^ k[q]!;
      y = column(t, 0, b, c, d, a) ^ k[q + 1]!;
      z = column(t, 0, c, d, a, b) ^ k[q + 2]!;
      d = column(t, 0, d, a, b, c) ^ k[q + 3]!;
      a = x;
      b = y;
      c = z;
    }
    target[p] = column(t, 1024, a, b, c, d) ^ k[40]!;
    target[p + 1] = column(t, 1024, b, c, d, a) ^ k[41]!;
    target[p + 2] = column(t, 1024, c, d, a, b) ^ k[42]!;
    target[p + 3] = column(t, 1024, d, a, b, c) ^ k[43]!;
  }
  return target;
};

/** No loop within a block. */
const withRoundsUnrolled: EncryptWords = (t, k, source, target) => {
  for (let p = 0; p < source.length; p += 4) {
    let x: number;
    let y: number;
    let z: number;
    let a = source[p]! ^ k[0]!;
    let b = source[p + 1]! ^ k[1]!;
    let c = source[p + 2]! ^ k[2]!;
    let d = source[p + 3]! ^ k[3]!;
    x = column(t, 0, a, b, c, d) ^ k[4]!;
    y = column(t, 0, b, c, d, a) ^ k[5]!;
    z = column(t, 0, c, d, a, b) ^ k[6]!;
    d = column(t, 0, d, a, b, c) ^ k[7]!;
    a = x;
    b = y;
    c = z;
    x = column(t, 0, a, b, c, d) ^ k[8]!;
    y = column(t, 0, b, c, d, a) ^ k[9]!;
    z = column(t, 0, c, d, a, b) ^ k[10]!;
    d = column(t, 0, d, a, b, c) ^ k[11]!;
    a = x;
    b = y;
    c = z;
    x = column(t, 0, a, b, c, d) ^ k[12]!;
    y = column(t, 0, b, c, d, a) ^ k[13]!;
    z = column(t, 0, c, d, a, b) ^ k[14]!;
    d = column(t, 0, d, a, b, c) ^ k[15]!;
    a = x;
    b = y;
    c = z;
    x = column(t, 0, a, b, c, d) ^ k[16]!;
    y = column(t, 0, b, c, d, a) ^ k[17]!;
    z = column(t, 0, c, d, a, b) ^ k[18]!;
    d = column(t, 0, d, a, b, c) ^ k[19]!;
    a = x;
    b = y;
    c = z;
    x = column(t, 0, a, b, c, d) ^ k[20]!;
    y = column(t, 0, b, c, d, a) ^ k[21]!;
    z = column(t, 0, c, d, a, b) ^ k[22]!;
    d = column(t, 0, d, a, b, c) ^ k[23]!;
    a = x;
    b = y;
    c = z;
    x = column(t, 0, a, b, c, d) ^ k[24]!;
    y = column(t, 0, b, c, d, a) ^ k[25]!;
    z = column(t, 0, c, d, a, b) ^ k[26]!;
    d = column(t, 0, d, a, b, c) ^ k[27]!;
    a = x;
    b = y;
    c = z;
    x = column(t, 0, a, b, c, d) ^ k[28]!;
    y = column(t, 0, b, c, d, a) ^ k[29]!;
    z = column(t, 0, c, d, a, b) ^ k[30]!;
    d = column(t, 0, d, a, b, c) ^ k[31]!;
    a = x;
    b = y;
    c = z;
    x = column(t, 0, a, b, c, d) ^ k[32]!;
    y = column(t, 0, b, c, d, a) ^ k[33]!;
    z = column(t, 0, c, d, a, b) ^ k[34]!;
    d = column(t, 0, d, a, b, c) ^ k[35]!;
    a = x;
    b = y;
    c = z;
    x = column(t, 0, a, b, c, d) ^ k[36]!;
    y = column(t, 0, b, c, d, a) ^ k[37]!;
    z = column(t, 0, c, d, a, b) ^ k[38]!;
    d = column(t, 0, d, a, b, c) ^ k[39]!;
    a = x;
    b = y;
    c = z;
    target[p] = column(t, 1024, a, b, c, d) ^ k[40]!;
    target[p + 1] = column(t, 1024, b, c, d, a) ^ k[41]!;
    target[p + 2] = column(t, 1024, c, d, a, b) ^ k[42]!;
    target[p + 3] = column(t, 1024, d, a, b, c) ^ k[43]!;
  }
  return target;
};

/** The variants, as Table V names them. */
export const UNROLLING: Readonly<Record<Unrolling, EncryptWords>> = {
  None: withLoops,
  Short: withShortLoopsUnrolled,
  Round: withRoundsUnrolled,
};
