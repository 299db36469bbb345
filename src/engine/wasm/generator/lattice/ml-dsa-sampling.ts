/**
 * Sampling of ML-DSA (FIPS 204, section 7.3): Â from ρ and short vectors from ρ′ by rejection, masks from ρ″, and the
 * challenge from c̃; streams two at a time.
 *
 * Â and the challenge are sampled by branches and addresses of public data. For short vectors, branches and addresses
 * depend on which half bytes of the secret stream are rejected. They say nothing about those that are taken: each half byte
 * is uniform and independent of the others.
 */
import { call } from '../dsl/body.ts';
import type { Body, Local } from '../dsl/body.ts';
import { i16x8, i32, i32x4, i64, i8x16, v128 } from '../dsl/expression.ts';
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { transpose32 } from '../dsl/transpose.ts';
import { Q } from './ml-dsa-field.ts';
import {
  ACCEPTED_EIGHT,
  ACCEPTED_FOUR,
  C,
  CHALLENGE,
  MASK,
  MASK_SEED,
  MATRIX,
  POLYNOMIAL_BYTES,
  RHO,
  SAMPLED_0,
  SAMPLED_1,
  SHORT,
  SHORT_SEED,
  STATE,
  STREAM_0,
  STREAM_1,
} from './ml-dsa-layout.ts';
import { isWide, parameter } from './ml-dsa-parameters.ts';
import { OF_SHAKE, RATE_136, RATE_168 } from './sponges.ts';
import { advance, each } from './statements.ts';

const COEFFICIENTS = 256;
/** Four candidates of 23 bits in 24, and eight of four bits. */
const FOUR_BYTES = 12;
const EIGHT_BYTES = 4;
/** ρ, and ρ′ and ρ″, in lanes. */
const RHO_LANES = 4;
const SEED_LANES = 8;
/** A mask has up to 640 bytes, which are five blocks. */
const MASK_BLOCKS = 5;

/** Adds `matrix(k)`, `shortVectors(k)`, `masks(k, counter)` and `challenge(k)`. */
export function samplingFunctions(module: ModuleText): void {
  module.data(ACCEPTED_FOUR, acceptedPlaces(4, 4));
  module.data(ACCEPTED_EIGHT, acceptedPlaces(8, 1));
  rejectFunction(module);
  matrixFunction(module);
  rejectShortFunction(module);
  shortFunction(module);
  maskFunction(module);
  challengeFunction(module);
}

/** For each set of accepted candidates, a bit each: the bytes of their words, or twice their places; in order. */
function acceptedPlaces(candidates: number, wordBytes: number): number[] {
  const all = Array.from({ length: candidates }, (_, i) => i);
  return Array.from({ length: 2 ** candidates }, (_, set) => {
    const places = all.filter((place) => (set >> place) & 1);
    return all.flatMap((i) => {
      const place = places[i] ?? 0;
      return wordBytes === 1
        ? [2 * place]
        : Array.from({ length: wordBytes }, (_byte, j) => wordBytes * place + j);
    });
  }).flat();
}

/** Three bytes in each word. */
function spread(body: Body, bytes: V128): V128 {
  const zeros = v128.const(new Uint8Array(16));
  return body.let(
    i8x16.shuffle(bytes, zeros, [0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8, 16, 9, 10, 11, 16]),
  );
}

/** While there are candidates in a block, and fewer than 256 coefficients. */
function whileOpen(
  body: Body,
  stream: Local<'i32'>,
  [rate, groupBytes]: readonly [number, number],
  count: I32,
  turn: () => void,
): void {
  const end = body.let(i32.add(stream, 8 * rate));
  body.while(i32.and(i32.ltU(stream, end), i32.ltU(count, COEFFICIENTS)), () => {
    turn();
    advance(body, [stream], groupBytes);
  });
}

/**
 * `accept(stream, to, count)`: of the candidates of one block of SHAKE128 (algorithm 30) those below q, after the first
 * `count` coefficients; ends at 256, and returns the new count. Up to three more words are written.
 */
function rejectFunction(module: ModuleText): void {
  const params = { stream: 'i32', to: 'i32', count: 'i32' } as const;
  const signature = { params, result: 'i32', exported: false } as const;
  module.func('accept', signature, (body, { stream, to, count }) => {
    whileOpen(body, stream, [RATE_168, FOUR_BYTES], count, () => {
      // Algorithm 14: the highest bit of the three bytes does not count.
      const words = spread(body, v128.load(stream));
      const candidates = body.let(v128.and(words, i32x4.splat(0x7fffff)));
      const set = body.let(i32x4.bitmask(i32x4.ltS(candidates, i32x4.splat(Q))));
      const places = v128.load(i32.shl(set, 4), ACCEPTED_FOUR);
      body.store(i32.add(to, i32.shl(count, 2)), i8x16.swizzle(candidates, places));
      advance(body, [count], i32.popcnt(set));
    });
    body.result(count);
  });
}

