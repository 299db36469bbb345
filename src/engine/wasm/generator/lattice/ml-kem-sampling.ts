/**
 * Sampling of ML-KEM (FIPS 203, section 4.2.2): Â from ρ by rejection, and secrets and errors from the centred binomial
 * distribution, two polynomials at a time.
 *
 * Rejection looks tables up and branches by ρ, which is part of the public key. All else is constant-time.
 */
import type { Body } from '../dsl/body.ts';
import { call } from '../dsl/body.ts';
import { i16x8, i32, i32x4, i8x16, v128 } from '../dsl/expression.ts';
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { shuffle32 } from '../dsl/words.ts';
import { bytesOfWords, POLYNOMIAL_BYTES, Q, splat } from './ml-kem-field.ts';
import {
  ACCEPTED,
  MATRIX,
  RHO,
  SAMPLED_0,
  SAMPLED_1,
  SIGMA,
  STREAM_0,
  STREAM_1,
} from './ml-kem-layout.ts';
import { OF_SHAKE, RATE_136, RATE_168 } from './sponges.ts';

const COEFFICIENTS = 256;
/** Eight candidates of 12 bits. */
const GROUP_BYTES = 12;
/** ρ, σ and r in lanes. */
const SEED_LANES = 4;

/** Adds `matrix(rank)` and `noise(to, pairs, first, eta)`. */
export function samplingFunctions(module: ModuleText): void {
  module.data(ACCEPTED, acceptedPlaces());
  rejectionFunction(module);
  matrixFunction(module);
  binomialTwo(module);
  binomialThree(module);
  noiseFunction(module);
}

/** For each set of accepted candidates, a bit each: twice their places, in order. */
function acceptedPlaces(): number[] {
  return Array.from({ length: 256 }, (_, set) => {
    const places = [0, 1, 2, 3, 4, 5, 6, 7].filter((place) => (set >> place) & 1);
    return Array.from({ length: 8 }, (_, i) => 2 * (places[i] ?? 0));
  }).flat();
}

/**
 * `accept(stream, to, count)`: of the candidates of one block of SHAKE128 (algorithm 7) those below q, after the first
 * `count` coefficients; ends at 256, and returns the new count. Up to seven more words are written.
 */
function rejectionFunction(module: ModuleText): void {
  const params = { stream: 'i32', to: 'i32', count: 'i32' } as const;
  const signature = { params, result: 'i32', exported: false } as const;
  module.func('accept', signature, (body, { stream, to, count }) => {
    const end = body.let(i32.add(stream, 8 * RATE_168));
    const isOpen = i32.and(i32.ltU(stream, end), i32.ltU(count, COEFFICIENTS));
    body.while(isOpen, () => {
      const bytes = body.let(v128.load(stream));
      const words = body.let(
        i8x16.shuffle(bytes, bytes, [0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11]),
      );
      const low = v128.const(bytesOfWords([0xfff, 0, 0xfff, 0, 0xfff, 0, 0xfff, 0]));
      const high = v128.const(bytesOfWords([0, 0xfff, 0, 0xfff, 0, 0xfff, 0, 0xfff]));
      const candidates = body.let(
        v128.or(v128.and(words, low), v128.and(i16x8.shrU(words, 4), high)),
      );
      const set = body.let(i16x8.bitmask(i16x8.ltS(candidates, splat(Q))));
      const places = body.let(v128.load64zero(i32.shl(set, 3), ACCEPTED));
      const twice = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7];
      const bytesOf = i8x16.add(i8x16.shuffle(places, places, twice), splat(0x100));
      body.store(i32.add(to, i32.shl(count, 1)), i8x16.swizzle(candidates, bytesOf));
      body.set(count, i32.add(count, i32.popcnt(set)));
      body.set(stream, i32.add(stream, GROUP_BYTES));
    });
    body.result(count);
  });
}

/** `matrix(rank)`: Â by rows (algorithm 13, lines 3 to 7): polynomial (i, j) is sampled from ρ ‖ j ‖ i. */
function matrixFunction(module: ModuleText): void {
  module.func('matrix', { params: { rank: 'i32' }, exported: false }, (body, { rank }) => {
    const tail = body.local('i32', OF_SHAKE << 16);
    const to = body.local('i32', MATRIX);
    // With rank 3, the last polynomial has no companion: its place stays without use.
    const pairs = body.local('i32', i32.shrU(i32.add(i32.mul(rank, rank), 1), 1));
    const next = (): Expr<'i32'> => {
      const own = body.local('i32', tail);
      body.set(tail, i32.add(tail, 1));
      body.if(i32.eq(i32.and(tail, 255), rank), () =>
        body.set(tail, i32.sub(i32.add(tail, 256), rank)),
      );
      return own;
    };
    body.loop(pairs, () => {
      body.call('startPair', RHO, SEED_LANES, next(), next(), RATE_168);
      const first = body.local('i32', 0);
      const second = body.local('i32', 0);
      const isShort = (count: I32): Expr<'i32'> => i32.ltU(count, COEFFICIENTS);
      body.while(i32.or(isShort(first), isShort(second)), () => {
        body.call('permutePair');
        body.call('squeezePair', STREAM_0, STREAM_1, RATE_168);
        body.set(first, call('i32', 'accept', STREAM_0, SAMPLED_0, first));
        body.set(second, call('i32', 'accept', STREAM_1, SAMPLED_1, second));
      });
      body.emit('memory.copy', to, SAMPLED_0, POLYNOMIAL_BYTES);
      body.emit('memory.copy', i32.add(to, POLYNOMIAL_BYTES), SAMPLED_1, POLYNOMIAL_BYTES);
      body.set(to, i32.add(to, 2 * POLYNOMIAL_BYTES));
    });
  });
}

