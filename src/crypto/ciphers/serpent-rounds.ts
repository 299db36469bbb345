/**
 * The rounds of Serpent (Anderson, Biham, Knudsen, "Serpent: A Proposal for the Advanced Encryption Standard",
 * 1998, section 3) in bit-slice form: each S-box is a circuit over four words, which are the bits of 32
 * nibbles. The circuits are those that Brian Gladman and Sam Simpson published in 1998. Only AND, OR, XOR, NOT
 * and constant rotations: no address and no branch depends on a secret.
 *
 * A round processes all blocks of a run before the next round begins. A block's own steps wait for each other;
 * the processor works at those of other blocks meanwhile.
 */
import { rotateLeft32, rotateRight32 } from '../words.ts';

/**
 * One round over blocks of four words.
 *
 * @param w the blocks w[from … to - 1], changed in place
 * @param k the round keys
 * @param at where the round's key begins
 * @param isLinear whether the linear transformation belongs to the round
 */
export type Round = (
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
) => void;

/** The linear transformation of four words, stored at w[p]. */
function mixInto(w: Int32Array, p: number, y0: number, y1: number, y2: number, y3: number): void {
  let a = rotateLeft32(y0, 13);
  let c = rotateLeft32(y2, 3);
  const b = rotateLeft32(y1 ^ a ^ c, 1);
  const d = rotateLeft32(y3 ^ c ^ (a << 3), 7);
  a ^= b ^ d;
  c ^= d ^ (b << 7);
  w[p] = rotateLeft32(a, 5);
  w[p + 1] = b;
  w[p + 2] = rotateLeft32(c, 22);
  w[p + 3] = d;
}

/** The inverse of the linear transformation. */
function unmixInto(w: Int32Array, p: number, y0: number, y1: number, y2: number, y3: number): void {
  let c = rotateRight32(y2, 22);
  let a = rotateRight32(y0, 5);
  c ^= y3 ^ (y1 << 7);
  a ^= y1 ^ y3;
  w[p + 3] = rotateRight32(y3, 7) ^ c ^ (a << 3);
  w[p + 1] = rotateRight32(y1, 1) ^ a ^ c;
  w[p + 2] = rotateRight32(c, 3);
  w[p] = rotateRight32(a, 13);
}

/** Four words, stored at w[p]. */
function put(w: Int32Array, p: number, y0: number, y1: number, y2: number, y3: number): void {
  w[p] = y0;
  w[p + 1] = y1;
  w[p + 2] = y2;
  w[p + 3] = y3;
}

/** Key mixing, S0 = 38F1A65BED42709C, and the linear transformation. */
function round0(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p] ^ k[at];
    const b = w[p + 1] ^ k[at + 1];
    const c = w[p + 2] ^ k[at + 2];
    const d = w[p + 3] ^ k[at + 3];
    const t1 = a ^ d;
    const t3 = c ^ t1;
    const t4 = b ^ t3;
    const y3 = (a & d) ^ t4;
    const t7 = a ^ (b & t1);
    const y2 = t4 ^ (c | t7);
    const t12 = y3 & (t3 ^ t7);
    const y1 = ~t3 ^ t12;
    const y0 = t12 ^ ~t7;
    if (isLinear) mixInto(w, p, y0, y1, y2, y3);
    else put(w, p, y0, y1, y2, y3);
  }
}

/** Key mixing, S1 = FC27905A1BE86D34, and the linear transformation. */
function round1(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p] ^ k[at];
    const b = w[p + 1] ^ k[at + 1];
    const c = w[p + 2] ^ k[at + 2];
    const d = w[p + 3] ^ k[at + 3];
    const t2 = b ^ ~a;
    const t5 = c ^ (a | t2);
    const y2 = d ^ t5;
    const t7 = b ^ (d | t2);
    const t8 = t2 ^ y2;
    const y3 = t8 ^ (t5 & t7);
    const t11 = t5 ^ t7;
    const y1 = y3 ^ t11;
    const y0 = t5 ^ (t8 & t11);
    if (isLinear) mixInto(w, p, y0, y1, y2, y3);
    else put(w, p, y0, y1, y2, y3);
  }
}

/** Key mixing, S2 = 86793CAFD1E40B52, and the linear transformation. */
function round2(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p] ^ k[at];
    const b = w[p + 1] ^ k[at + 1];
    const c = w[p + 2] ^ k[at + 2];
    const d = w[p + 3] ^ k[at + 3];
    const t1 = ~a;
    const t2 = b ^ d;
    const t3 = c & t1;
    const y0 = t2 ^ t3;
    const t5 = c ^ t1;
    const t6 = c ^ y0;
    const t7 = b & t6;
    const y3 = t5 ^ t7;
    const y2 = a ^ ((d | t7) & (y0 | t5));
    const y1 = t2 ^ y3 ^ (y2 ^ (d | t1));
    if (isLinear) mixInto(w, p, y0, y1, y2, y3);
    else put(w, p, y0, y1, y2, y3);
  }
}

