/** Expressions for doubles in the Montgomery kernels, in addition to dsl/expression.ts. */
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import { i8x16, op, v128 } from '../dsl/expression.ts';

/** An expression of type f64. */
export type F64 = Expr<'f64'>;

/** Instructions of f64. */
export const f64 = {
  const: (value: number): F64 => op('f64', `f64.const ${value}`),
  load: (address: I32, offset = 0): F64 => op('f64', `f64.load offset=${offset}`, address),
  add: (a: F64, b: F64): F64 => op('f64', 'f64.add', a, b),
  sub: (a: F64, b: F64): F64 => op('f64', 'f64.sub', a, b),
  mul: (a: F64, b: F64): F64 => op('f64', 'f64.mul', a, b),
  nearest: (a: F64): F64 => op('f64', 'f64.nearest', a),
  fromI64: (a: Expr<'i64'>): F64 => op('f64', 'f64.convert_i64_s', a),
  toI64: (a: F64): Expr<'i64'> => op('i64', 'i64.trunc_sat_f64_s', a),
};

/** Instructions of two doubles. */
export const f64x2 = {
  splat: (a: F64): V128 => op('v128', 'f64x2.splat', a),
  add: (a: V128, b: V128): V128 => op('v128', 'f64x2.add', a, b),
  sub: (a: V128, b: V128): V128 => op('v128', 'f64x2.sub', a, b),
  mul: (a: V128, b: V128): V128 => op('v128', 'f64x2.mul', a, b),
  /** a · b + c, rounded once if the platform supports that (see `fused`), else twice */
  madd: (a: V128, b: V128, c: V128): V128 => op('v128', 'f64x2.relaxed_madd', a, b, c),
};

/** Two doubles of value 0. */
export const ZERO = v128.const(new Uint8Array(16));

/** Lanes: low of a, twice */
export function twice(a: V128): V128 {
  return i8x16.shuffle(a, a, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
}

/** Lanes: high of a, low of b */
export function across(a: V128, b: V128): V128 {
  return i8x16.shuffle(a, b, [8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]);
}

/** Lanes: low of a, low of b */
export function lows(a: V128, b: V128): V128 {
  return i8x16.shuffle(a, b, [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
}
