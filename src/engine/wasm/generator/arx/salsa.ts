/** Salsa20 (Bernstein's specification) on four or eight blocks at once, with any number of rounds. */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i32x4, i64, op, v128 } from '../dsl/expression.ts';
import type { V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { addGroup, counters, groupVariables, loadGroup, rotated } from './group.ts';
import type { Words } from './group.ts';
import { AHEAD, GROUP_BYTES, PAIR_BYTES, STATE } from './layout.ts';

/** The counter's low word; the high one follows. */
const COUNTER_WORD = 8;

/** Words of the four quarterrounds of columnround (section 5) and of rowround (section 4). */
const COLUMNS = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
];
const ROWS = [
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
];

/** Quarterround (section 3): word `target` ⊕= (word a + word b) <<< count, in this order. */
const STEPS = [
  { target: 1, a: 0, b: 3, count: 7 },
  { target: 2, a: 1, b: 0, count: 9 },
  { target: 3, a: 2, b: 1, count: 13 },
  { target: 0, a: 3, b: 2, count: 18 },
];

/**
 * XORs key stream to whole groups of 256 bytes, two at a time as in chacha.ts. Updates the counter of STATE.
 */
export function salsaFunctions(module: ModuleText): void {
  const params = { offset: 'i32', groups: 'i32', doubleRounds: 'i32' } as const;
  module.func('salsa', { params }, (body, { offset, groups, doubleRounds }) => {
    const turn = (all: readonly Words[]) => {
      const own = all.map((_, group) => ownWords(body, group));
      all.forEach((words, group) => loadGroup(body, words, own[group]!));
      const count = body.local('i32', doubleRounds);
      body.loop(count, () => {
        for (const quarters of [COLUMNS, ROWS]) {
          for (const words of all) quarterRounds(body, words, quarters);
        }
      });
      all.forEach((words, group) => {
        addGroup(body, words, own[group]!, offset, GROUP_BYTES * group);
      });
      const counter = i64.load(0, STATE + 4 * COUNTER_WORD);
      body.store(0, i64.add(counter, BigInt(4 * all.length)), STATE + 4 * COUNTER_WORD);
    };
    const two = [groupVariables(body), groupVariables(body)];
    const pairs = body.local('i32', i32.shrU(groups, 1));
    body.loop(pairs, () => {
      turn(two);
      body.set(offset, i32.add(offset, PAIR_BYTES));
    });
    body.if(i32.and(groups, 1), () => turn(two.slice(0, 1)));
  });
}

/** The words that differ between a group's blocks: a counter of 64 bits in each lane. */
function ownWords(body: Body, group: number): ReadonlyMap<number, V128> {
  const low = counters(body, COUNTER_WORD, group);
  // A lane has carried if its sum is less than the addend; the comparison gives -1 for it.
  const carry = op('v128', 'i32x4.lt_u', low, v128.load(0, AHEAD + 16 * group));
  const highWord = v128.load32splat(0, STATE + 4 * (COUNTER_WORD + 1));
  const high = body.let(op('v128', 'i32x4.sub', highWord, carry));
  return new Map([
    [COUNTER_WORD, low],
    [COUNTER_WORD + 1, high],
  ]);
}

/** Four quarterrounds side by side, so that they do not wait for each other. */
function quarterRounds(body: Body, words: Words, quarters: readonly (readonly number[])[]): void {
  for (const { target, a, b, count } of STEPS) {
    for (const quarter of quarters) {
      const [y, x, z] = [target, a, b].map((i) => words[quarter[i]!]!) as Three;
      body.set(y, v128.xor(y, rotated(body, i32x4.add(x, z), count)));
    }
  }
}

type Three = [Local<'v128'>, Local<'v128'>, Local<'v128'>];
