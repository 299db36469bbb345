/** BLAKE2b (RFC 7693), one message. */
import { BLAKE2B_BLOCK_BYTES, BLAKE2B_SIGMA } from '../../../../crypto/hash/blake2b.ts';
import type { Body } from '../dsl/body.ts';
import { i32, i64, op } from '../dsl/expression.ts';
import type { Expr } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { mixRound } from './blake-mix.ts';
import type { Mixer, Rotate } from './blake-mix.ts';
import { IV_2B, STATE } from './blake-layout.ts';

const rotate = (count: bigint): Rotate<'i64'> => {
  return (_body, x) => i64.rotr(x, count);
};
const MIXER: Mixer<'i64'> = {
  add: i64.add,
  xor: i64.xor,
  // Section 2.1: R1 … R4
  rotations: [rotate(32n), rotate(24n), rotate(16n), rotate(63n)],
};

/**
 * `blake2bBlocks(pointer, count, counted, last)`: compresses `count` blocks into STATE.
 *
 * @param counted bytes of the message up to the end of the first of these blocks, as a float, in which all
 * JavaScript lengths are exact
 * @param last -1 if this is the last block of the message (`count` is then 1), else 0
 */
export function blake2bFunction(module: ModuleText): void {
  const params = { pointer: 'i32', count: 'i32', counted: 'f64', last: 'i32' } as const;
  module.func('blake2bBlocks', { params }, (body, { pointer, count, counted, last }) => {
    const counter = body.local('i64', op('i64', 'i64.trunc_f64_u', counted));
    const final = body.let(op('i64', 'i64.extend_i32_s', last));
    body.loop(count, () => {
      compress(body, pointer, counter, final);
      body.set(pointer, i32.add(pointer, BLAKE2B_BLOCK_BYTES));
      body.set(counter, i64.add(counter, BigInt(BLAKE2B_BLOCK_BYTES)));
    });
  });
}

/** F of section 3.2 */
function compress(
  body: Body,
  pointer: Expr<'i32'>,
  counter: Expr<'i64'>,
  final: Expr<'i64'>,
): void {
  const iv = (i: number): Expr<'i64'> => i64.load(0, IV_2B + 8 * i);
  const h = (i: number): Expr<'i64'> => i64.load(0, STATE + 8 * i);
  const eight = Array.from({ length: 8 }, (_, i) => i);
  const initial = [
    ...eight.map(h),
    ...[iv(0), iv(1), iv(2), iv(3), i64.xor(iv(4), counter), iv(5), i64.xor(iv(6), final), iv(7)],
  ];
  const v = initial.map((word) => body.local('i64', word));
  // In locals: V8 loads a word that it has moved to the stack faster than one of the memory, by a fifth of the whole time.
  const message = Array.from({ length: 16 }, (_, i) => body.let(i64.load(pointer, 8 * i)));
  const word = (i: number) => message[i]!;
  for (let r = 0; r < 12; r++) mixRound(body, MIXER, [{ v, word }], BLAKE2B_SIGMA[r % 10]!);
  for (const i of eight) body.store(0, i64.xor(h(i), i64.xor(v[i]!, v[i + 8]!)), STATE + 8 * i);
}
