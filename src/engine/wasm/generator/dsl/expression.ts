/**
 * Typed expressions of WebAssembly, as text in the folded form of the text format.
 *
 *     i32.add(pointer, 16)            →  (i32.add (local.get $pointer) (i32.const 16))
 *     v128.xor(v128.load(pointer), x) →  (v128.xor (v128.load (local.get $pointer)) (local.get $x))
 *
 * An expression is evaluated each time it occurs. Bind an expression that is used twice to a local
 * (`Body.let`). Instructions without a name here are built by `op`.
 */

export type ValueType = 'i32' | 'i64' | 'f64' | 'v128';

/** An expression of one value type, as text of the WebAssembly text format. */
export interface Expr<T extends ValueType = ValueType> {
  readonly type: T;
  readonly code: string;
}

/** An expression of type i32. */
export type I32 = Expr<'i32'> | number;
/** An expression of type i64. */
export type I64 = Expr<'i64'> | bigint;
/** An expression of type v128. */
export type V128 = Expr<'v128'>;
/** An operand: an expression, or a number that becomes a constant. */
export type Operand = Expr | number | bigint;

/** The text of an operand: numbers are i32 constants, bigints i64 constants. */
export function codeOf(operand: Operand): string {
  if (typeof operand === 'number') return `(i32.const ${operand | 0})`;
  if (typeof operand === 'bigint') return `(i64.const ${BigInt.asIntN(64, operand)})`;
  return operand.code;
}

/** Any instruction: `op('i32', 'i8x16.bitmask', x)`. Immediates are part of its name. */
export function op<T extends ValueType>(
  type: T,
  instruction: string,
  ...operands: readonly Operand[]
): Expr<T> {
  return { type, code: `(${[instruction, ...operands.map(codeOf)].join(' ')})` };
}

type Binary<O, T extends ValueType> = (a: O, b: O) => Expr<T>;

const i32Binary = (name: string): Binary<I32, 'i32'> => {
  return (a, b) => op('i32', `i32.${name}`, a, b);
};
const i64Binary = (name: string): Binary<I64, 'i64'> => {
  return (a, b) => op('i64', `i64.${name}`, a, b);
};
const i64Compare = (name: string): Binary<I64, 'i32'> => {
  return (a, b) => op('i32', `i64.${name}`, a, b);
};
const vBinary = (name: string): Binary<V128, 'v128'> => {
  return (a, b) => op('v128', name, a, b);
};
const vShift = (name: string) => {
  return (a: V128, count: I32) => op('v128', name, a, count);
};
const load = <T extends ValueType>(type: T, name: string) => {
  return (address: I32, offset = 0) => op(type, `${name} offset=${offset}`, address);
};

/** Instructions of i32. */
export const i32 = {
  const: (value: number) => op('i32', `i32.const ${value | 0}`),
  add: i32Binary('add'),
  sub: i32Binary('sub'),
  mul: i32Binary('mul'),
  and: i32Binary('and'),
  or: i32Binary('or'),
  xor: i32Binary('xor'),
  shl: i32Binary('shl'),
  shrU: i32Binary('shr_u'),
  shrS: i32Binary('shr_s'),
  rotl: i32Binary('rotl'),
  rotr: i32Binary('rotr'),
  eq: i32Binary('eq'),
  ne: i32Binary('ne'),
  ltU: i32Binary('lt_u'),
  leU: i32Binary('le_u'),
  gtU: i32Binary('gt_u'),
  geU: i32Binary('ge_u'),
  eqz: (a: I32) => op('i32', 'i32.eqz', a),
  ctz: (a: I32) => op('i32', 'i32.ctz', a),
  popcnt: (a: I32) => op('i32', 'i32.popcnt', a),
  wrap: (a: I64) => op('i32', 'i32.wrap_i64', a),
  load: load('i32', 'i32.load'),
  load8u: load('i32', 'i32.load8_u'),
};

/** Instructions of i64. */
export const i64 = {
  const: (value: bigint) => op('i64', `i64.const ${BigInt.asIntN(64, value)}`),
  add: i64Binary('add'),
  sub: i64Binary('sub'),
  mul: i64Binary('mul'),
  and: i64Binary('and'),
  or: i64Binary('or'),
  xor: i64Binary('xor'),
  shl: i64Binary('shl'),
  shrU: i64Binary('shr_u'),
  shrS: i64Binary('shr_s'),
  rotl: i64Binary('rotl'),
  rotr: i64Binary('rotr'),
  eq: i64Compare('eq'),
  ltU: i64Compare('lt_u'),
  extendU: (a: I32) => op('i64', 'i64.extend_i32_u', a),
  load: load('i64', 'i64.load'),
  load32u: load('i64', 'i64.load32_u'),
};

/** Instructions of v128 as a whole. */
export const v128 = {
  /** 16 bytes, lane 0 first. */
  const: (bytes: ArrayLike<number>) =>
    op('v128', `v128.const i8x16 ${[...lanes16(bytes)].join(' ')}`),
  load: load('v128', 'v128.load'),
  /** Eight bytes in the low half, the high half zero. */
  load64zero: load('v128', 'v128.load64_zero'),
  load32zero: load('v128', 'v128.load32_zero'),
  load8splat: load('v128', 'v128.load8_splat'),
  load32splat: load('v128', 'v128.load32_splat'),
  load64splat: load('v128', 'v128.load64_splat'),
  xor: vBinary('v128.xor'),
  and: vBinary('v128.and'),
  or: vBinary('v128.or'),
  /** a AND NOT b */
  andnot: vBinary('v128.andnot'),
  not: (a: V128) => op('v128', 'v128.not', a),
  /** Bits of a where `mask` has 1, of b where it has 0. */
  bitselect: (a: V128, b: V128, mask: V128) => op('v128', 'v128.bitselect', a, b, mask),
};