/** Blocks of two streams, and their candidates, until both polynomials are full. */
function fill(
  body: Body,
  rate: number,
  accept: (stream: number, to: number, count: I32) => Expr<'i32'>,
) {
  const [first, second] = [body.local('i32', 0), body.local('i32', 0)];
  const isShort = (count: I32): Expr<'i32'> => i32.ltU(count, COEFFICIENTS);
  body.while(i32.or(isShort(first), isShort(second)), () => {
    body.call('permutePair');
    body.call('squeezePair', STREAM_0, STREAM_1, rate);
    body.set(first, accept(STREAM_0, SAMPLED_0, first));
    body.set(second, accept(STREAM_1, SAMPLED_1, second));
  });
}

/** `matrix(k)`: Â by rows (algorithm 32), with a free polynomial after each: (r, s) is sampled from ρ ‖ s ‖ r. */
function matrixFunction(module: ModuleText): void {
  const order = { from: 'i32', to: 'i32' } as const;
  // Polynomials are sampled in the transformed domain, whose vectors are transposed here (ml-dsa-ntt.ts).
  module.func('transpose', { params: order, exported: false }, (body, { from, to }) => {
    const count = body.local('i32', COEFFICIENTS / 16);
    body.loop(count, () => {
      const rows = [0, 1, 2, 3].map((i) => body.let(v128.load(from, 16 * i)));
      transpose32(body, rows).forEach((row, i) => body.store(to, row, 16 * i));
      advance(body, [from, to], 64);
    });
  });
  module.func('matrix', { params: { k: 'i32' }, exported: false }, (body, { k }) => {
    const columns = body.let(parameter(k, 'l'));
    const tail = body.local('i32', OF_SHAKE << 16);
    const to = body.local('i32', MATRIX);
    const next = (): Expr<'i32'> => {
      const own = body.local('i32', tail);
      advance(body, [tail], 1);
      body.if(i32.eq(i32.and(tail, 255), columns), () =>
        body.set(tail, i32.sub(i32.add(tail, 256), columns)),
      );
      return own;
    };
    const place = (from: number, own: Expr<'i32'>): void => {
      body.call('transpose', from, to);
      // Past the free polynomial after the last one of a row
      const isLast = i32.eq(i32.add(i32.and(own, 255), 1), columns);
      advance(body, [to], i32.shl(i32.add(isLast, 1), 10));
    };
    // k · l is even.
    const pairs = body.local('i32', i32.shrU(i32.mul(k, columns), 1));
    body.loop(pairs, () => {
      const [first, second] = [next(), next()];
      body.call('startPair', RHO, RHO_LANES, first, second, RATE_168);
      fill(body, RATE_168, (...of) => call('i32', 'accept', ...of));
      place(SAMPLED_0, first);
      place(SAMPLED_1, second);
    });
  });
}

/**
 * `acceptShort(stream, to, count, eta)`: of the half bytes of one block of SHAKE256 (algorithm 31) those that stand for
 * numbers from −η to η (algorithm 15), like `accept`.
 */
function rejectShortFunction(module: ModuleText): void {
  const params = { stream: 'i32', to: 'i32', count: 'i32', eta: 'i32' } as const;
  const signature = { params, result: 'i32', exported: false } as const;
  module.func('acceptShort', signature, (body, { stream, to, count, eta }) => {
    const isTwo = body.let(i32.eq(eta, 2));
    // Below 15 for η = 2, below 9 for η = 4
    const bound = body.let(i16x8.splat(i32.add(9, i32.mul(6, isTwo))));
    const five = body.let(i16x8.splat(i32.mul(5, isTwo)));
    const most = body.let(i16x8.splat(eta));
    whileOpen(body, stream, [RATE_136, EIGHT_BYTES], count, () => {
      const bytes = body.let(v128.load32zero(stream));
      const doubled = [0, 16, 0, 16, 1, 16, 1, 16, 2, 16, 2, 16, 3, 16, 3, 16];
      const words = body.let(i8x16.shuffle(bytes, v128.const(new Uint8Array(16)), doubled));
      const low = v128.const([15, 0, 0, 0, 15, 0, 0, 0, 15, 0, 0, 0, 15, 0, 0, 0]);
      const high = v128.const([0, 0, 15, 0, 0, 0, 15, 0, 0, 0, 15, 0, 0, 0, 15, 0]);
      const halves = body.let(v128.or(v128.and(words, low), v128.and(i16x8.shrU(words, 4), high)));
      const set = body.let(i16x8.bitmask(i16x8.ltS(halves, bound)));
      // η = 2: 2 − (b mod 5), where floor(b / 5) is 13 · b / 2^6 for all b below 15
      const fifths = i16x8.shrU(i16x8.mul(halves, i16x8.splat(13)), 6);
      const values = body.let(i16x8.sub(most, i16x8.sub(halves, i16x8.mul(fifths, five))));
      const places = body.let(v128.load64zero(i32.shl(set, 3), ACCEPTED_EIGHT));
      const twice = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7];
      const bytesOf = i8x16.add(i8x16.shuffle(places, places, twice), i16x8.splat(0x100));
      const taken = body.let(i8x16.swizzle(values, bytesOf));
      const at = body.let(i32.add(to, i32.shl(count, 2)));
      body.store(at, i32x4.extendLowS(taken));
      body.store(at, i32x4.extendHighS(taken), 16);
      advance(body, [count], i32.popcnt(set));
    });
    body.result(count);
  });
}

