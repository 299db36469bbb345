/**
 * Limbs of 24 bits, balanced, by plain multiplication and addition of doubles: the arithmetic of
 * src/crypto/bigint, two limbs at a time, for platforms without fused multiplication and addition. Columns
 * are sums of whole products, exact up to 2^53; src/crypto/bigint has the bounds.
 */
import type { Body, Local } from '../dsl/body.ts';
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import { i32, v128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { across, f64x2, lows, twice, ZERO } from './lanes.ts';
import { CONSTANTS, LAYOUTS } from './layout.ts';
import type { Arithmetic, Columns, Factors, Quotients } from './rows.ts';

const layout = LAYOUTS.simd;

/** Adding and subtracting `rounder` gives the nearest multiple of 2^24. */
const VALUES = { rounder: 3 * 2 ** 75, radixInverse: 2 ** -24 } as const;
type Name = keyof typeof VALUES;
const NAMES = Object.keys(VALUES) as readonly Name[];

/** Adds the constants of arithmetic without fused multiply-add. */
export function addPlainConstants(module: ModuleText): void {
  const values = Float64Array.from(NAMES.flatMap((name) => [VALUES[name], VALUES[name]]));
  module.data(CONSTANTS, new Uint8Array(values.buffer));
}

function constant(body: Body, name: Name): V128 {
  return body.let(v128.load(i32.const(CONSTANTS + 16 * NAMES.indexOf(name))));
}

const PLAIN: Arithmetic = {
  // A product is below 2^46 · (1 + 2^-15), a row adds two to a column, or three when squaring.
  relieveAfter: { multiply: 60, square: 40 },
  addPair,
  endRows: () => undefined,
  cancelPair,
  relieve,
  settle,
};

/** Row arithmetic with separate multiplications and additions. */
export function plainArithmetic(): Arithmetic {
  return PLAIN;
}

function addPair(body: Body, factors: readonly Factors[], { to }: Columns, offset: number): void {
  const even: V128[] = [];
  const odd: V128[] = [];
  for (const { x0, x1, pair } of factors) {
    const limbs = body.let(v128.load(pair, offset));
    even.push(f64x2.mul(x0, limbs));
    odd.push(f64x2.mul(x1, limbs));
  }
  body.store(to, sumOf(v128.load(to, offset), ...even), offset);
  body.store(to, sumOf(v128.load(to, offset + layout.odd), ...odd), offset + layout.odd);
}

function sumOf(first: V128, ...rest: readonly V128[]): V128 {
  return rest.reduce((sum, each) => f64x2.add(sum, each), first);
}

/** M's lowest limb is -1: q is the column itself, and the rest of the column is its carry. */
function cancelPair(body: Body, columns: Local<'i32'>, carry: Local<'v128'>): Quotients {
  const radixInverse = constant(body, 'radixInverse');
  const m = body.let(v128.load(i32.const(layout.modulus)));
  const even = body.let(f64x2.add(v128.load(columns), carry));
  const evenCarry = rounded(body, even);
  const x0 = body.let(twice(f64x2.sub(even, evenCarry)));
  const evenDone = body.let(f64x2.add(even, f64x2.mul(x0, m)));
  const odd = body.let(v128.load(columns, layout.odd));
  const joined = f64x2.add(odd, f64x2.mul(evenCarry, radixInverse));
  const column = body.let(f64x2.add(joined, across(evenDone, evenDone)));
  const columnCarry = rounded(body, column);
  const x1 = body.let(twice(f64x2.sub(column, columnCarry)));
  const oddDone = body.let(f64x2.add(odd, f64x2.mul(x1, m)));
  const left = f64x2.add(across(oddDone, ZERO), f64x2.mul(columnCarry, radixInverse));
  body.set(carry, lows(left, ZERO));
  return { x0, x1, pending: ZERO };
}

/** The nearest multiple of 2^24 */
function rounded(body: Body, x: V128): V128 {
  const rounder = constant(body, 'rounder');
  return body.let(f64x2.sub(f64x2.add(x, rounder), rounder));
}

/** The state of a round of carries, from column to column. */
interface Round {
  readonly from: Local<'i32'>;
  readonly to: Local<'i32'>;
  /** The preceding odd columns, in the high lane; absent if odd columns are not joined */
  readonly odd?: Local<'v128'>;
  readonly carried: Local<'v128'>;
}

/**
 * Splits one pair of columns, joined with the odd ones (which become 0), and passes the carry of each to the
 * next only.
 *
 * @param isTop the high column keeps its own carry
 */
function carryPair(body: Body, { from, to, odd, carried }: Round, isTop = false): void {
  const even = v128.load(from);
  const nextOdd = body.let(v128.load(from, layout.odd));
  const column = body.let(odd === undefined ? even : f64x2.add(even, across(odd, nextOdd)));
  const whole = rounded(body, column);
  const taken = isTop ? body.let(lows(whole, ZERO)) : whole;
  const next = body.let(f64x2.mul(taken, constant(body, 'radixInverse')));
  if (odd !== undefined) {
    body.store(from, ZERO, layout.odd);
    body.set(odd, nextOdd);
  }
  body.store(to, f64x2.add(f64x2.sub(column, taken), across(carried, next)));
  body.set(carried, next);
  body.set(from, i32.add(from, 16));
  body.set(to, i32.add(to, 16));
}

/** One round of carries; the first column gets none. */
function relieve(body: Body, columns: Expr<'i32'>, pairs: I32): void {
  const round = { ...newRound(body, columns, columns), odd: body.local('v128', ZERO) };
  const count = body.local('i32', pairs);
  body.loop(count, () => carryPair(body, round));
  // The column after the last pair: its odd part was in the last pair's high lane.
  const rest = f64x2.add(across(round.odd, ZERO), across(round.carried, ZERO));
  body.store(round.from, f64x2.add(v128.load(round.from), rest));
}

/** Two rounds of carries: columns below 2^53, then 2^30, then limbs. */
function settle(
  body: Body,
  columns: Local<'i32'>,
  carry: Local<'v128'>,
  target: Local<'i32'>,
  pairs: I32,
): void {
  const first = { ...newRound(body, columns, columns), odd: body.local('v128', twice(carry)) };
  const second = newRound(body, columns, target);
  for (const round of [first, second]) {
    const count = body.local('i32', i32.sub(pairs, 1));
    body.loop(count, () => carryPair(body, round));
    carryPair(body, round, true);
  }
}

function newRound(body: Body, from: Expr<'i32'>, to: Expr<'i32'>): Round {
  const carried = body.local('v128', ZERO);
  return { from: body.local('i32', from), to: body.local('i32', to), carried };
}