/** Key mixing, S3 = 0FB8C963D124A75E, and the linear transformation. */
function round3(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p] ^ k[at];
    const b = w[p + 1] ^ k[at + 1];
    const c = w[p + 2] ^ k[at + 2];
    const d = w[p + 3] ^ k[at + 3];
    const t1 = a ^ b;
    const t2 = a & c;
    const t3 = a | d;
    const t4 = c ^ d;
    const t5 = t1 & t3;
    const t6 = t2 | t5;
    const y2 = t4 ^ t6;
    const t8 = b ^ t3;
    const t9 = t6 ^ t8;
    const t10 = t4 & t9;
    const y0 = t1 ^ t10;
    const t12 = y2 & y0;
    const y1 = t9 ^ t12;
    const y3 = (b | d) ^ (t4 ^ t12);
    if (isLinear) mixInto(w, p, y0, y1, y2, y3);
    else put(w, p, y0, y1, y2, y3);
  }
}

/** Key mixing, S4 = 1F83C0B6254A9E7D, and the linear transformation. */
function round4(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p] ^ k[at];
    const b = w[p + 1] ^ k[at + 1];
    const c = w[p + 2] ^ k[at + 2];
    const d = w[p + 3] ^ k[at + 3];
    const t1 = a ^ d;
    const t2 = d & t1;
    const t3 = c ^ t2;
    const t4 = b | t3;
    const y3 = t1 ^ t4;
    const t6 = ~b;
    const t7 = t1 | t6;
    const y0 = t3 ^ t7;
    const t9 = a & y0;
    const t10 = t1 ^ t6;
    const t11 = t4 & t10;
    const y2 = t9 ^ t11;
    const y1 = a ^ t3 ^ (t10 & y2);
    if (isLinear) mixInto(w, p, y0, y1, y2, y3);
    else put(w, p, y0, y1, y2, y3);
  }
}

/** Key mixing, S5 = F52B4A9C03E8D671, and the linear transformation. */
function round5(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p] ^ k[at];
    const b = w[p + 1] ^ k[at + 1];
    const c = w[p + 2] ^ k[at + 2];
    const d = w[p + 3] ^ k[at + 3];
    const t1 = ~a;
    const t2 = a ^ b;
    const t3 = a ^ d;
    const t4 = c ^ t1;
    const t5 = t2 | t3;
    const y0 = t4 ^ t5;
    const t7 = d & y0;
    const t8 = t2 ^ y0;
    const y1 = t7 ^ t8;
    const t10 = t1 | y0;
    const t11 = t2 | t7;
    const t12 = t3 ^ t10;
    const y2 = t11 ^ t12;
    const y3 = b ^ t7 ^ (y1 & t12);
    if (isLinear) mixInto(w, p, y0, y1, y2, y3);
    else put(w, p, y0, y1, y2, y3);
  }
}

/** Key mixing, S6 = 72C5846BE91FD3A0, and the linear transformation. */
function round6(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p] ^ k[at];
    const b = w[p + 1] ^ k[at + 1];
    const c = w[p + 2] ^ k[at + 2];
    const d = w[p + 3] ^ k[at + 3];
    const t1 = ~a;
    const t2 = a ^ d;
    const t3 = b ^ t2;
    const t4 = t1 | t2;
    const t5 = c ^ t4;
    const y1 = b ^ t5;
    const t7 = t2 | y1;
    const t8 = d ^ t7;
    const t9 = t5 & t8;
    const y2 = t3 ^ t9;
    const t11 = t5 ^ t8;
    const y0 = y2 ^ t11;
    const y3 = ~t5 ^ (t3 & t11);
    if (isLinear) mixInto(w, p, y0, y1, y2, y3);
    else put(w, p, y0, y1, y2, y3);
  }
}

