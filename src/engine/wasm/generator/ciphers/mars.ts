/**
 * The module of MARS (IBM, "MARS - a candidate cipher for AES", revised August 1999): pairs of blocks, and
 * single blocks.
 *
 * NOT safe against side channels: the addresses of its look-ups depend on key and data.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32 } from '../dsl/expression.ts';
import type { Expr } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { KEYS, MEMORY_BYTES, TABLES } from './layout.ts';
import { tableFunctions } from './modes.ts';
import type { States } from './modes.ts';

/** Rounds in a loop, after which all words are where they were. */
const TURN_ROUNDS = 4;
/** Rounds of each mixing, and of each half of the core. */
const ROUNDS = 8;
/** The first key of the core; each round has two. */
const CORE_KEYS = KEYS + 4 * 4;
const CORE_ROUND_BYTES = 8;
/** The keys that are subtracted at the end. */
const LAST_KEYS = 36;

/** @returns the text of the module */
export function marsModule(): string {
  const module = new ModuleText(MEMORY_BYTES);
  tableFunctions(module, { encrypt, decrypt });
  return module.toString();
}

type Word = Local<'i32'>;
type Four = readonly [Word, Word, Word, Word];
type Value = Expr<'i32'>;

/** Section 2.3 */
function encrypt(body: Body, states: States): void {
  whiten(body, states, 0, i32.add);
  each(body, states, 'up', (words, i) => forward(body, words, i));
  const key = body.local('i32', CORE_KEYS);
  for (const half of [0, 1]) {
    each(body, states, 'up', (words, i) => core(body, words, key, CORE_ROUND_BYTES * i, half), key);
  }
  each(body, states, 'up', (words, i) => backward(body, words, i));
  whiten(body, states, LAST_KEYS, i32.sub);
}

/** The steps of `encrypt`, undone from the last to the first. */
function decrypt(body: Body, states: States): void {
  whiten(body, states, LAST_KEYS, i32.add);
  each(body, states, 'down', (words, i) => undoBackward(body, words, i));
  const key = body.local('i32', CORE_KEYS + 2 * ROUNDS * CORE_ROUND_BYTES);
  for (const half of [1, 0]) {
    each(
      body,
      states,
      'down',
      (words, i) => undoCore(body, words, key, CORE_ROUND_BYTES * i, half),
      key,
    );
  }
  each(body, states, 'down', (words, i) => undoForward(body, words, i));
  whiten(body, states, 0, i32.sub);
}

/** @param index of four round keys */
function whiten(body: Body, states: States, index: number, add: typeof i32.add): void {
  for (const words of states) {
    words.forEach((word, i) => body.set(word, add(word, i32.load(KEYS, 4 * (index + i)))));
  }
}

/**
 * Eight rounds, four in a loop. In round i the words D_0 … D_3 are those from i on.
 *
 * @param key moved over the keys of four rounds of the core
 */
function each(
  body: Body,
  states: States,
  direction: 'up' | 'down',
  round: (words: Four, i: number) => void,
  key?: Word,
): void {
  const turns = body.local('i32', ROUNDS / TURN_ROUNDS);
  const order = direction === 'up' ? [0, 1, 2, 3] : [3, 2, 1, 0];
  const step = TURN_ROUNDS * CORE_ROUND_BYTES;
  body.loop(turns, () => {
    if (key && direction === 'down') body.set(key, i32.sub(key, step));
    for (const i of order) {
      for (const words of states) {
        round([0, 1, 2, 3].map((j) => words[(i + j) & 3]!) as unknown as Four, i);
      }
    }
    if (key && direction === 'up') body.set(key, i32.add(key, step));
  });
}

/** An entry of S0, or of S1, for a byte of a word. */
function look(box: 0 | 1, x: Value, byte: number): Value {
  return i32.load(i32.shl(i32.and(i32.shrU(x, 8 * byte), 0xff), 2), TABLES + 1024 * box);
}

/** Section 2.3.1, forward mixing */
function forward(body: Body, [a, b, c, d]: Four, i: number): void {
  body.set(b, i32.add(i32.xor(b, look(0, a, 0)), look(1, a, 1)));
  body.set(c, i32.add(c, look(0, a, 2)));
  body.set(d, i32.xor(d, look(1, a, 3)));
  body.set(a, i32.rotl(a, 8));
  if (i === 0) body.set(a, i32.add(a, d));
  if (i === 1) body.set(a, i32.add(a, b));
}

function undoForward(body: Body, [a, b, c, d]: Four, i: number): void {
  if (i === 0) body.set(a, i32.sub(a, d));
  if (i === 1) body.set(a, i32.sub(a, b));
  body.set(a, i32.rotr(a, 8));
  body.set(d, i32.xor(d, look(1, a, 3)));
  body.set(c, i32.sub(c, look(0, a, 2)));
  body.set(b, i32.xor(i32.sub(b, look(1, a, 1)), look(0, a, 0)));
}

/** E of section 2.3.2. @param rotated the word, rotated left by 13 */
function expanded(body: Body, word: Value, rotated: Value, key: Word, offset: number): Value[] {
  const sum = body.let(i32.add(word, i32.load(key, offset)));
  const product = body.let(i32.rotl(i32.mul(rotated, i32.load(key, offset + 4)), 5));
  const looked = i32.load(i32.shl(i32.and(sum, 511), 2), TABLES);
  const m = i32.rotl(sum, product);
  const r = body.let(i32.rotl(product, 5));
  const l = i32.rotl(i32.xor(i32.xor(looked, product), r), r);
  return [l, m, r].map((value) => body.let(value));
}

/** Section 2.3.2, the core */
function core(body: Body, [a, b, c, d]: Four, key: Word, offset: number, half: number): void {
  const rotated = body.let(i32.rotl(a, 13));
  const [l, m, r] = expanded(body, a, rotated, key, offset) as [Value, Value, Value];
  const [added, mixed] = half === 0 ? [b, d] : [d, b];
  body.set(c, i32.add(c, m));
  body.set(added, i32.add(added, l));
  body.set(mixed, i32.xor(mixed, r));
  body.set(a, rotated);
}

function undoCore(body: Body, [a, b, c, d]: Four, key: Word, offset: number, half: number): void {
  const word = body.let(i32.rotr(a, 13));
  const [l, m, r] = expanded(body, word, a, key, offset) as [Value, Value, Value];
  const [added, mixed] = half === 0 ? [b, d] : [d, b];
  body.set(c, i32.sub(c, m));
  body.set(added, i32.sub(added, l));
  body.set(mixed, i32.xor(mixed, r));
  body.set(a, word);
}

/** Section 2.3.3, backwards mixing */
function backward(body: Body, [a, b, c, d]: Four, i: number): void {
  if (i === 2) body.set(a, i32.sub(a, d));
  if (i === 3) body.set(a, i32.sub(a, b));
  body.set(b, i32.xor(b, look(1, a, 0)));
  body.set(c, i32.sub(c, look(0, a, 3)));
  body.set(d, i32.xor(i32.sub(d, look(1, a, 2)), look(0, a, 1)));
  body.set(a, i32.rotr(a, 8));
}

function undoBackward(body: Body, [a, b, c, d]: Four, i: number): void {
  body.set(a, i32.rotl(a, 8));
  body.set(d, i32.add(i32.xor(d, look(0, a, 1)), look(1, a, 2)));
  body.set(c, i32.add(c, look(0, a, 3)));
  body.set(b, i32.xor(b, look(1, a, 0)));
  if (i === 2) body.set(a, i32.add(a, d));
  if (i === 3) body.set(a, i32.add(a, b));
}
