/**
 * The number-theoretic transform of ML-KEM (FIPS 203, section 4.3) in place, and products of transformed polynomials.
 *
 * Seven layers of butterflies: three on eight vectors that are far from each other, four on four neighbours, where the last two
 * layers exchange words within vectors. A product of pairs modulo X² − γ is two sums of two products, each one
 * instruction (`i32x4.dot_i16x8_s`), if one operand is prepared: as (s₀, γ s₁) and as (s₁, s₀).
 */
import type { Body, Local } from '../dsl/body.ts';
import { i16x8, i32, i32x4, i8x16, v128 } from '../dsl/expression.ts';
import type { I32, V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { shuffle32 } from '../dsl/words.ts';
import { bitReversed } from './bit-reversal.ts';
import {
  bytesOfWords,
  FACTOR_BYTES,
  factorBytes,
  fieldOf,
  POLYNOMIAL_BYTES,
  power,
  Q,
  VECTORS,
} from './ml-kem-field.ts';
import type { Factor, Field } from './ml-kem-field.ts';
import { FORWARD, INVERSE, PAIRS, PREPARED } from './ml-kem-layout.ts';
import { advance } from './statements.ts';

/** ζ, a root of unity of order 256 */
const ROOT = 17;
/** 1 / 128, by which the inverse ends */
const SCALE = 3_303;
/** 2^16, by which Montgomery's reduction divides, and 1 / q modulo 2^16 */
const MONTGOMERY = 2 ** 16 % Q;
const Q_INVERSE = -3_327;

/** Factors of the layers on eight vectors, and those of one block of four. */
const FIRST_FACTORS = 7;
const BLOCK_FACTORS = 7;
const BLOCKS = 8;

/** ζ^BitRev₇(i) (appendix A) */
const zeta = (i: number): number => power(ROOT, bitReversed(i, 7));

/** @param of the zeta of place i of the layer whose first one is `base` */
function factorTable(of: (base: number, i: number) => number, last: number): number[] {
  const whole = (word: number): number[] => Array.from({ length: 8 }, () => word);
  const first = [1, 2, 4].flatMap((base) =>
    Array.from({ length: base }, (_, i) => factorBytes(whole(of(base, i)))),
  );
  const blocks = Array.from({ length: BLOCKS }, (_, t) => [
    factorBytes(whole(of(8, t))),
    ...[0, 1].map((i) => factorBytes(whole(of(16, 2 * t + i)))),
    // Words 0 to 3 of both halves of a layer: of the two vectors that were mixed
    ...[0, 2].map((i) =>
      factorBytes([0, 0, 0, 0, 1, 1, 1, 1].map((word) => of(32, 4 * t + i + word))),
    ),
    ...[0, 4].map((i) =>
      factorBytes([0, 0, 2, 2, 1, 1, 3, 3].map((word) => of(64, 8 * t + i + word))),
    ),
  ]);
  const scale = factorBytes(whole(last));
  return [...first, ...blocks.flat(), scale].flat();
}

/** Adds `ntt(at)`, `inverse(at)`, `prepare(from, to)` and `multiply(row, stride, count, to)`, and their constants. */
export function nttFunctions(module: ModuleText): void {
  module.data(
    FORWARD,
    factorTable((base, i) => zeta(base + i), 1),
  );
  // Algorithm 10 takes the same zetas backwards. The scale is in the factors of the last layer, and in one for sums.
  const inverse = (base: number, i: number): number => {
    const factor = zeta(2 * base - 1 - i);
    return base === 1 ? (factor * SCALE) % Q : factor;
  };
  module.data(INVERSE, factorTable(inverse, SCALE));
  module.data(PAIRS, pairFactors());
  const params = { at: 'i32' } as const;
  module.func('ntt', { params, exported: false }, (body, { at }) => {
    const field = fieldOf(body);
    const pointer = body.local('i32', at);
    const groups = body.local('i32', 4);
    body.loop(groups, () => forwardFar(body, field, pointer));
    const table = body.local('i32', FORWARD + FACTOR_BYTES * FIRST_FACTORS);
    const blocks = body.local('i32', BLOCKS);
    body.loop(blocks, () => {
      forwardNear(body, field, at, table);
      body.set(at, i32.add(at, 64));
      body.set(table, i32.add(table, FACTOR_BYTES * BLOCK_FACTORS));
    });
  });
  module.func('inverse', { params, exported: false }, (body, { at }) => {
    const field = fieldOf(body);
    const pointer = body.local('i32', at);
    const table = body.local('i32', INVERSE + FACTOR_BYTES * FIRST_FACTORS);
    const blocks = body.local('i32', BLOCKS);
    body.loop(blocks, () => {
      inverseNear(body, field, pointer, table);
      body.set(pointer, i32.add(pointer, 64));
      body.set(table, i32.add(table, FACTOR_BYTES * BLOCK_FACTORS));
    });
    const groups = body.local('i32', 4);
    body.loop(groups, () => inverseFar(body, field, at));
  });
  prepareFunction(module);
  multiplyFunction(module);
}

function factorAt(body: Body, pointer: I32, place: number, index: number): Factor {
  const offset = place + FACTOR_BYTES * index;
  return {
    value: body.let(v128.load(pointer, offset)),
    quotient: body.let(v128.load(pointer, offset + 16)),
  };
}

/** Of algorithm 9, lines 9 to 11: each layer adds at most q (1/2 + |b| / 2^16) to a word. */
function butterfly(
  body: Body,
  field: Field,
  v: V128[],
  [i, j]: readonly [number, number],
  factor: Factor,
): void {
  const [a, t] = [v[i]!, field.product(v[j]!, factor)];
  v[i] = body.let(i16x8.add(a, t));
  v[j] = body.let(i16x8.sub(a, t));
}

/** Lengths 128, 64 and 32, on every fourth vector. */
function forwardFar(body: Body, field: Field, pointer: Local<'i32'>): void {
  const at: I32 = pointer;
  const v = Array.from({ length: 8 }, (_, i) => body.let(v128.load(at, 64 * i)));
  farLayers.forEach((layer) =>
    layer.forEach(([i, j, index]) =>
      butterfly(body, field, v, [i, j], factorAt(body, 0, FORWARD, index)),
    ),
  );
  v.forEach((vector, i) => body.store(at, vector, 64 * i));
  body.set(pointer, i32.add(at, 16));
}

/** Vectors of each butterfly, and the index of its factor: lengths 128, 64, 32. */
const farLayers: readonly (readonly (readonly [number, number, number])[])[] = [
  [0, 1, 2, 3].map((i) => [i, i + 4, 0] as const),
  [0, 1, 4, 5].map((i) => [i, i + 2, i < 4 ? 1 : 2] as const),
  [0, 2, 4, 6].map((i) => [i, i + 1, 3 + i / 2] as const),
];

/** The words of two vectors, ordered for the layers of lengths 4 and 2: halves, and pairs of words. */
const HALVES = [
  [0, 1, 4, 5],
  [2, 3, 6, 7],
] as const;
const PAIRS_OF_HALVES = [
  [0, 2, 4, 6],
  [1, 3, 5, 7],
] as const;
const PAIRS_OF_VECTORS = [
  [0, 4, 2, 6],
  [1, 5, 3, 7],
] as const;
const HALVES_OF_PAIRS = [
  [0, 4, 1, 5],
  [2, 6, 3, 7],
] as const;

function exchange(
  body: Body,
  a: V128,
  b: V128,
  orders: readonly [readonly number[], readonly number[]],
): V128[] {
  return orders.map((order) => body.let(shuffle32(a, b, order)));
}

/** Lengths 16, 8, 4 and 2, on four vectors: at most 8 q. */
function forwardNear(body: Body, field: Field, at: I32, table: I32): void {
  const v = Array.from({ length: 4 }, (_, i) => body.let(v128.load(at, 16 * i)));
  const factor = (index: number): Factor => factorAt(body, table, 0, index);
  const long = factor(0);
  for (const i of [0, 1]) butterfly(body, field, v, [i, i + 2], long);
  for (const i of [0, 1]) butterfly(body, field, v, [2 * i, 2 * i + 1], factor(1 + i));
  for (const i of [0, 1]) {
    const halves = exchange(body, v[2 * i]!, v[2 * i + 1]!, HALVES);
    butterfly(body, field, halves, [0, 1], factor(3 + i));
    const pairs = exchange(body, halves[0]!, halves[1]!, PAIRS_OF_HALVES);
    butterfly(body, field, pairs, [0, 1], factor(5 + i));
    exchange(body, pairs[0]!, pairs[1]!, PAIRS_OF_VECTORS).forEach((vector, j) =>
      body.store(at, vector, 32 * i + 16 * j),
    );
  }
}

/** Of algorithm 10, lines 9 to 11: the sum doubles the bound, the difference has that of a product. */
function inverseButterfly(
  body: Body,
  field: Field,
  v: V128[],
  [i, j]: readonly [number, number],
  factor: Factor,
): void {
  const [a, b] = [v[i]!, v[j]!];
  v[i] = body.let(i16x8.add(a, b));
  v[j] = field.product(i16x8.sub(b, a), factor);
}

/** Lengths 2, 4, 8 and 16. Words of at most 0.66 q double in three layers to 5.3 q, are reduced, and become 1.6 q. */
function inverseNear(body: Body, field: Field, at: I32, table: I32): void {
  const v = Array.from({ length: 4 }, (_, i) => body.let(v128.load(at, 16 * i)));
  const factor = (index: number): Factor => factorAt(body, table, 0, index);
  for (const i of [0, 1]) {
    const pairs = exchange(body, v[2 * i]!, v[2 * i + 1]!, PAIRS_OF_VECTORS);
    inverseButterfly(body, field, pairs, [0, 1], factor(5 + i));
    const halves = exchange(body, pairs[0]!, pairs[1]!, HALVES_OF_PAIRS);
    inverseButterfly(body, field, halves, [0, 1], factor(3 + i));
    v.splice(2 * i, 2, ...exchange(body, halves[0]!, halves[1]!, HALVES));
  }
  for (const i of [0, 2]) {
    inverseButterfly(body, field, v, [i, i + 1], factor(1 + i / 2));
    v[i] = field.reduced(v[i]!);
  }
  const long = factor(0);
  for (const i of [0, 1]) inverseButterfly(body, field, v, [i, i + 2], long);
  v.forEach((vector, i) => body.store(at, vector, 16 * i));
}

/** Lengths 32, 64 and 128: 3.2 q, 6.4 q, reduced, and both results of the last layer are products. */
function inverseFar(body: Body, field: Field, pointer: Local<'i32'>): void {
  const at: I32 = pointer;
  const v = Array.from({ length: 8 }, (_, i) => body.let(v128.load(at, 64 * i)));
  const apply = (layer: number): void =>
    farLayers[layer]!.forEach(([i, j, index]) =>
      inverseButterfly(body, field, v, [i, j], factorAt(body, 0, INVERSE, index)),
    );
  apply(2);
  apply(1);
  for (const i of [0, 1, 4, 5]) v[i] = field.reduced(v[i]!);
  apply(0);
  const scale = factorAt(body, 0, INVERSE, FIRST_FACTORS + BLOCKS * BLOCK_FACTORS);
  for (const i of [0, 1, 2, 3]) v[i] = field.product(v[i]!, scale);
  v.forEach((vector, i) => body.store(at, vector, 64 * i));
  body.set(pointer, i32.add(at, 16));
}

/** For each vector of four pairs: (R, γ R), R = 2^16, and then (R, R) once (algorithm 12). */
function pairFactors(): number[] {
  const gamma = (pair: number): number => power(ROOT, 2 * bitReversed(pair, 7) + 1);
  const vectors = Array.from({ length: VECTORS }, (_, i) =>
    factorBytes([0, 1, 2, 3].flatMap((j) => [MONTGOMERY, (gamma(4 * i + j) * MONTGOMERY) % Q])),
  );
  const plain = factorBytes(Array.from({ length: 8 }, () => MONTGOMERY));
  return [...vectors, plain].flat();
}

/** The words of each pair exchanged. */
const SWAPPED = [2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13];

/** `prepare(from, to)`: a transformed polynomial for `multiply`, in two polynomials; each word below q. */
function prepareFunction(module: ModuleText): void {
  const params = { from: 'i32', to: 'i32' } as const;
  module.func('prepare', { params, exported: false }, (body, { from, to }) => {
    const field = fieldOf(body);
    const plain = factorAt(body, 0, PAIRS, VECTORS);
    const table = body.local('i32', PAIRS);
    const count = body.local('i32', VECTORS);
    body.loop(count, () => {
      const s = body.let(v128.load(from));
      body.store(to, field.product(s, factorAt(body, table, 0, 0)));
      const product = field.product(s, plain);
      body.store(to, i8x16.shuffle(product, product, SWAPPED), POLYNOMIAL_BYTES);
      advance(body, [from, to], 16);
      body.set(table, i32.add(table, FACTOR_BYTES));
    });
  });
}

const EVEN = (word: number): V128 => v128.const(bytesOfWords([word, 0, word, 0, word, 0, word, 0]));

/**
 * `multiply(row, stride, count, to)`: the sum of the products of `count` polynomials, each `stride` after the one before,
 * and those in PREPARED: at most 0.66 q. Words of up to 2^15 have sums below 2^31.
 */
function multiplyFunction(module: ModuleText): void {
  const params = { row: 'i32', stride: 'i32', count: 'i32', to: 'i32' } as const;
  module.func('multiply', { params, exported: false }, (body, { row, stride, count, to }) => {
    const field = fieldOf(body);
    const inverse = EVEN(Q_INVERSE);
    const q = EVEN(Q);
    // Montgomery's reduction: the low half becomes zero, and the high one is the result.
    const reduced = (sum: V128): V128 =>
      body.let(i32x4.sub(sum, i32x4.dot(i16x8.mul(sum, inverse), q)));
    const place = body.local('i32', PREPARED);
    const vectors = body.local('i32', VECTORS);
    body.loop(vectors, () => {
      const even = body.local('v128', v128.const(new Uint8Array(16)));
      const odd = body.local('v128', v128.const(new Uint8Array(16)));
      const from = body.local('i32', row);
      const prepared = body.local('i32', place);
      const rest = body.local('i32', count);
      body.loop(rest, () => {
        const a = body.let(v128.load(from));
        body.set(even, i32x4.add(even, i32x4.dot(a, v128.load(prepared))));
        body.set(odd, i32x4.add(odd, i32x4.dot(a, v128.load(prepared, POLYNOMIAL_BYTES))));
        body.set(from, i32.add(from, stride));
        body.set(prepared, i32.add(prepared, 2 * POLYNOMIAL_BYTES));
      });
      const [low, high] = [i32x4.shrU(reduced(even), 16), reduced(odd)];
      body.store(to, field.reduced(v128.or(low, high)));
      advance(body, [row, place, to], 16);
    });
  });
}
