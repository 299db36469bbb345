/**
 * Limbs of 51 bits, balanced (-2^50 … 2^50), by fused multiplication and addition. The 102 bits of a product
 * result in two halves, exactly (after N. Emmart, F. Zheng and C. Weems, "Faster modular exponentiation using
 * double precision floating point arithmetic on the GPU", 2018, who have unsigned limbs and another
 * rounding):
 *
 *     high = a · b + C1            C1 = 1.5 · 2^103, around which doubles are 2^51 apart: the
 *                                  significand's last bits are a · b / 2^51, rounded
 *     low  = a · b + (C2 - high)   C2 = C1 + 1.5 · 2^52: the rounding error, -2^50 … 2^50, added to
 *                                  1.5 · 2^52, around which doubles are 1 apart
 *
 * As bit patterns both are integers plus a constant, so that columns are sums of bit patterns, as 64-bit
 * integers. The constants are subtracted beforehand: columns begin with biases that depend on the number of
 * products of each (`writeBiases`). They are multiples of 2^51, so that a column's last digit can be computed
 * before it is complete. Columns stay below 2^61 with 322 limbs.
 */
import type { Body, Local } from '../dsl/body.ts';
import type { I32, V128 } from '../dsl/expression.ts';
import { i32, i64x2, op, v128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { C1, C1_TO_C2, doubleBits } from './biases.ts';
import { across, f64, f64x2, lows, twice, ZERO } from './lanes.ts';
import { CONSTANTS, LAYOUTS } from './layout.ts';
import type { Arithmetic, Columns, Factors, Quotients } from './rows.ts';

const layout = LAYOUTS.relaxed;
const LIMB_BITS = layout.limbBits;

/** Equal in both lanes, and in memory: some engines would recreate immediates in each iteration. */
const VALUES = {
  high: doubleBits(C1),
  low: doubleBits(C1 + C1_TO_C2),
  half: 2n ** 50n,
  digitMask: 2n ** 51n - 1n,
  /** These bits before a 52-bit integer make the double 2^52 + integer. */
  integer: doubleBits(2 ** 52),
  digitOffset: doubleBits(2 ** 52 + 2 ** 50),
  /** 2^63 makes a column positive before it is shifted; after that it is 2^12. */
  topAndHalf: 2n ** 63n + 2n ** 50n,
  topHalfAndLow: BigInt.asUintN(64, 2n ** 63n + 2n ** 50n + doubleBits(C1_TO_C2)),
  carryTop: 2n ** 12n,
  carryOffset: doubleBits(2 ** 52 + 2 ** 12),
} as const;
type Name = keyof typeof VALUES;
const NAMES = Object.keys(VALUES) as readonly Name[];

function constant(body: Body, name: Name): V128 {
  return body.let(v128.load(i32.const(CONSTANTS + 16 * NAMES.indexOf(name))));
}

/** Adds the constants of arithmetic with fused multiply-add. */
export function addFusedConstants(module: ModuleText): void {
  const bits = BigUint64Array.from(NAMES.flatMap((name) => [VALUES[name], VALUES[name]]));
  module.data(CONSTANTS, new Uint8Array(bits.buffer));
  // 1 if relaxed_madd rounds once. The caller writes x and y such that x² + y is 1 with one rounding.
  module.func('fused', { result: 'i32' }, (body) => {
    const x = f64x2.splat(f64.load(i32.const(layout.bytes)));
    const y = f64x2.splat(f64.load(i32.const(layout.bytes), 8));
    const rest = op('f64', 'f64x2.extract_lane 1', f64x2.madd(x, x, y));
    body.result(op('i32', 'f64.eq', rest, f64.const(1)));
  });
}

/** Row arithmetic with fused multiply-add: one instruction for a product and its sum. */
export function fusedArithmetic(body: Body): Arithmetic {
  const splitter: Splitter = { c1: constant(body, 'high'), c2: constant(body, 'low') };
  return {
    relieveAfter: { multiply: 0, square: 0 },
    addPair: (inner, factors, columns, offset) =>
      addPair(inner, splitter, factors, columns, offset),
    endRows: (inner, { to, pending }) => inner.store(to, i64x2.add(v128.load(to), pending)),
    cancelPair: (inner, columns, carry) => cancelPair(inner, splitter, columns, carry),
    relieve: () => undefined,
    settle,
  };
}

/** C1 and C2 */
interface Splitter {
  readonly c1: V128;
  readonly c2: V128;
}

function addPair(
  body: Body,
  splitter: Splitter,
  factors: readonly Factors[],
  { to, pending }: Columns,
  offset: number,
): void {
  const even: V128[] = [pending];
  const odd: V128[] = [];
  const next: V128[] = [];
  for (const { x0, x1, pair } of factors) {
    const limbs = body.let(v128.load(pair, offset));
    const first = halves(body, splitter, x0, limbs);
    const second = halves(body, splitter, x1, limbs);
    even.push(first.low);
    odd.push(first.high, second.low);
    next.push(second.high);
  }
  body.store(to, sumOf(v128.load(to, offset), ...even), offset);
  body.store(to, sumOf(v128.load(to, offset + layout.odd), ...odd), offset + layout.odd);
  body.set(pending, sumOf(...(next as [V128])));
}

function sumOf(first: V128, ...rest: readonly V128[]): V128 {
  return rest.reduce((sum, each) => i64x2.add(sum, each), first);
}

/** The two halves of a product, as bit patterns. */
function halves(body: Body, { c1, c2 }: Splitter, a: V128, b: V128): { high: V128; low: V128 } {
  const high = body.let(f64x2.madd(a, b, c1));
  const low = body.let(f64x2.madd(a, b, f64x2.sub(c2, high)));
  return { high, low };
}

/** M's lowest limb is -1: q is the column itself, and the rest of the column is its carry. */
function cancelPair(
  body: Body,
  splitter: Splitter,
  columns: Local<'i32'>,
  carry: Local<'v128'>,
): Quotients {
  const m = body.let(v128.load(i32.const(layout.modulus)));
  const even = body.let(i64x2.add(v128.load(columns), carry));
  const x0 = body.let(twice(digitOf(body, even)));
  const first = halves(body, splitter, x0, m);
  const evenDone = body.let(i64x2.add(even, first.low));
  const odd = body.let(i64x2.add(v128.load(columns, layout.odd), first.high));
  // The even part of the second column is in the high lane of one pair, its odd part in the low lane of the
  // other.
  const joined = i64x2.add(odd, i64x2.add(across(evenDone, evenDone), carryOf(body, even)));
  const column = body.let(joined);
  const x1 = body.let(twice(digitOf(body, column)));
  const second = halves(body, splitter, x1, m);
  const oddDone = body.let(i64x2.add(odd, second.low));
  const left = i64x2.add(across(oddDone, ZERO), carryOf(body, column));
  body.set(carry, lows(left, ZERO));
  return { x0, x1, pending: second.high };
}

/** The column / 2^51, rounded, before the product of q and -1 has added its constant. */
function carryOf(body: Body, column: V128): V128 {
  const positive = i64x2.add(column, constant(body, 'topHalfAndLow'));
  return i64x2.sub(i64x2.shrU(positive, LIMB_BITS), constant(body, 'carryTop'));
}

/** The balanced remainder of a column modulo 2^51, as a double. */
function digitOf(body: Body, column: V128): V128 {
  const bits = v128.and(i64x2.add(column, constant(body, 'half')), constant(body, 'digitMask'));
  const double = v128.or(bits, constant(body, 'integer'));
  return f64x2.sub(double, constant(body, 'digitOffset'));
}

/** Each column keeps its digit and adds the carry of the one below, which is under 2^12. */
function settle(
  body: Body,
  columns: Local<'i32'>,
  carry: Local<'v128'>,
  target: Local<'i32'>,
  pairs: I32,
): void {
  const count = body.local('i32', pairs);
  const to = body.local('i32', target);
  const odd = body.local('v128', twice(carry));
  const carried = body.local('v128', ZERO);
  body.loop(count, () => {
    const nextOdd = body.let(v128.load(columns, layout.odd));
    const column = body.let(i64x2.add(v128.load(columns), across(odd, nextOdd)));
    const rounded = i64x2.shrU(i64x2.add(column, constant(body, 'topAndHalf')), LIMB_BITS);
    const double = v128.or(rounded, constant(body, 'integer'));
    const next = body.let(f64x2.sub(double, constant(body, 'carryOffset')));
    body.store(to, f64x2.add(digitOf(body, column), across(carried, next)));
    body.set(carried, next);
    body.set(odd, nextOdd);
    body.set(columns, i32.add(columns, 16));
    body.set(to, i32.add(to, 16));
  });
}
