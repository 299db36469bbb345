/**
 * The common part of ChaCha20 and Salsa20: a group of four blocks, one in each 32-bit lane of 16 vectors,
 * from the input block in memory to the XOR of its key stream with data.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32x4, i8x16, v128 } from '../dsl/expression.ts';
import type { I32, V128 } from '../dsl/expression.ts';
import { AHEAD, BLOCK_BYTES, STATE } from './layout.ts';

/** Sixteen words of several blocks: vector i holds word i of each. */
export type Words = readonly Local<'v128'>[];

/** Sixteen variables for the words of a group. */
export const groupVariables = (body: Body): Words =>
  Array.from({ length: 16 }, () => body.local('v128'));

/** A word of STATE in all four lanes. */
const stateWord = (index: number): V128 => v128.load32splat(0, STATE + 4 * index);

/** The counters of a group's blocks: the word of STATE, and 0, 1, 2, 3 more, or 4, 5, 6, 7. */
export function counters(body: Body, index: number, group: number): V128 {
  return body.let(i32x4.add(stateWord(index), v128.load(0, AHEAD + 16 * group)));
}

/** The input blocks. @param own words that differ between blocks, by index */
export function loadGroup(body: Body, words: Words, own: ReadonlyMap<number, V128>): void {
  words.forEach((word, i) => body.set(word, own.get(i) ?? stateWord(i)));
}

/** target = target ⊕ (words + input blocks), for the 256 bytes of a group from `offset` on. */
export function addGroup(
  body: Body,
  words: Words,
  own: ReadonlyMap<number, V128>,
  target: I32,
  offset = 0,
): void {
  for (let row = 0; row < 16; row += 4) {
    const sums = words
      .slice(row, row + 4)
      .map((word, i) => body.let(i32x4.add(word, own.get(row + i) ?? stateWord(row + i))));
    transpose(body, sums).forEach((block, lane) => {
      const at = offset + BLOCK_BYTES * lane + 4 * row;
      body.store(target, v128.xor(block, v128.load(target, at)), at);
    });
  }
}

const LOW_32 = lanes(4, [0, 4, 1, 5]);
const HIGH_32 = lanes(4, [2, 6, 3, 7]);
const LOW_64 = lanes(8, [0, 2]);
const HIGH_64 = lanes(8, [1, 3]);

/** Transposes four words of four blocks to four blocks of four words. */
function transpose(body: Body, [a, b, c, d]: readonly V128[]): readonly V128[] {
  const low = [body.let(i8x16.shuffle(a!, b!, LOW_32)), body.let(i8x16.shuffle(c!, d!, LOW_32))];
  const high = [body.let(i8x16.shuffle(a!, b!, HIGH_32)), body.let(i8x16.shuffle(c!, d!, HIGH_32))];
  return [low, high].flatMap(([x, y]) => [
    i8x16.shuffle(x!, y!, LOW_64),
    i8x16.shuffle(x!, y!, HIGH_64),
  ]);
}

/** The bytes of a shuffle by lanes of `width` bytes. */
function lanes(width: number, order: readonly number[]): number[] {
  return order.flatMap((lane) => Array.from({ length: width }, (_, i) => width * lane + i));
}

/** (word <<< count) of each lane. */
export function rotated(body: Body, word: V128, count: number): V128 {
  const held = body.let(word);
  return v128.or(i32x4.shl(held, count), i32x4.shrU(held, 32 - count));
}
