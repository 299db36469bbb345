/**
 * Montgomery multiplication and squaring for any limbs: the order of the operations.
 *
 * There are two arrays of pairs of columns: pairs that begin at even limbs and pairs that begin at odd ones.
 * A pair of limbs times an even limb belongs to the former, times an odd limb to the latter (halves of
 * products above 2^limbBits the other way round): no product moves between lanes.
 *
 * Instead of the modulus N the kernels use a multiple of it, M, which is -1 modulo 2^limbBits (P. L.
 * Montgomery's inverse is 1 then; H. Orup, "Simplifying quotient determination in high-radix modular
 * multiplication", 1995): each limb of q is the value of the lowest column. M is one limb longer, and results
 * are below M until the last one is reduced below N.
 *
 * As in src/crypto/bigint/kernel.ts there is no final subtraction: balanced q keeps |result| below M if R ≥ 8
 * · M and |a · b| ≤ 2 · M². Addresses and loops depend on `pairs` and offsets only.
 */
import type { Body, Local } from '../dsl/body.ts';
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import { i32, op, v128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { f64x2, ZERO } from './lanes.ts';
import type { MontgomeryLayout } from './layout.ts';

/** Two limbs, and a pair of limbs to multiply them with. */
export interface Factors {
  /** An even limb and the odd one after it, each in both lanes */
  readonly x0: V128;
  readonly x1: V128;
  readonly pair: Local<'i32'>;
}

/** The target of products: a pair of even columns, and a carry for the next pair. */
export interface Columns {
  readonly to: Local<'i32'>;
  readonly pending: Local<'v128'>;
}

/** Two limbs of q, each in both lanes, and the carry for the next pair of even columns. */
export type Quotients = Readonly<Record<'x0' | 'x1' | 'pending', V128>>;

/** The arithmetic of one size of limb, within one function. */
export interface Arithmetic {
  /** Rows between two calls of `relieve`, 0 for none: multiplying, squaring */
  readonly relieveAfter: { readonly multiply: number; readonly square: number };
  /** Adds one or two products, `offset` bytes behind their pairs and columns. */
  addPair(body: Body, factors: readonly Factors[], columns: Columns, offset: number): void;
  /** Adds the pending values at the end of rows. */
  endRows(body: Body, columns: Columns): void;
  /**
   * Computes two limbs of q from the two lowest columns, and adds to these the products with the lowest pair
   * of M, which makes them divisible; their rest is the new carry (low lane).
   */
  cancelPair(body: Body, columns: Local<'i32'>, carry: Local<'v128'>): Quotients;
  /** Propagates carries within the columns, before sums get too large. */
  relieve(body: Body, columns: Expr<'i32'>, pairs: I32): void;
  /** Converts columns to limbs. The topmost has no carry, because the result is below N. */
  settle(
    body: Body,
    columns: Local<'i32'>,
    carry: Local<'v128'>,
    target: Local<'i32'>,
    pairs: I32,
  ): void;
}

/** @param arithmeticOf binds the constants at the beginning of a function */
export function addProducts(
  module: ModuleText,
  layout: MontgomeryLayout,
  arithmeticOf: (body: Body) => Arithmetic,
): void {
  const params = { target: 'i32', pairs: 'i32' } as const;

  // target = a · b / R modulo N
  module.func('multiply', { params: { a: 'i32', b: 'i32', ...params } }, (body, args) => {
    const { a, b, target, pairs } = args;
    const arithmetic = arithmeticOf(body);
    begin(body, layout, layout.biasMultiply, pairs);
    const endOfB = body.let(endOf(b, pairs));
    reduce(body, layout, arithmetic, {
      operands: { a, target, pairs },
      relieveAfter: arithmetic.relieveAfter.multiply,
      rows: (ofM, row, columns, findQ) => {
        const ofA = { x0: v128.load64splat(row), x1: v128.load64splat(row, 8) };
        const factors = { ...bindLimbs(body, ofA), pair: body.local('i32', b) };
        if (ofM === undefined) {
          addPairs(body, arithmetic, [factors], columns, { before: endOfB });
          return;
        }
        addPairs(body, arithmetic, [factors, ofM], columns, 1);
        findQ();
        // The rows of M are one pair ahead, and end one pair before.
        addPairs(body, arithmetic, [factors, ofM], columns, { before: i32.sub(endOfB, 16) });
        addPairs(body, arithmetic, [factors], columns, 1);
      },
    });
  });

  // target = a² / R modulo N
  module.func('square', { params: { a: 'i32', ...params } }, (body, args) => {
    const { a, target, pairs } = args;
    const arithmetic = arithmeticOf(body);
    begin(body, layout, layout.biasSquare, pairs);
    const endOfA = body.let(endOf(a, pairs));
    reduce(body, layout, arithmetic, {
      operands: { a, target, pairs },
      relieveAfter: arithmetic.relieveAfter.square,
      rows: (ofM, row, columns, findQ) => {
        const pair = body.local('i32', row);
        const x0 = body.local('v128', v128.load64splat(row));
        const x1 = body.local('v128', v128.load64splat(row, 8));
        const ofA = { x0, x1, pair };
        // Products with limbs after these count twice; those with limbs before were added in earlier rows.
        const double = (): void => {
          body.set(x0, f64x2.add(x0, x0));
          body.set(x1, f64x2.add(x1, x1));
        };
        if (ofM === undefined) {
          addPairs(body, arithmetic, [ofA], columns, 1);
          double();
          addPairs(body, arithmetic, [ofA], columns, { before: endOfA });
          return;
        }
        addPairs(body, arithmetic, [ofM], columns, 1);
        findQ();
        // The square of these two limbs begins at twice their column, where M's pair has the index of theirs,
        // plus 1. For the last of them there is no pair of M.
        const same = body.let(i32.add(i32.sub(row, a), layout.modulus + 16));
        addPairs(body, arithmetic, [ofM], columns, { before: same });
        const isLast = i32.eq(i32.add(row, 16), endOfA);
        body.if(
          isLast,
          () => addPairs(body, arithmetic, [ofA], columns, 1),
          () => {
            addPairs(body, arithmetic, [ofA, ofM], columns, 1);
            double();
            addPairs(body, arithmetic, [ofA, ofM], columns, { before: i32.sub(endOfA, 16) });
            addPairs(body, arithmetic, [ofA], columns, 1);
          },
        );
      },
    });
  });
}

function bindLimbs(body: Body, { x0, x1 }: Omit<Factors, 'pair'>): Omit<Factors, 'pair'> {
  return { x0: body.let(x0), x1: body.let(x1) };
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

/** Unrolled iterations: each iteration costs some instructions of the loop itself. */
const UNROLLED = 4;

/**
 * Adds products with pair after pair. Advances `pair` and `to`.
 *
 * @param count of pairs, or the end of the first factors' pairs
 */
function addPairs(
  body: Body,
  arithmetic: Arithmetic,
  factors: readonly Factors[],
  columns: Columns,
  count: number | { readonly before: Expr<'i32'> },
): void {
  if (typeof count !== 'number') {
    const [{ pair }] = factors as readonly [Factors];
    const end = body.let(count.before);
    const endOfRuns = body.let(i32.sub(end, 16 * (UNROLLED - 1)));
    body.while(op('i32', 'i32.lt_s', pair, endOfRuns), () =>
      addPairs(body, arithmetic, factors, columns, UNROLLED),
    );
    body.while(i32.ltU(pair, end), () => addPairs(body, arithmetic, factors, columns, 1));
    return;
  }
  for (let i = 0; i < count; i++) arithmetic.addPair(body, factors, columns, 16 * i);
  for (const at of [...factors.map(({ pair }) => pair), columns.to]) {
    body.set(at, i32.add(at, 16 * count));
  }
}

interface Product {
  readonly operands: Readonly<Record<'a' | 'target' | 'pairs', Local<'i32'>>>;
  readonly relieveAfter: number;
  /**
   * Adds the products of the two limbs of a at `row`, together with the rows of q · M that begin one pair
   * earlier (absent for the first row), and computes the next q after the first pair.
   */
  readonly rows: (
    ofM: Factors | undefined,
    row: Local<'i32'>,
    columns: Columns,
    findQ: () => void,
  ) => void;
}

/**
 * Adds rows of the product and rows of q · M in pairs, and settles the result. Computing two limbs of q is a
 * long chain of dependent instructions. It begins as soon as its columns are complete, that is after the
 * first pair of the previous rows, so that processors execute it in parallel with the other pairs.
 */
function reduce(
  body: Body,
  layout: MontgomeryLayout,
  arithmetic: Arithmetic,
  { operands: { a, target, pairs }, relieveAfter, rows }: Product,
): void {
  const lowest = body.local('i32', i32.const(layout.columns));
  const row = body.local('i32', a);
  const carry = body.local('v128', ZERO);
  const to = body.local('i32', lowest);
  const pending = body.local('v128', ZERO);
  const columns = { to, pending };
  const next = [0, 1, 2].map(() => body.local('v128', ZERO)) as Three;
  const q = [0, 1].map(() => body.local('v128', ZERO)) as Two;
  const findQ = (): void => {
    const found = arithmetic.cancelPair(body, lowest, carry);
    body.set(next[0], found.x0);
    body.set(next[1], found.x1);
    body.set(next[2], found.pending);
  };
  /** Advances to the rows of the current q, which begin at the second pair of M. */
  const takeQ = (): Factors => {
    body.set(lowest, i32.add(lowest, 16));
    body.set(to, lowest);
    body.set(q[0], next[0]);
    body.set(q[1], next[1]);
    body.set(pending, next[2]);
    return { x0: q[0], x1: q[1], pair: body.local('i32', i32.const(layout.modulus + 16)) };
  };

  rows(undefined, row, columns, findQ);
  arithmetic.endRows(body, columns);
  findQ();
  const left = body.local('i32', i32.sub(pairs, 1));
  const untilRelief = body.local('i32', i32.const(relieveAfter / 2));
  body.loop(left, () => {
    const ofM = takeQ();
    body.set(row, i32.add(row, 16));
    rows(ofM, row, columns, findQ);
    arithmetic.endRows(body, columns);
    if (relieveAfter > 0) {
      body.set(untilRelief, i32.sub(untilRelief, 1));
      body.if(i32.eqz(untilRelief), () => {
        // The next q is already computed, and its columns are complete.
        arithmetic.relieve(body, i32.add(lowest, 16), pairs);
        body.set(untilRelief, i32.const(relieveAfter / 2));
      });
    }
  });
  const ofM = takeQ();
  const endOfM = endOf(i32.const(layout.modulus), pairs);
  addPairs(body, arithmetic, [ofM], columns, { before: endOfM });
  arithmetic.endRows(body, columns);
  arithmetic.settle(body, lowest, carry, target, pairs);
}

type Two = [Local<'v128'>, Local<'v128'>];
type Three = [Local<'v128'>, Local<'v128'>, Local<'v128'>];

function endOf(residue: I32, pairs: I32): Expr<'i32'> {
  return i32.add(residue, i32.shl(pairs, 4));
}
