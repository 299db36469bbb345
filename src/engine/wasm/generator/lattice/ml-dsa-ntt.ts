/**
 * The number-theoretic transform of ML-DSA (FIPS 204, section 7.5) in place, and sums of products of transformed
 * polynomials.
 *
 * Eight layers of butterflies: three on eight vectors that are far from each other, five on eight neighbours, of which the last two
 * are on transposed vectors. Transformed polynomials stay so: of each 16 coefficients, vector i has those of places i, i + 4,
 * i + 8 and i + 12. No format shows them.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32x4, i64x2, v128 } from '../dsl/expression.ts';
import type { I32, V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { transpose32 } from '../dsl/transpose.ts';
import { ZERO } from '../dsl/words.ts';
import { bitReversed } from './bit-reversal.ts';
import {
  FACTOR_BYTES,
  factorBytes,
  fieldOf,
  MONTGOMERY,
  power,
  times,
  VECTORS,
} from './ml-dsa-field.ts';
import type { Factor, Field } from './ml-dsa-field.ts';
import { FORWARD, INVERSE, POLYNOMIAL_BYTES } from './ml-dsa-layout.ts';
import { advance } from './statements.ts';

/** ζ, a root of unity of order 512 */
const ROOT = 1_753;
/** R / 256, by which the inverse ends: its operands are products over R. */
const SCALE = times(8_347_681, MONTGOMERY);

/** Factors of the layers on eight vectors, and those of one block of neighbours. */
const FIRST_FACTORS = 7;
const BLOCK_FACTORS = 13;
const BLOCKS = 8;
/** Between the vectors of the first layers, and the length of a block of neighbours. */
const FAR = 128;

/** ζ^BitRev₈(i) (appendix B) */
const zeta = (i: number): number => power(ROOT, bitReversed(i, 8));

/** @param of the factor of place i of the layer whose first one is `base` */
function factorTable(of: (base: number, i: number) => number, last: number): number[] {
  const whole = (word: number): number[] => factorBytes([word, word, word, word]);
  const first = [1, 2, 4].flatMap((base) =>
    Array.from({ length: base }, (_, i) => whole(of(base, i))),
  );
  const quads = [0, 1, 2, 3];
  const blocks = Array.from({ length: BLOCKS }, (_, t) => [
    whole(of(8, t)),
    ...[0, 1].map((i) => whole(of(16, 2 * t + i))),
    ...quads.map((i) => whole(of(32, 4 * t + i))),
    ...[0, 4].flatMap((group) => [
      factorBytes(quads.map((quad) => of(64, 8 * t + group + quad))),
      ...[0, 1].map((half) =>
        factorBytes(quads.map((quad) => of(128, 2 * (8 * t + group + quad) + half))),
      ),
    ]),
  ]);
  return [...first, ...blocks.flat(), whole(last)].flat();
}

/** Adds `ntt(at)`, `inverse(at)` and `multiply(row, vector, count, to)`, and their constants. */
export function nttFunctions(module: ModuleText): void {
  module.data(
    FORWARD,
    factorTable((base, i) => zeta(base + i), 1),
  );
  // Algorithm 42 takes the same zetas backwards and negated. The scale is in the factors of the last layer.
  const inverse = (base: number, i: number): number => {
    const factor = zeta(2 * base - 1 - i);
    return base === 1 ? times(factor, SCALE) : factor;
  };
  module.data(INVERSE, factorTable(inverse, SCALE));
  const params = { at: 'i32' } as const;
  module.func('ntt', { params, exported: false }, (body, { at }) => {
    const field = fieldOf(body);
    const pointer = body.local('i32', at);
    const groups = body.local('i32', BLOCKS);
    body.loop(groups, () => forwardFar(body, field, pointer));
    const table = body.local('i32', FORWARD + FACTOR_BYTES * FIRST_FACTORS);
    const blocks = body.local('i32', BLOCKS);
    body.loop(blocks, () => {
      forwardNear(body, field, at, table);
      advance(body, [at], FAR);
      advance(body, [table], FACTOR_BYTES * BLOCK_FACTORS);
    });
  });
  module.func('inverse', { params, exported: false }, (body, { at }) => {
    const field = fieldOf(body);
    const pointer = body.local('i32', at);
    const table = body.local('i32', INVERSE + FACTOR_BYTES * FIRST_FACTORS);
    const blocks = body.local('i32', BLOCKS);
    body.loop(blocks, () => {
      inverseNear(body, field, pointer, table);
      advance(body, [pointer], FAR);
      advance(body, [table], FACTOR_BYTES * BLOCK_FACTORS);
    });
    const groups = body.local('i32', BLOCKS);
    body.loop(groups, () => inverseFar(body, field, at));
  });
  multiplyFunction(module);
}

function factorAt(body: Body, pointer: I32, place: number, index: number): Factor {
  const offset = place + FACTOR_BYTES * index;
  return {
    value: body.let(v128.load(pointer, offset)),
    overQ: body.let(v128.load(pointer, offset + 16)),
  };
}

/** Of algorithm 41, lines 10 to 12: each layer adds at most 0.75 q to a word. */
function butterfly(
  body: Body,
  field: Field,
  v: V128[],
  [i, j]: readonly [number, number],
  factor: Factor,
): void {
  const [a, t] = [v[i]!, field.product(v[j]!, factor)];
  v[i] = body.let(i32x4.add(a, t));
  v[j] = body.let(i32x4.sub(a, t));
}

