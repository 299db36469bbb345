/**
 * Montgomery multiplication and squaring, whatever the limbs are: the order of the work.
 *
 * Columns lie in pairs twice: in pairs that begin at even limbs and in pairs that begin at odd
 * ones. A pair of limbs times an even limb belongs to the former, times an odd limb to the latter
 * (halves of products above 2^limbBits the other way round): no product moves between lanes.
 *
 * As in src/crypto/bigint/kernel.ts there is no final subtraction: balanced q keeps |result| below
 * N where R ≥ 8 · N and |a · b| ≤ 2 · N². Addresses and loops depend on `pairs` and offsets only.
 */
import type { Body, Local } from '../kernel/body.ts';
import type { Expr, I32, V128 } from '../kernel/expression.ts';
import { i32, v128 } from '../kernel/expression.ts';
import type { ModuleText } from '../kernel/module.ts';
import { f64x2, ZERO } from './montgomery-lanes.ts';
import type { MontgomeryLayout } from './montgomery-layout.ts';

/** Rows of products of two limbs with pairs of limbs. */
export interface Rows {
  /** An even limb and the odd one after it, each in both lanes */
  readonly x0: V128;
  readonly x1: V128;
  /** A pair of limbs, and the pair of even columns where its product with x0 begins */
  readonly from: Local<'i32'>;
  readonly to: Local<'i32'>;
  /** What the next pair of even columns still has to get */
  readonly pending: Local<'v128'>;
}

/** The arithmetic of one size of limb. */
export interface Arithmetic {
  readonly layout: MontgomeryLayout;
  /** Rows between two relieves, 0 for none: multiplying, squaring */
  readonly relieveAfter: { readonly multiply: number; readonly square: number };
  /** Adds the products of two limbs and one pair, and goes on to the next pair. */
  addPair(body: Body, rows: Rows): void;
  /** Adds what is pending where rows end. */
  endRows(body: Body, rows: Rows): void;
  /**
   * Finds two limbs of q from the two lowest columns, and adds to these the products with the
   * lowest pair of N, which makes them divisible; what is left of them is the new carry (low lane).
   */
  cancelPair(
    body: Body,
    columns: Local<'i32'>,
    carry: Local<'v128'>,
  ): Pick<Rows, 'x0' | 'x1' | 'pending'>;
  /** Carries within the columns, before sums get too large. */
  relieve(body: Body, columns: Expr<'i32'>, carry: Local<'v128'>, pairs: I32): void;
  /** Turns columns into limbs. The topmost leaves no carry, as the result is below N. */
  settle(
    body: Body,
    columns: Local<'i32'>,
    carry: Local<'v128'>,
    target: Local<'i32'>,
    pairs: I32,
  ): void;
}

export function addProducts(module: ModuleText, arithmetic: Arithmetic): void {
  const { layout, relieveAfter } = arithmetic;
  const params = { target: 'i32', pairs: 'i32' } as const;

  // target = a · b / R modulo N
  module.func('multiply', { params: { a: 'i32', b: 'i32', ...params } }, (body, args) => {
    const { a, b, target, pairs } = args;
    begin(body, layout, layout.biasMultiply, pairs);
    const rows = (row: I32, columns: Local<'i32'>): void => {
      const at = body.local('i32', row);
      const x0 = body.let(v128.load64splat(at));
      const x1 = body.let(v128.load64splat(at, 8));
      const from = body.local('i32', b);
      const to = body.local('i32', columns);
      const pending = body.local('v128', ZERO);
      addRows(body, arithmetic, { x0, x1, from, to, pending }, endOf(b, pairs));
    };
    reduce(body, arithmetic, { a, pairs, target, rows, relieveAfter: relieveAfter.multiply });
  });

  // target = a² / R modulo N
  module.func('square', { params: { a: 'i32', ...params } }, (body, args) => {
    const { a, target, pairs } = args;
    begin(body, layout, layout.biasSquare, pairs);
    const rows = (row: I32, columns: Local<'i32'>): void => {
      const from = body.local('i32', row);
      // The square of these two limbs begins at twice their column.
      const to = body.local('i32', i32.add(columns, i32.sub(from, a)));
      const pending = body.local('v128', ZERO);
      const x0 = body.local('v128', v128.load64splat(from));
      const x1 = body.local('v128', v128.load64splat(from, 8));
      arithmetic.addPair(body, { x0, x1, from, to, pending });
      // Products with limbs before these were added, doubled, in earlier rows.
      body.set(x0, f64x2.add(x0, x0));
      body.set(x1, f64x2.add(x1, x1));
      addRows(body, arithmetic, { x0, x1, from, to, pending }, endOf(a, pairs));
    };
    reduce(body, arithmetic, { a, pairs, target, rows, relieveAfter: relieveAfter.square });
  });
}

/** Columns begin with their biases. */
function begin(body: Body, { odd, columns }: MontgomeryLayout, bias: number, pairs: I32): void {
  const count = body.local('i32', i32.shl(pairs, 1));
  const at = body.local('i32', 0);
  body.loop(count, () => {
    body.store(at, v128.load(at, bias), columns);
    body.store(at, v128.load(at, bias + odd), columns + odd);
    body.set(at, i32.add(at, 16));
  });
}

function addRows(body: Body, arithmetic: Arithmetic, rows: Rows, end: Expr<'i32'>): void {
  const last = body.let(end);
  body.while(i32.ltU(rows.from, last), () => arithmetic.addPair(body, rows));
  arithmetic.endRows(body, rows);
}

interface Product {
  readonly a: Local<'i32'>;
  readonly pairs: Local<'i32'>;
  readonly target: Local<'i32'>;
  /** Adds the products of the two limbs at `row`; their column 0 is at `columns`. */
  readonly rows: (row: I32, columns: Local<'i32'>) => void;
  readonly relieveAfter: number;
}

/**
 * Alternates rows of the product and rows of q · N, and settles what is left. The products of the
 * next two limbs stand between the two limbs of q and the rows of these: q is a long chain of
 * dependent instructions, which processors work off beside them.
 */
function reduce(body: Body, arithmetic: Arithmetic, product: Product): void {
  const { a, pairs, target, rows, relieveAfter } = product;
  const { layout } = arithmetic;
  const columns = body.local('i32', layout.columns);
  const row = body.local('i32', a);
  const end = body.let(endOf(a, pairs));
  const carry = body.local('v128', ZERO);
  const untilRelief = body.local('i32', relieveAfter / 2);
  rows(row, columns);
  body.while(i32.ltU(row, end), () => {
    if (relieveAfter > 0) {
      body.set(untilRelief, i32.sub(untilRelief, 1));
      body.if(i32.eqz(untilRelief), () => {
        arithmetic.relieve(body, columns, carry, pairs);
        body.set(untilRelief, i32.const(relieveAfter / 2));
      });
    }
    const q = arithmetic.cancelPair(body, columns, carry);
    body.set(row, i32.add(row, 16));
    const next = body.local('i32', i32.add(columns, 16));
    body.if(i32.ltU(row, end), () => rows(row, next));
    const from = body.local('i32', i32.const(layout.modulus + 16));
    const to = body.local('i32', next);
    addRows(body, arithmetic, { ...q, from, to }, endOf(layout.modulus, pairs));
    body.set(columns, next);
  });
  arithmetic.settle(body, columns, carry, target, pairs);
}

function endOf(residue: I32, pairs: I32): Expr<'i32'> {
  return i32.add(residue, i32.shl(pairs, 4));
}
