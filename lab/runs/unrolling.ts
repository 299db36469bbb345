/**
 * The study of unrolling of 2009: block encryption of AES-128 by tables, written with loops for rounds and
 * columns, with the columns written out ("short loops"), and with the rounds written out too. The variants
 * differ in nothing else.
 */

import type { Unrolling } from '../tasks.ts';
import { column } from './unrolled-modes.ts';

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
export const withLoops: EncryptWords = (t, k, source, target) => {
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

/** A loop over the rounds; the columns are written out. */
export const withShortLoopsUnrolled: EncryptWords = (t, k, source, target) => {
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

/**
 * No loop within a block, and no function that a compiler would have to inline forty times: V8 stops before that, and
 * the variant would then measure calls.
 */
export const withRoundsUnrolled: EncryptWords = (t, k, source, target) => {
  for (let p = 0; p < source.length; p += 4) {
    let x: number;
    let y: number;
    let z: number;
    let a = source[p]! ^ k[0]!;
    let b = source[p + 1]! ^ k[1]!;
    let c = source[p + 2]! ^ k[2]!;
    let d = source[p + 3]! ^ k[3]!;
    x =
      t[a & 255]! ^
      t[256 + ((b >>> 8) & 255)]! ^
      t[512 + ((c >>> 16) & 255)]! ^
      t[768 + (d >>> 24)]! ^
      k[4]!;
    y =
      t[b & 255]! ^
      t[256 + ((c >>> 8) & 255)]! ^
      t[512 + ((d >>> 16) & 255)]! ^
      t[768 + (a >>> 24)]! ^
      k[5]!;
    z =
      t[c & 255]! ^
      t[256 + ((d >>> 8) & 255)]! ^
      t[512 + ((a >>> 16) & 255)]! ^
      t[768 + (b >>> 24)]! ^
      k[6]!;
    d =
      t[d & 255]! ^
      t[256 + ((a >>> 8) & 255)]! ^
      t[512 + ((b >>> 16) & 255)]! ^
      t[768 + (c >>> 24)]! ^
      k[7]!;
    a = x;
    b = y;
    c = z;
    x =
      t[a & 255]! ^
      t[256 + ((b >>> 8) & 255)]! ^
      t[512 + ((c >>> 16) & 255)]! ^
      t[768 + (d >>> 24)]! ^
      k[8]!;
    y =
      t[b & 255]! ^
      t[256 + ((c >>> 8) & 255)]! ^
      t[512 + ((d >>> 16) & 255)]! ^
      t[768 + (a >>> 24)]! ^
      k[9]!;
    z =
      t[c & 255]! ^
      t[256 + ((d >>> 8) & 255)]! ^
      t[512 + ((a >>> 16) & 255)]! ^
      t[768 + (b >>> 24)]! ^
      k[10]!;
    d =
      t[d & 255]! ^
      t[256 + ((a >>> 8) & 255)]! ^
      t[512 + ((b >>> 16) & 255)]! ^
      t[768 + (c >>> 24)]! ^
      k[11]!;
    a = x;
    b = y;
    c = z;
    x =
      t[a & 255]! ^
      t[256 + ((b >>> 8) & 255)]! ^
      t[512 + ((c >>> 16) & 255)]! ^
      t[768 + (d >>> 24)]! ^
      k[12]!;
    y =
      t[b & 255]! ^
      t[256 + ((c >>> 8) & 255)]! ^
      t[512 + ((d >>> 16) & 255)]! ^
      t[768 + (a >>> 24)]! ^
      k[13]!;
    z =
      t[c & 255]! ^
      t[256 + ((d >>> 8) & 255)]! ^
      t[512 + ((a >>> 16) & 255)]! ^
      t[768 + (b >>> 24)]! ^
      k[14]!;
    d =
      t[d & 255]! ^
      t[256 + ((a >>> 8) & 255)]! ^
      t[512 + ((b >>> 16) & 255)]! ^
      t[768 + (c >>> 24)]! ^
      k[15]!;
    a = x;
    b = y;
    c = z;
    x =
      t[a & 255]! ^
      t[256 + ((b >>> 8) & 255)]! ^
      t[512 + ((c >>> 16) & 255)]! ^
      t[768 + (d >>> 24)]! ^
      k[16]!;
    y =
      t[b & 255]! ^
      t[256 + ((c >>> 8) & 255)]! ^
      t[512 + ((d >>> 16) & 255)]! ^
      t[768 + (a >>> 24)]! ^
      k[17]!;
    z =
      t[c & 255]! ^
      t[256 + ((d >>> 8) & 255)]! ^
      t[512 + ((a >>> 16) & 255)]! ^
      t[768 + (b >>> 24)]! ^
      k[18]!;
    d =
      t[d & 255]! ^
      t[256 + ((a >>> 8) & 255)]! ^
      t[512 + ((b >>> 16) & 255)]! ^
      t[768 + (c >>> 24)]! ^
      k[19]!;
    a = x;
    b = y;
    c = z;
    x =
      t[a & 255]! ^
      t[256 + ((b >>> 8) & 255)]! ^
      t[512 + ((c >>> 16) & 255)]! ^
      t[768 + (d >>> 24)]! ^
      k[20]!;
    y =
      t[b & 255]! ^
      t[256 + ((c >>> 8) & 255)]! ^
      t[512 + ((d >>> 16) & 255)]! ^
      t[768 + (a >>> 24)]! ^
      k[21]!;
    z =
      t[c & 255]! ^
      t[256 + ((d >>> 8) & 255)]! ^
      t[512 + ((a >>> 16) & 255)]! ^
      t[768 + (b >>> 24)]! ^
      k[22]!;
    d =
      t[d & 255]! ^
      t[256 + ((a >>> 8) & 255)]! ^
      t[512 + ((b >>> 16) & 255)]! ^
      t[768 + (c >>> 24)]! ^
      k[23]!;
    a = x;
    b = y;
    c = z;
    x =
      t[a & 255]! ^
      t[256 + ((b >>> 8) & 255)]! ^
      t[512 + ((c >>> 16) & 255)]! ^
      t[768 + (d >>> 24)]! ^
      k[24]!;
    y =
      t[b & 255]! ^
      t[256 + ((c >>> 8) & 255)]! ^
      t[512 + ((d >>> 16) & 255)]! ^
      t[768 + (a >>> 24)]! ^
      k[25]!;
    z =
      t[c & 255]! ^
      t[256 + ((d >>> 8) & 255)]! ^
      t[512 + ((a >>> 16) & 255)]! ^
      t[768 + (b >>> 24)]! ^
      k[26]!;
    d =
      t[d & 255]! ^
      t[256 + ((a >>> 8) & 255)]! ^
      t[512 + ((b >>> 16) & 255)]! ^
      t[768 + (c >>> 24)]! ^
      k[27]!;
    a = x;
    b = y;
    c = z;
    x =
      t[a & 255]! ^
      t[256 + ((b >>> 8) & 255)]! ^
      t[512 + ((c >>> 16) & 255)]! ^
      t[768 + (d >>> 24)]! ^
      k[28]!;
    y =
      t[b & 255]! ^
      t[256 + ((c >>> 8) & 255)]! ^
      t[512 + ((d >>> 16) & 255)]! ^
      t[768 + (a >>> 24)]! ^
      k[29]!;
    z =
      t[c & 255]! ^
      t[256 + ((d >>> 8) & 255)]! ^
      t[512 + ((a >>> 16) & 255)]! ^
      t[768 + (b >>> 24)]! ^
      k[30]!;
    d =
      t[d & 255]! ^
      t[256 + ((a >>> 8) & 255)]! ^
      t[512 + ((b >>> 16) & 255)]! ^
      t[768 + (c >>> 24)]! ^
      k[31]!;
    a = x;
    b = y;
    c = z;
    x =
      t[a & 255]! ^
      t[256 + ((b >>> 8) & 255)]! ^
      t[512 + ((c >>> 16) & 255)]! ^
      t[768 + (d >>> 24)]! ^
      k[32]!;
    y =
      t[b & 255]! ^
      t[256 + ((c >>> 8) & 255)]! ^
      t[512 + ((d >>> 16) & 255)]! ^
      t[768 + (a >>> 24)]! ^
      k[33]!;
    z =
      t[c & 255]! ^
      t[256 + ((d >>> 8) & 255)]! ^
      t[512 + ((a >>> 16) & 255)]! ^
      t[768 + (b >>> 24)]! ^
      k[34]!;
    d =
      t[d & 255]! ^
      t[256 + ((a >>> 8) & 255)]! ^
      t[512 + ((b >>> 16) & 255)]! ^
      t[768 + (c >>> 24)]! ^
      k[35]!;
    a = x;
    b = y;
    c = z;
    x =
      t[a & 255]! ^
      t[256 + ((b >>> 8) & 255)]! ^
      t[512 + ((c >>> 16) & 255)]! ^
      t[768 + (d >>> 24)]! ^
      k[36]!;
    y =
      t[b & 255]! ^
      t[256 + ((c >>> 8) & 255)]! ^
      t[512 + ((d >>> 16) & 255)]! ^
      t[768 + (a >>> 24)]! ^
      k[37]!;
    z =
      t[c & 255]! ^
      t[256 + ((d >>> 8) & 255)]! ^
      t[512 + ((a >>> 16) & 255)]! ^
      t[768 + (b >>> 24)]! ^
      k[38]!;
    d =
      t[d & 255]! ^
      t[256 + ((a >>> 8) & 255)]! ^
      t[512 + ((b >>> 16) & 255)]! ^
      t[768 + (c >>> 24)]! ^
      k[39]!;
    a = x;
    b = y;
    c = z;
    target[p] =
      t[1024 + (a & 255)]! ^
      t[1280 + ((b >>> 8) & 255)]! ^
      t[1536 + ((c >>> 16) & 255)]! ^
      t[1792 + (d >>> 24)]! ^
      k[40]!;
    target[p + 1] =
      t[1024 + (b & 255)]! ^
      t[1280 + ((c >>> 8) & 255)]! ^
      t[1536 + ((d >>> 16) & 255)]! ^
      t[1792 + (a >>> 24)]! ^
      k[41]!;
    target[p + 2] =
      t[1024 + (c & 255)]! ^
      t[1280 + ((d >>> 8) & 255)]! ^
      t[1536 + ((a >>> 16) & 255)]! ^
      t[1792 + (b >>> 24)]! ^
      k[42]!;
    target[p + 3] =
      t[1024 + (d & 255)]! ^
      t[1280 + ((a >>> 8) & 255)]! ^
      t[1536 + ((b >>> 16) & 255)]! ^
      t[1792 + (c >>> 24)]! ^
      k[43]!;
  }
  return target;
};

/** The variants, as Table V names them. */
export const UNROLLING: Readonly<Record<Unrolling, EncryptWords>> = {
  None: withLoops,
  Short: withShortLoopsUnrolled,
  Round: withRoundsUnrolled,
};