/** Of algorithm 42, lines 10 to 13: the sum doubles the bound, 0.75 q at first, which stays below 2^31 in eight layers. */
function inverseButterfly(
  body: Body,
  field: Field,
  v: V128[],
  [i, j]: readonly [number, number],
  factor: Factor,
): void {
  const [a, b] = [v[i]!, v[j]!];
  v[i] = body.let(i32x4.add(a, b));
  v[j] = field.product(i32x4.sub(b, a), factor);
}

type Place = readonly [number, number, number];

/** Vectors of each butterfly, and the index of its factor, in layers of eight vectors: far, and near. */
const EIGHT: readonly (readonly Place[])[] = [
  [0, 1, 2, 3].map((i): Place => [i, i + 4, 0]),
  [0, 1, 4, 5].map((i): Place => [i, i + 2, i < 4 ? 1 : 2]),
  [0, 2, 4, 6].map((i): Place => [i, i + 1, 3 + i / 2]),
];
/** The layers of lengths 2 and 1 on four transposed vectors. */
const FOUR: readonly (readonly Place[])[] = [
  [
    [0, 2, 0],
    [1, 3, 0],
  ],
  [
    [0, 1, 1],
    [2, 3, 2],
  ],
];

const loadEight = (body: Body, at: I32, stride: number): V128[] =>
  Array.from({ length: 8 }, (_, i) => body.let(v128.load(at, stride * i)));

/** Lengths 128, 64 and 32, on every eighth vector. */
function forwardFar(body: Body, field: Field, pointer: Local<'i32'>): void {
  const v = loadEight(body, pointer, FAR);
  for (const layer of EIGHT) {
    for (const [i, j, index] of layer) {
      butterfly(body, field, v, [i, j], factorAt(body, 0, FORWARD, index));
    }
  }
  v.forEach((vector, i) => body.store(pointer, vector, FAR * i));
  advance(body, [pointer], 16);
}

/** Lengths 16, 8 and 4 on eight vectors, and 2 and 1 on four and four: at most 7 q. */
function forwardNear(body: Body, field: Field, at: I32, table: I32): void {
  const v = loadEight(body, at, 16);
  const apply = (vectors: V128[], layers: readonly (readonly Place[])[], first: number): void => {
    for (const [i, j, index] of layers.flat()) {
      butterfly(body, field, vectors, [i, j], factorAt(body, table, 0, first + index));
    }
  };
  apply(v, EIGHT, 0);
  for (const half of [0, 1]) {
    const rows = transpose32(body, v.slice(4 * half, 4 * half + 4));
    apply(rows, FOUR, 7 + 3 * half);
    rows.forEach((row, i) => body.store(at, row, 64 * half + 16 * i));
  }
}

function inverseNear(body: Body, field: Field, at: I32, table: I32): void {
  const apply = (vectors: V128[], layers: readonly (readonly Place[])[], first: number): void => {
    for (const [i, j, index] of layers.toReversed().flat()) {
      inverseButterfly(body, field, vectors, [i, j], factorAt(body, table, 0, first + index));
    }
  };
  const v = [0, 1].flatMap((half) => {
    const rows = [0, 1, 2, 3].map((i) => body.let(v128.load(at, 64 * half + 16 * i)));
    apply(rows, FOUR, 7 + 3 * half);
    return transpose32(body, rows);
  });
  apply(v, EIGHT, 0);
  v.forEach((vector, i) => body.store(at, vector, 16 * i));
}

/** The last layer's results are both products: at most 0.75 q. */
function inverseFar(body: Body, field: Field, pointer: Local<'i32'>): void {
  const v = loadEight(body, pointer, FAR);
  for (const layer of EIGHT.toReversed()) {
    for (const [i, j, index] of layer) {
      inverseButterfly(body, field, v, [i, j], factorAt(body, 0, INVERSE, index));
    }
  }
  const scale = factorAt(body, 0, INVERSE, FIRST_FACTORS + BLOCKS * BLOCK_FACTORS);
  for (const i of [0, 1, 2, 3]) v[i] = field.product(v[i]!, scale);
  v.forEach((vector, i) => body.store(pointer, vector, FAR * i));
  advance(body, [pointer], 16);
}

/**
 * `multiply(row, vector, count, to)`: the sum of the products of `count` polynomials and as many others, over R: at most
 * 0.75 q. Sums stay below 90 q²: seven products of Â and 7 q, and one of two transformed polynomials.
 */
function multiplyFunction(module: ModuleText): void {
  const params = { row: 'i32', vector: 'i32', count: 'i32', to: 'i32' } as const;
  module.func('multiply', { params, exported: false }, (body, { row, vector, count, to }) => {
    const field = fieldOf(body);
    const vectors = body.local('i32', VECTORS);
    body.loop(vectors, () => {
      const [low, high] = [body.local('v128', ZERO), body.local('v128', ZERO)];
      const [from, other] = [body.local('i32', row), body.local('i32', vector)];
      const rest = body.local('i32', count);
      body.loop(rest, () => {
        const [a, b] = [body.let(v128.load(from)), body.let(v128.load(other))];
        body.set(low, i64x2.add(low, i64x2.extmulLowS(a, b)));
        body.set(high, i64x2.add(high, i64x2.extmulHighS(a, b)));
        advance(body, [from, other], POLYNOMIAL_BYTES);
      });
      body.store(to, field.reducedProducts({ low, high }));
      advance(body, [row, vector, to], 16);
    });
  });
}