/** A byte in all places. */
const byte = (value: number): V128 => v128.const(Array.from({ length: 16 }, () => value));

/** `binomialTwo(stream, to)`: 256 differences of two bits and two bits (algorithm 8, η = 2), of 128 bytes. */
function binomialTwo(module: ModuleText): void {
  const params = { stream: 'i32', to: 'i32' } as const;
  module.func('binomialTwo', { params, exported: false }, (body, { stream, to }) => {
    const count = body.local('i32', 8);
    body.loop(count, () => {
      const x = body.let(v128.load(stream));
      const bits = (of: V128, shift: number, mask: number): V128 =>
        v128.and(shift === 0 ? of : i16x8.shrU(of, shift), byte(mask));
      const sums = body.let(i8x16.add(bits(x, 0, 0x55), bits(x, 1, 0x55)));
      // 2 + a − b in each half byte, which is never negative
      const differences = body.let(
        i8x16.sub(i8x16.add(bits(sums, 0, 0x33), byte(0x22)), bits(sums, 2, 0x33)),
      );
      const low = body.let(i8x16.sub(bits(differences, 0, 0x0f), byte(2)));
      const high = body.let(i8x16.sub(bits(differences, 4, 0x0f), byte(2)));
      [0, 8].forEach((from, half) => {
        const order = Array.from({ length: 16 }, (_, i) => from + (i >> 1) + (i & 1) * 16);
        const both = body.let(i8x16.shuffle(low, high, order));
        body.store(to, i16x8.extendLowS(both), 32 * half);
        body.store(to, i16x8.extendHighS(both), 32 * half + 16);
      });
      body.set(stream, i32.add(stream, 16));
      body.set(to, i32.add(to, 64));
    });
  });
}

/** `binomialThree(stream, to)`: 256 differences of three bits and three bits (η = 3), of 192 bytes. */
function binomialThree(module: ModuleText): void {
  const params = { stream: 'i32', to: 'i32' } as const;
  module.func('binomialThree', { params, exported: false }, (body, { stream, to }) => {
    const words = (value: number): V128 => i32x4.splat(value);
    const count = body.local('i32', 16);
    body.loop(count, () => {
      const bytes = body.let(v128.load(stream));
      const zeros = byte(0);
      const spread = [0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8, 16, 9, 10, 11, 16];
      const x = body.let(i8x16.shuffle(bytes, zeros, spread));
      const bits = (shift: number): V128 => v128.and(i32x4.shrU(x, shift), words(0x249249));
      const sums = body.let(i32x4.add(i32x4.add(bits(0), bits(1)), bits(2)));
      const sum = (i: number): V128 => v128.and(i32x4.shrU(sums, 3 * i), words(7));
      const difference = (i: number): V128 => body.let(i32x4.sub(sum(2 * i), sum(2 * i + 1)));
      const pair = (i: number): V128 => {
        const [low, high] = [difference(i), difference(i + 1)];
        return body.let(v128.or(v128.and(low, words(0xffff)), i32x4.shl(high, 16)));
      };
      const [first, second] = [pair(0), pair(2)];
      body.store(to, shuffle32(first, second, [0, 4, 1, 5]));
      body.store(to, shuffle32(first, second, [2, 6, 3, 7]), 16);
      body.set(stream, i32.add(stream, 12));
      body.set(to, i32.add(to, 32));
    });
  });
}

/** `noise(to, pairs, first, eta)`: twice as many polynomials, from SIGMA ‖ N for N from `first` on. */
function noiseFunction(module: ModuleText): void {
  const params = { to: 'i32', pairs: 'i32', first: 'i32', eta: 'i32' } as const;
  module.func('noise', { params, exported: false }, (body, { to, pairs, first, eta }) => {
    const both = (name: string): void => {
      body.call(name, STREAM_0, to);
      body.call(name, STREAM_1, i32.add(to, POLYNOMIAL_BYTES));
    };
    body.loop(pairs, () => {
      const tail = (index: I32): Expr<'i32'> => i32.or(index, OF_SHAKE << 8);
      body.call('startPair', SIGMA, SEED_LANES, tail(first), tail(i32.add(first, 1)), RATE_136);
      squeezeBlock(body, 0, RATE_136);
      body.if(
        i32.eq(eta, 2),
        () => both('binomialTwo'),
        () => {
          squeezeBlock(body, 1, RATE_136);
          both('binomialThree');
        },
      );
      body.set(first, i32.add(first, 2));
      body.set(to, i32.add(to, 2 * POLYNOMIAL_BYTES));
    });
  });
}

function squeezeBlock(body: Body, block: number, rate: number): void {
  const offset = 8 * rate * block;
  body.call('permutePair');
  body.call('squeezePair', STREAM_0 + offset, STREAM_1 + offset, rate);
}
