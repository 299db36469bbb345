/**
 * The arithmetic of hash functions on words of one type, so that one generator serves single words (i32, i64)
 * and the same word of four messages at once (i32x4).
 */
import { i32, i32x4, i64, i64x2, i8x16, v128 } from './expression.ts';
import type { Expr, V128, ValueType } from './expression.ts';

/** Operations of one word size, so that a hash is written once for 32 and 64 bits. */
export interface Words<T extends ValueType> {
  readonly type: T;
  readonly add: (a: Expr<T>, b: Expr<T>) => Expr<T>;
  readonly xor: (a: Expr<T>, b: Expr<T>) => Expr<T>;
  readonly and: (a: Expr<T>, b: Expr<T>) => Expr<T>;
  readonly or: (a: Expr<T>, b: Expr<T>) => Expr<T>;
  readonly not: (a: Expr<T>) => Expr<T>;
  /** a AND NOT b */
  readonly andNot: (a: Expr<T>, b: Expr<T>) => Expr<T>;
  /** @param x evaluated twice for vectors: bind it first */
  readonly rotr: (x: Expr<T>, count: number) => Expr<T>;
  readonly shl: (x: Expr<T>, count: number) => Expr<T>;
  readonly shrU: (x: Expr<T>, count: number) => Expr<T>;
}

/** Words of 32 bits. */
export const WORDS_32: Words<'i32'> = {
  type: 'i32',
  ...i32,
  not: (x) => i32.xor(x, -1),
  andNot: (a, b) => i32.and(i32.xor(b, -1), a),
};

/** Words of 64 bits. */
export const WORDS_64: Words<'i64'> = {
  type: 'i64',
  add: i64.add,
  xor: i64.xor,
  and: i64.and,
  or: i64.or,
  not: (x) => i64.xor(x, -1n),
  andNot: (a, b) => i64.and(i64.xor(b, -1n), a),
  rotr: (x, count) => i64.rotr(x, BigInt(count)),
  shl: (x, count) => i64.shl(x, BigInt(count)),
  shrU: (x, count) => i64.shrU(x, BigInt(count)),
};

/** Four 32-bit words. A rotation of lanes is two shifts. */
export const WORDS_32X4: Words<'v128'> = {
  type: 'v128',
  add: i32x4.add,
  xor: v128.xor,
  and: v128.and,
  or: v128.or,
  not: v128.not,
  andNot: v128.andnot,
  rotr: (x, count) => v128.or(i32x4.shrU(x, count), i32x4.shl(x, 32 - count)),
  shl: i32x4.shl,
  shrU: i32x4.shrU,
};

/** Two 64-bit words. */
export const WORDS_64X2: Words<'v128'> = {
  type: 'v128',
  add: i64x2.add,
  xor: v128.xor,
  and: v128.and,
  or: v128.or,
  not: v128.not,
  andNot: v128.andnot,
  rotr: (x, count) => v128.or(i64x2.shrU(x, count), i64x2.shl(x, 64 - count)),
  shl: i64x2.shl,
  shrU: i64x2.shrU,
};

/** Lanes of 32 bits, 0 … 3 of a and 4 … 7 of b, in the given order. */
export function shuffle32(a: V128, b: V128, lanes: readonly number[]): V128 {
  return i8x16.shuffle(
    a,
    b,
    lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]),
  );
}

/** 16 bytes of a ‖ b, from byte `count` on. */
export function shiftIn(a: V128, b: V128, count: number): V128 {
  return i8x16.shuffle(
    a,
    b,
    Array.from({ length: 16 }, (_, i) => i + count),
  );
}

/** Byte numbers that reverse the bytes of each word of a vector. @param wordBytes 4 or 8 */
export function byteSwap(wordBytes: number): number[] {
  return Array.from({ length: 16 }, (_, i) => i ^ (wordBytes - 1));
}

/** A vector of zeros. */
export const ZERO: V128 = v128.const(new Uint8Array(16));

/** The bytes of constants, as memory holds them. */
export function bytesOf(words: Int32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
