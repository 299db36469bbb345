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
import { i32, i64 } from '../dsl/expression.ts';
import type { Expr } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { MEMORY_BYTES, ROUND_CONSTANTS_AT, STATE } from './keccak-layout.ts';
import { bytesOf } from '../dsl/words.ts';

const LANES = KECCAK_STATE_BYTES / 8;
type Lane = Expr<'i64'>;

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
      permute(body, rounds);
    });
  });
}

/** Keccak-p[1600, rounds] on STATE: the last rounds of the permutation. */
function permute(body: Body, count: Local<'i32'>): void {
  const a = Array.from({ length: LANES }, (_, i) => body.local('i64', i64.load(0, STATE + 8 * i)));
  const end = ROUND_CONSTANTS_AT + 8 * KECCAK_ROUNDS;
  const constants = body.local('i32', i32.sub(end, i32.shl(count, 3)));
  const rounds = body.local('i32', count);
  body.loop(rounds, () => {
    round(body, a, i64.load(constants));
    body.set(constants, i32.add(constants, 8));
  });
  a.forEach((lane, i) => body.store(0, lane, STATE + 8 * i));
}

/** θ, ρ, π, χ and ι (section 3.2); lane (x, y) is at 5y + x. */
function round(body: Body, a: readonly Local<'i64'>[], constant: Lane): void {
  const xor = (first: Lane, ...others: readonly Lane[]): Lane => others.reduce(i64.xor, first);
  const at = (x: number, y: number): Local<'i64'> => a[5 * (y % 5) + (x % 5)]!;
  const columns = [0, 1, 2, 3, 4].map((x) =>
    body.let(xor(at(x, 0), at(x, 1), at(x, 2), at(x, 3), at(x, 4))),
  );
  const theta = columns.map((_, x) =>
    body.let(i64.xor(columns[(x + 4) % 5]!, i64.rotl(columns[(x + 1) % 5]!, 1n))),
  );
  // ρ and π: lane (x, y) of the result comes from (x + 3y, x) (section 3.2.3)
  const moved = a.map((_, i) => {
    const [x, y] = [i % 5, Math.floor(i / 5)];
    const [fromX, fromY] = [(x + 3 * y) % 5, x];
    const lane = i64.xor(at(fromX, fromY), theta[fromX]!);
    return body.let(i64.rotl(lane, BigInt(ROTATIONS[5 * fromY + fromX]!)));
  });
  a.forEach((lane, i) => {
    const row = 5 * Math.floor(i / 5);
    const [next, second] = [moved[row + ((i + 1) % 5)]!, moved[row + ((i + 2) % 5)]!];
    const value = i64.xor(moved[i]!, i64.and(i64.xor(next, -1n), second));
    body.set(lane, i === 0 ? i64.xor(value, constant) : value);
  });
}
