/**
 * SHA-3 and SHAKE (FIPS 202) inside of the modules of ML-KEM and ML-DSA: one state, for what is hashed in one piece, and
 * two states side by side in the halves of vectors, for the many short streams that are sampled.
 *
 * Constant time: logic and rotations; addresses and branches depend on lengths.
 */
import {
  KECCAK_ROUNDS,
  KECCAK_STATE_BYTES,
  ROUND_CONSTANTS,
} from '../../../../crypto/hash/keccak.ts';
import { i32, i64, i64x2, v128 } from '../dsl/expression.ts';
import type { I32 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { bytesOf, WORDS_64, WORDS_64X2 } from '../dsl/words.ts';
import { permute } from '../hash/keccak.ts';

/** Rates in lanes of 8 bytes: SHAKE128; SHAKE256 and SHA3-256; SHA3-512. */
export const RATE_168 = 21;
export const RATE_136 = 17;
export const RATE_72 = 9;
/** The bits after a message, with the first 1 of the padding (FIPS 202, section 6): of SHA-3, and of SHAKE. */
export const OF_SHA3 = 0x06;
export const OF_SHAKE = 0x1f;

/** Addresses in a module's memory. */
export interface SpongePlaces {
  /** 192 bytes of constants. */
  readonly roundConstants: number;
  /** 200 bytes: the one state. */
  readonly state: number;
  /** 400 bytes: lane i of both states, one after the other. */
  readonly pair: number;
}

const LAST_BIT = -(2n ** 63n);

/**
 * Adds the functions, which the others of the module call:
 *
 * - `permuteState()`, `permutePair()`: Keccak-f[1600]
 * - `sponge(at, lanes, rate, tail)`: a message of `lanes` · 8 bytes and of the bytes of `tail`, which end with the
 *   suffix; the first block of the output is then in the state
 * - `startPair(at, lanes, first, second, rate)`: the same for two short messages, which begin with the same lanes; their
 *   first blocks are there after `permutePair`
 * - `squeezePair(first, second, lanes)`: so many lanes of each state to two places
 */
export function spongeFunctions(module: ModuleText, places: SpongePlaces): void {
  const { roundConstants, state, pair } = places;
  module.data(roundConstants, bytesOf(Int32Array.from(ROUND_CONSTANTS)));
  const own = { exported: false };
  module.func('permuteState', own, (body) => {
    const constant = (pointer: I32) => i64.load(pointer);
    const sponge = { words: WORDS_64, state, laneBytes: 8, constant };
    permute(body, sponge, roundConstants, KECCAK_ROUNDS);
  });
  module.func('permutePair', own, (body) => {
    const constant = (pointer: I32) => v128.load64splat(pointer);
    const sponge = { words: WORDS_64X2, state: pair, laneBytes: 16, constant };
    permute(body, sponge, roundConstants, KECCAK_ROUNDS);
  });
  spongeFunction(module, state);
  startFunction(module, pair);
  const streams = { first: 'i32', second: 'i32', lanes: 'i32' } as const;
  module.func('squeezePair', { params: streams, ...own }, (body, { first, second, lanes }) => {
    const from = body.local('i32', 0);
    body.loop(lanes, () => {
      const lane = body.let(v128.load(from, pair));
      body.store(first, i64x2.extract(0, lane));
      body.store(second, i64x2.extract(1, lane));
      body.set(from, i32.add(from, 16));
      body.set(first, i32.add(first, 8));
      body.set(second, i32.add(second, 8));
    });
  });
}

function spongeFunction(module: ModuleText, state: number): void {
  const params = { at: 'i32', lanes: 'i32', rate: 'i32', tail: 'i32' } as const;
  module.func('sponge', { params, exported: false }, (body, { at, lanes, rate, tail }) => {
    const lane = body.local('i32', 0);
    const end = body.local('i32', i32.shl(rate, 3));
    body.emit('memory.fill', state, 0, KECCAK_STATE_BYTES);
    body.loop(lanes, () => {
      body.store(lane, i64.xor(i64.load(lane, state), i64.load(at)), state);
      body.set(at, i32.add(at, 8));
      body.set(lane, i32.add(lane, 8));
      body.if(i32.eq(lane, end), () => {
        body.call('permuteState');
        body.set(lane, 0);
      });
    });
    // pad10*1 (section 5.1)
    body.store(lane, i64.xor(i64.load(lane, state), i64.extendU(tail)), state);
    const last = body.let(i32.sub(end, 8));
    body.store(last, i64.xor(i64.load(last, state), LAST_BIT), state);
    body.call('permuteState');
  });
}

function startFunction(module: ModuleText, pair: number): void {
  const params = { at: 'i32', lanes: 'i32', first: 'i32', second: 'i32', rate: 'i32' } as const;
  module.func('startPair', { params, exported: false }, (body, args) => {
    const { at, lanes, first, second, rate } = args;
    const lane = body.local('i32', 0);
    body.emit('memory.fill', pair, 0, 2 * KECCAK_STATE_BYTES);
    body.loop(lanes, () => {
      body.store(lane, v128.load64splat(at), pair);
      body.set(at, i32.add(at, 8));
      body.set(lane, i32.add(lane, 16));
    });
    const tails = i64x2.replace(1, i64x2.splat(i64.extendU(first)), i64.extendU(second));
    body.store(lane, tails, pair);
    const last = body.let(i32.shl(i32.sub(rate, 1), 4));
    body.store(last, v128.xor(v128.load(last, pair), i64x2.splat(LAST_BIT)), pair);
  });
}