/** Key mixing, S7 = 1DF0E82B74CA9356, and the linear transformation. */
function round7(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p] ^ k[at];
    const b = w[p + 1] ^ k[at + 1];
    const c = w[p + 2] ^ k[at + 2];
    const d = w[p + 3] ^ k[at + 3];
    const t1 = b ^ c;
    const t2 = c & t1;
    const t3 = d ^ t2;
    const t4 = a ^ t3;
    const t5 = d | t1;
    const t6 = t4 & t5;
    const y1 = b ^ t6;
    const t8 = t3 | y1;
    const t9 = a & t4;
    const y3 = t1 ^ t9;
    const t11 = t4 ^ t8;
    const t12 = y3 & t11;
    const y2 = t3 ^ t12;
    const y0 = ~t11 ^ (y3 & y2);
    if (isLinear) mixInto(w, p, y0, y1, y2, y3);
    else put(w, p, y0, y1, y2, y3);
  }
}

/** The inverse of S0, key mixing, and the inverse of the linear transformation before the round. */
function inverse0(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p];
    const b = w[p + 1];
    const c = w[p + 2];
    const d = w[p + 3];
    const t1 = ~a;
    const t2 = a ^ b;
    const t4 = d ^ (t1 | t2);
    const t5 = c ^ t4;
    const y2 = t2 ^ t5;
    const t8 = t1 ^ (d & t2);
    const y1 = t4 ^ (y2 & t8);
    const y3 = (a & t4) ^ (t5 | y1);
    const y0 = y3 ^ (t5 ^ t8);
    const x0 = y0 ^ k[at];
    const x1 = y1 ^ k[at + 1];
    const x2 = y2 ^ k[at + 2];
    const x3 = y3 ^ k[at + 3];
    if (isLinear) unmixInto(w, p, x0, x1, x2, x3);
    else put(w, p, x0, x1, x2, x3);
  }
}

/** The inverse of S1, key mixing, and the inverse of the linear transformation before the round. */
function inverse1(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p];
    const b = w[p + 1];
    const c = w[p + 2];
    const d = w[p + 3];
    const t1 = b ^ d;
    const t3 = a ^ (b & t1);
    const t4 = t1 ^ t3;
    const y3 = c ^ t4;
    const t7 = b ^ (t1 & t3);
    const t8 = y3 | t7;
    const y1 = t3 ^ t8;
    const t10 = ~y1;
    const t11 = y3 ^ t7;
    const y0 = t10 ^ t11;
    const y2 = t4 ^ (t10 | t11);
    const x0 = y0 ^ k[at];
    const x1 = y1 ^ k[at + 1];
    const x2 = y2 ^ k[at + 2];
    const x3 = y3 ^ k[at + 3];
    if (isLinear) unmixInto(w, p, x0, x1, x2, x3);
    else put(w, p, x0, x1, x2, x3);
  }
}

/** The inverse of S2, key mixing, and the inverse of the linear transformation before the round. */
function inverse2(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p];
    const b = w[p + 1];
    const c = w[p + 2];
    const d = w[p + 3];
    const t1 = b ^ d;
    const t2 = ~t1;
    const t3 = a ^ c;
    const t4 = c ^ t1;
    const t5 = b & t4;
    const y0 = t3 ^ t5;
    const t7 = a | t2;
    const t8 = d ^ t7;
    const t9 = t3 | t8;
    const y3 = t1 ^ t9;
    const t11 = ~t4;
    const t12 = y0 | y3;
    const y1 = t11 ^ t12;
    const y2 = (d & t11) ^ (t3 ^ t12);
    const x0 = y0 ^ k[at];
    const x1 = y1 ^ k[at + 1];
    const x2 = y2 ^ k[at + 2];
    const x3 = y3 ^ k[at + 3];
    if (isLinear) unmixInto(w, p, x0, x1, x2, x3);
    else put(w, p, x0, x1, x2, x3);
  }
}

/** The inverse of S3, key mixing, and the inverse of the linear transformation before the round. */
function inverse3(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p];
    const b = w[p + 1];
    const c = w[p + 2];
    const d = w[p + 3];
    const t1 = a | b;
    const t2 = b ^ c;
    const t3 = b & t2;
    const t4 = a ^ t3;
    const t5 = c ^ t4;
    const t6 = d | t4;
    const y0 = t2 ^ t6;
    const t8 = t2 | t6;
    const t9 = d ^ t8;
    const y2 = t5 ^ t9;
    const t11 = t1 ^ t9;
    const t12 = y0 & t11;
    const y3 = t4 ^ t12;
    const y1 = y3 ^ (y0 ^ t11);
    const x0 = y0 ^ k[at];
    const x1 = y1 ^ k[at + 1];
    const x2 = y2 ^ k[at + 2];
    const x3 = y3 ^ k[at + 3];
    if (isLinear) unmixInto(w, p, x0, x1, x2, x3);
    else put(w, p, x0, x1, x2, x3);
  }
}