/** Instructions of sixteen bytes. */
export const i8x16 = {
  splat: (a: I32) => op('v128', 'i8x16.splat', a),
  add: vBinary('i8x16.add'),
  sub: vBinary('i8x16.sub'),
  eq: vBinary('i8x16.eq'),
  /** Lane i of the result is byte `lanes[i]` of a ‖ b; the lanes are constants. */
  shuffle: (a: V128, b: V128, lanes: ArrayLike<number>) =>
    op('v128', `i8x16.shuffle ${[...lanes16(lanes)].join(' ')}`, a, b),
  /** Out-of-range lanes give 0. `lookup` of lookup.ts has the faster relaxed form. */
  swizzle: vBinary('i8x16.swizzle'),
  extractU: (lane: number, a: V128) => op('i32', `i8x16.extract_lane_u ${lane}`, a),
};

/** Instructions of eight 16-bit words. */
export const i16x8 = {
  splat: (a: I32) => op('v128', 'i16x8.splat', a),
  add: vBinary('i16x8.add'),
  sub: vBinary('i16x8.sub'),
  /** The low halves of the products. */
  mul: vBinary('i16x8.mul'),
  /** round(a · b / 2^15) of signed words, saturated */
  q15mulr: vBinary('i16x8.q15mulr_sat_s'),
  ltS: vBinary('i16x8.lt_s'),
  shl: vShift('i16x8.shl'),
  shrS: vShift('i16x8.shr_s'),
  shrU: vShift('i16x8.shr_u'),
  bitmask: (a: V128) => op('i32', 'i16x8.bitmask', a),
  /** Words of both operands' 32-bit words, between 0 and 2^16 - 1; others are brought there. */
  narrowU: vBinary('i16x8.narrow_i32x4_u'),
  extendLowS: (a: V128) => op('v128', 'i16x8.extend_low_i8x16_s', a),
  extendHighS: (a: V128) => op('v128', 'i16x8.extend_high_i8x16_s', a),
  /** 0 where the difference is negative. */
  subSatU: vBinary('i16x8.sub_sat_u'),
  minU: vBinary('i16x8.min_u'),
};

/** Instructions of four 32-bit words. */
export const i32x4 = {
  splat: (a: I32) => op('v128', 'i32x4.splat', a),
  add: vBinary('i32x4.add'),
  sub: vBinary('i32x4.sub'),
  mul: vBinary('i32x4.mul'),
  /** Sums of two products of signed 16-bit words each. */
  dot: vBinary('i32x4.dot_i16x8_s'),
  ltS: vBinary('i32x4.lt_s'),
  eq: vBinary('i32x4.eq'),
  shl: vShift('i32x4.shl'),
  shrS: vShift('i32x4.shr_s'),
  shrU: vShift('i32x4.shr_u'),
  bitmask: (a: V128) => op('i32', 'i32x4.bitmask', a),
  abs: (a: V128) => op('v128', 'i32x4.abs', a),
  extendLowS: (a: V128) => op('v128', 'i32x4.extend_low_i16x8_s', a),
  extendHighS: (a: V128) => op('v128', 'i32x4.extend_high_i16x8_s', a),
  extendLowU: (a: V128) => op('v128', 'i32x4.extend_low_i16x8_u', a),
  extendHighU: (a: V128) => op('v128', 'i32x4.extend_high_i16x8_u', a),
  extract: (lane: number, a: V128) => op('i32', `i32x4.extract_lane ${lane}`, a),
  replace: (lane: number, a: V128, value: I32) =>
    op('v128', `i32x4.replace_lane ${lane}`, a, value),
};

/** Instructions of two 64-bit words. */
export const i64x2 = {
  splat: (a: I64) => op('v128', 'i64x2.splat', a),
  add: vBinary('i64x2.add'),
  sub: vBinary('i64x2.sub'),
  /** Whole products of the 32-bit words 0 and 1. */
  extmulLow: vBinary('i64x2.extmul_low_i32x4_u'),
  /** Those of the words 2 and 3. */
  extmulHigh: vBinary('i64x2.extmul_high_i32x4_u'),
  /** The same of signed words. */
  extmulLowS: vBinary('i64x2.extmul_low_i32x4_s'),
  extmulHighS: vBinary('i64x2.extmul_high_i32x4_s'),
  shl: vShift('i64x2.shl'),
  shrU: vShift('i64x2.shr_u'),
  extract: (lane: number, a: V128) => op('i64', `i64x2.extract_lane ${lane}`, a),
  replace: (lane: number, a: V128, value: I64) =>
    op('v128', `i64x2.replace_lane ${lane}`, a, value),
};

function lanes16(lanes: ArrayLike<number>): number[] {
  if (lanes.length !== 16) throw new RangeError(`a vector has 16 lanes, got ${lanes.length}`);
  return Array.from(lanes);
}