/** `shortVectors(k)`: s₁ and s₂ (algorithm 33), in pairs; an odd one at the end has no use. */
function shortFunction(module: ModuleText): void {
  module.func('shortVectors', { params: { k: 'i32' }, exported: false }, (body, { k }) => {
    const eta = body.let(parameter(k, 'eta'));
    const tail = body.local('i32', OF_SHAKE << 16);
    const to = body.local('i32', SHORT);
    const pairs = body.local('i32', i32.shrU(i32.add(i32.add(k, parameter(k, 'l')), 1), 1));
    body.loop(pairs, () => {
      body.call('startPair', SHORT_SEED, SEED_LANES, tail, i32.add(tail, 1), RATE_136);
      fill(body, RATE_136, (...of) => call('i32', 'acceptShort', ...of, eta));
      body.emit('memory.copy', to, SAMPLED_0, POLYNOMIAL_BYTES);
      body.emit('memory.copy', i32.add(to, POLYNOMIAL_BYTES), SAMPLED_1, POLYNOMIAL_BYTES);
      advance(body, [tail], 2);
      advance(body, [to], 2 * POLYNOMIAL_BYTES);
    });
  });
}

/** `masks(k, counter)`: y (algorithm 34), in pairs. */
function maskFunction(module: ModuleText): void {
  const params = { k: 'i32', counter: 'i32' } as const;
  module.func('masks', { params, exported: false }, (body, { k, counter }) => {
    const tail = body.local('i32', i32.or(counter, OF_SHAKE << 16));
    const to = body.local('i32', MASK);
    const pairs = body.local('i32', i32.shrU(i32.add(parameter(k, 'l'), 1), 1));
    const both = (name: string): void => {
      body.call(name, STREAM_0, to);
      body.call(name, STREAM_1, i32.add(to, POLYNOMIAL_BYTES));
    };
    body.loop(pairs, () => {
      body.call('startPair', MASK_SEED, SEED_LANES, tail, i32.add(tail, 1), RATE_136);
      each(body, MASK_BLOCKS, (block) => {
        const offset = i32.mul(block, 8 * RATE_136);
        body.call('permutePair');
        body.call('squeezePair', i32.add(STREAM_0, offset), i32.add(STREAM_1, offset), RATE_136);
      });
      body.if(
        isWide(k),
        () => both('unpack20'),
        () => both('unpack18'),
      );
      advance(body, [tail], 2);
      advance(body, [to], 2 * POLYNOMIAL_BYTES);
    });
  });
}

/** `challenge(k)`: c of CHALLENGE, with τ coefficients of 1 or −1 (algorithm 29). */
function challengeFunction(module: ModuleText): void {
  module.func('challenge', { params: { k: 'i32' }, exported: false }, (body, { k }) => {
    const lanes = i32.shrU(parameter(k, 'challengeBytes'), 3);
    body.call('sponge', CHALLENGE, lanes, RATE_136, OF_SHAKE);
    body.emit('memory.fill', C, 0, POLYNOMIAL_BYTES);
    const signs = body.local('i64', i64.load(0, STATE));
    const at = body.local('i32', 8);
    const place = body.local('i32');
    const i = body.local('i32', i32.sub(COEFFICIENTS, parameter(k, 'tau')));
    body.while(i32.ltU(i, COEFFICIENTS), () => {
      body.set(place, COEFFICIENTS);
      body.while(i32.gtU(place, i), () => {
        body.if(i32.eq(at, 8 * RATE_136), () => {
          body.call('permuteState');
          body.set(at, 0);
        });
        body.set(place, i32.load8u(at, STATE));
        advance(body, [at], 1);
      });
      const other = body.let(i32.shl(place, 2));
      body.store(i32.shl(i, 2), i32.load(other, C), C);
      const sign = i32.shl(i32.and(i32.wrap(signs), 1), 1);
      body.store(other, i32.sub(1, sign), C);
      body.set(signs, i64.shrU(signs, 1n));
      advance(body, [i], 1);
    });
  });
}