/** The inverse of S4, key mixing, and the inverse of the linear transformation before the round. */
function inverse4(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p];
    const b = w[p + 1];
    const c = w[p + 2];
    const d = w[p + 3];
    const t1 = c | d;
    const t2 = a & t1;
    const t3 = b ^ t2;
    const t4 = a & t3;
    const t5 = c ^ t4;
    const y1 = d ^ t5;
    const t7 = ~a;
    const t8 = t5 & y1;
    const y3 = t3 ^ t8;
    const t10 = y1 | t7;
    const t11 = d ^ t10;
    const y0 = y3 ^ t11;
    const y2 = (t3 & t11) ^ (y1 ^ t7);
    const x0 = y0 ^ k[at];
    const x1 = y1 ^ k[at + 1];
    const x2 = y2 ^ k[at + 2];
    const x3 = y3 ^ k[at + 3];
    if (isLinear) unmixInto(w, p, x0, x1, x2, x3);
    else put(w, p, x0, x1, x2, x3);
  }
}

/** The inverse of S5, key mixing, and the inverse of the linear transformation before the round. */
function inverse5(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p];
    const b = w[p + 1];
    const c = w[p + 2];
    const d = w[p + 3];
    const t1 = ~c;
    const t2 = b & t1;
    const t3 = d ^ t2;
    const t4 = a & t3;
    const t5 = b ^ t1;
    const y3 = t4 ^ t5;
    const t7 = b | y3;
    const t8 = a & t7;
    const y1 = t3 ^ t8;
    const t10 = a | d;
    const t11 = t1 ^ t7;
    const y0 = t10 ^ t11;
    const y2 = (b & t10) ^ (t4 | (a ^ c));
    const x0 = y0 ^ k[at];
    const x1 = y1 ^ k[at + 1];
    const x2 = y2 ^ k[at + 2];
    const x3 = y3 ^ k[at + 3];
    if (isLinear) unmixInto(w, p, x0, x1, x2, x3);
    else put(w, p, x0, x1, x2, x3);
  }
}

/** The inverse of S6, key mixing, and the inverse of the linear transformation before the round. */
function inverse6(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p];
    const b = w[p + 1];
    const c = w[p + 2];
    const d = w[p + 3];
    const t1 = ~a;
    const t2 = a ^ b;
    const t3 = c ^ t2;
    const t4 = c | t1;
    const t5 = d ^ t4;
    const y1 = t3 ^ t5;
    const t7 = t3 & t5;
    const t8 = t2 ^ t7;
    const t9 = b | t8;
    const y3 = t5 ^ t9;
    const t11 = b | y3;
    const y0 = t8 ^ t11;
    const y2 = (d & t1) ^ (t3 ^ t11);
    const x0 = y0 ^ k[at];
    const x1 = y1 ^ k[at + 1];
    const x2 = y2 ^ k[at + 2];
    const x3 = y3 ^ k[at + 3];
    if (isLinear) unmixInto(w, p, x0, x1, x2, x3);
    else put(w, p, x0, x1, x2, x3);
  }
}

/** The inverse of S7, key mixing, and the inverse of the linear transformation before the round. */
function inverse7(
  w: Int32Array,
  from: number,
  to: number,
  k: Int32Array,
  at: number,
  isLinear: boolean,
): void {
  for (let p = from; p < to; p += 4) {
    const a = w[p];
    const b = w[p + 1];
    const c = w[p + 2];
    const d = w[p + 3];
    const t3 = c | (a & b);
    const t4 = d & (a | b);
    const y3 = t3 ^ t4;
    const t6 = ~d;
    const t7 = b ^ t4;
    const t9 = t7 | (y3 ^ t6);
    const y1 = a ^ t9;
    const y0 = c ^ t7 ^ (d | y1);
    const y2 = t3 ^ y1 ^ (y0 ^ (a & y3));
    const x0 = y0 ^ k[at];
    const x1 = y1 ^ k[at + 1];
    const x2 = y2 ^ k[at + 2];
    const x3 = y3 ^ k[at + 3];
    if (isLinear) unmixInto(w, p, x0, x1, x2, x3);
    else put(w, p, x0, x1, x2, x3);
  }
}

/** Round i is `ROUNDS[i % 8]`: key mixing, S_i, linear transformation. */
export const ROUNDS: readonly Round[] = [
  round0,
  round1,
  round2,
  round3,
  round4,
  round5,
  round6,
  round7,
];

/** Inverse S_i, key mixing, and the inverse of the linear transformation that precedes the round. */
export const INVERSES: readonly Round[] = [
  inverse0,
  inverse1,
  inverse2,
  inverse3,
  inverse4,
  inverse5,
  inverse6,
  inverse7,
];
