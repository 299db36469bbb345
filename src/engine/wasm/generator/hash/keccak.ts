/**
 * The Keccak module: the sponge of SHA-3 (FIPS 202) with any rate, and with 24 or 12 rounds (RFC 9861).
 *
 * Constant time: logic and rotation only; addresses and branches depend on lengths.
 */
import {
  KECCAK_ROUNDS,
  KECCAK_STATE_BYTES,
  ROTATIONS,
  ROUND_CONSTANTS,
} from '../../../../crypto/hash/keccak.ts';
import type { Body, Local } from '../dsl/body.ts';
import { i32, i64, op } from '../dsl/expression.ts';
import type { Expr, I32, ValueType } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { MEMORY_BYTES, ROUND_CONSTANTS_AT, STATE } from './keccak-layout.ts';
import { bytesOf, WORDS_64 } from '../dsl/words.ts';
import type { Words } from '../dsl/words.ts';

const LANES = KECCAK_STATE_BYTES / 8;

const SINGLE: Sponge<'i64'> = {
  words: WORDS_64,
  state: STATE,
  laneBytes: 8,
  constant: (pointer) => i64.load(pointer),
};

/** @returns the module in WebAssembly's text format, the same in both variants */
export function keccakModule(): string {
  const module = new ModuleText(MEMORY_BYTES);
  module.data(ROUND_CONSTANTS_AT, bytesOf(Int32Array.from(ROUND_CONSTANTS)));
  absorbFunction(module);
  return module.toString();
}

/**
 * `absorb(pointer, count, lanes, rounds)`: `count` blocks of `lanes` · 8 bytes, the rate, into STATE. Without lanes it
 * only permutes.
 */
function absorbFunction(module: ModuleText): void {
  const params = { pointer: 'i32', count: 'i32', lanes: 'i32', rounds: 'i32' } as const;
  module.func('absorb', { params }, (body, { pointer, count, lanes, rounds }) => {
    body.loop(count, () => {
      const lane = body.local('i32', 0);
      const rest = body.local('i32', lanes);
      body.loop(rest, () => {
        body.store(lane, i64.xor(i64.load(lane, STATE), i64.load(pointer)), STATE);
        body.set(lane, i32.add(lane, 8));
        body.set(pointer, i32.add(pointer, 8));
      });
      permute(body, SINGLE, ROUND_CONSTANTS_AT, rounds);
    });
  });
}

/** Where a permutation works: its lanes in memory one after the other, and one of the round constants as such a lane. */
export interface Sponge<T extends ValueType> {
  readonly words: Words<T>;
  readonly state: number;
  readonly laneBytes: number;
  readonly constant: (pointer: I32) => Expr<T>;
}

/** Keccak-p[1600, count] (section 3.3): the last rounds of the permutation, of one state or of several side by side. */
export function permute<T extends ValueType>(
  body: Body,
  { words, state, laneBytes, constant }: Sponge<T>,
  constantsAt: number,
  count: I32,
): void {
  const load = (i: number): Expr<T> =>
    op(words.type, `${words.type}.load offset=${state + laneBytes * i}`, 0);
  const a = Array.from({ length: LANES }, (_, i) => body.local(words.type, load(i)));
  const end = constantsAt + 8 * KECCAK_ROUNDS;
  const pointer = body.local('i32', i32.sub(end, i32.shl(count, 3)));
  const rounds = body.local('i32', count);
  body.loop(rounds, () => {
    round(body, words, a, constant(pointer));
    body.set(pointer, i32.add(pointer, 8));
  });
  a.forEach((lane, i) => body.store(0, lane, state + laneBytes * i));
}

/** θ, ρ, π, χ and ι (section 3.2); lane (x, y) is at 5y + x. */
function round<T extends ValueType>(
  body: Body,
  words: Words<T>,
  a: readonly Local<T>[],
  constant: Expr<T>,
): void {
  const xor = (first: Expr<T>, ...others: readonly Expr<T>[]): Expr<T> =>
    others.reduce(words.xor, first);
  const rotl = (lane: Expr<T>, count: number): Expr<T> =>
    count === 0 ? lane : words.rotr(words.type === 'v128' ? body.let(lane) : lane, 64 - count);
  const at = (x: number, y: number): Local<T> => a[5 * (y % 5) + (x % 5)]!;
  const columns = [0, 1, 2, 3, 4].map((x) =>
    body.let(xor(at(x, 0), at(x, 1), at(x, 2), at(x, 3), at(x, 4))),
  );
  const theta = columns.map((_, x) =>
    body.let(words.xor(columns[(x + 4) % 5]!, rotl(columns[(x + 1) % 5]!, 1))),
  );
  // ρ and π: lane (x, y) of the result comes from (x + 3y, x) (section 3.2.3)
  const moved = a.map((_, i) => {
    const [x, y] = [i % 5, Math.floor(i / 5)];
    const [fromX, fromY] = [(x + 3 * y) % 5, x];
    const lane = words.xor(at(fromX, fromY), theta[fromX]!);
    return body.let(rotl(lane, ROTATIONS[5 * fromY + fromX]!));
  });
  a.forEach((lane, i) => {
    const row = 5 * Math.floor(i / 5);
    const [next, second] = [moved[row + ((i + 1) % 5)]!, moved[row + ((i + 2) % 5)]!];
    const value = words.xor(moved[i]!, words.andNot(second, next));
    body.set(lane, i === 0 ? words.xor(value, constant) : value);
  });
}
