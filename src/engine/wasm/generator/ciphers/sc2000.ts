/**
 * The module of SC2000 (Shimoyama and others, Fujitsu, "The Block Cipher SC2000", FSE 2001): pairs of blocks, and
 * single blocks.
 *
 * NOT safe against side channels: the addresses of its look-ups depend on key and data.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32 } from '../dsl/expression.ts';
import type { Expr } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { WORDS_32 } from '../dsl/words.ts';
import { MEMORY_BYTES, SC2000_KEYS, SC2000_STEPS, TABLES } from './layout.ts';
import { tableFunctions } from './modes.ts';
import type { States } from './modes.ts';

/** Eight round keys: those of I before and after B. */
const STEP_BYTES = 32;
/** The masks of R, which are used in turns: the first one, the other one, and what changes one to the other. */
const EVEN_MASK = 0x55555555;
const ODD_MASK = 0x33333333;
const OTHER_MASK = EVEN_MASK ^ ODD_MASK;

/** @returns the text of the module */
export function sc2000Module(): string {
  const module = new ModuleText(MEMORY_BYTES);
  tableFunctions(module, { encrypt, decrypt });
  return module.toString();
}

/** 7 steps of I, B, I, R, or 8 for keys of more than 128 bits; the last without R. */
function encrypt(body: Body, states: States): void {
  exchangeBytes(body, states);
  const key = body.local('i32', SC2000_KEYS);
  const mask = body.local('i32', EVEN_MASK);
  const steps = body.local('i32', i32.load(0, SC2000_STEPS));
  body.loop(steps, () => {
    addKeys(body, states, key, 0);
    for (const words of states) substitute(body, words);
    addKeys(body, states, key, 16);
    body.if(i32.ne(steps, 1), () => roundPair(body, states, mask));
    body.set(key, i32.add(key, STEP_BYTES));
  });
  exchangeBytes(body, states);
}

/** The steps of `encrypt`, undone from the last to the first. R undoes itself. */
function decrypt(body: Body, states: States): void {
  exchangeBytes(body, states);
  const steps = body.local('i32', i32.load(0, SC2000_STEPS));
  const key = body.local('i32', i32.add(SC2000_KEYS, i32.mul(steps, STEP_BYTES)));
  const isEven = i32.and(i32.xor(steps, 1), 1);
  const mask = body.local('i32', i32.xor(ODD_MASK, i32.mul(isEven, OTHER_MASK)));
  body.loop(steps, () => {
    body.set(key, i32.sub(key, STEP_BYTES));
    addKeys(body, states, key, 16);
    for (const words of states) substituteBack(body, words);
    addKeys(body, states, key, 0);
    body.if(i32.ne(steps, 1), () => roundPair(body, states, mask));
  });
  exchangeBytes(body, states);
}

/** Words are big-endian. */
function exchangeBytes(body: Body, states: States): void {
  for (const words of states) {
    for (const word of words) {
      const even = i32.and(i32.rotl(word, 8), 0x00ff00ff);
      body.set(word, i32.or(even, i32.and(i32.rotr(word, 8), 0xff00ff00)));
    }
  }
}

/** I */
function addKeys(body: Body, states: States, key: Local<'i32'>, offset: number): void {
  for (const words of states) {
    words.forEach((word, i) => body.set(word, i32.xor(word, i32.load(key, offset + 4 * i))));
  }
}

type Words = readonly Local<'i32'>[];
type Value = Expr<'i32'>;
type Four = readonly [Value, Value, Value, Value];

/** Each value once, in place of all words. */
function replace(body: Body, words: Words, values: readonly Value[]): void {
  const bound = values.map((value) => body.let(value));
  words.forEach((word, i) => body.set(word, bound[i]!));
}

const { not } = WORDS_32;
const andNot = (x: Value, y: Value): Value => i32.and(x, not(y));

/** B: S4 = 25ac7f1bd609483e on the nibbles that the bits of a, b, c and d form, a the highest */
function substitute(body: Body, words: Words): void {
  const { xor, and, or } = i32;
  const [a, b, c, d] = words as unknown as Four;
  const bd = body.let(and(b, d));
  const bc = body.let(and(b, c));
  const bOrD = body.let(or(b, d));
  replace(body, words, [
    xor(xor(xor(c, bd), bc), andNot(a, bOrD)),
    xor(xor(bOrD, bc), and(a, xor(not(d), or(b, c)))),
    xor(xor(not(or(d, bc)), bd), andNot(a, and(c, d))),
    xor(or(b, andNot(d, c)), andNot(a, andNot(c, d))),
  ]);
}

/** The inverse of `substitute` */
function substituteBack(body: Body, words: Words): void {
  const { xor, and, or } = i32;
  const [a, b, c, d] = words as unknown as Four;
  const t1 = body.let(and(b, c));
  const t2 = body.let(and(b, d));
  const t3 = body.let(not(c));
  const t4 = body.let(or(d, b));
  const t5 = body.let(or(t3, t1));
  const t8 = xor(or(xor(t5, a), d), b);
  const t12 = body.let(xor(t4, t1));
  const t14 = body.let(xor(and(or(a, t2), t5), t12));
  const t16 = body.let(xor(and(t12, xor(a, t4)), t2));
  replace(body, words, [xor(t16, xor(t3, b)), t14, t8, or(xor(t16, t4), and(t14, a))]);
}

/** R on one half, R on the other, and the exchange of the halves; then the other mask. */
function roundPair(body: Body, states: States, mask: Local<'i32'>): void {
  for (const words of states) {
    const [a, b, c, d] = words as unknown as Four;
    const half = (x: Value, y: Value, to: readonly [Value, Value]): [Value, Value] => {
      const [s, t] = [transformed(body, x), transformed(body, y)];
      return [
        body.let(i32.xor(to[0], i32.xor(i32.and(s, mask), t))),
        body.let(i32.xor(to[1], i32.xor(andNot(t, mask), s))),
      ];
    };
    const first = half(c, d, [a, b]);
    const second = half(first[0], first[1], [c, d]);
    replace(body, words, [...second, ...first]);
  }
  body.set(mask, i32.xor(mask, OTHER_MASK));
}

/** The S function and the M function: the tables of the highest 11 bits, the next 10 and the lowest 11. */
function transformed(body: Body, x: Value): Value {
  const look = (index: Value, table: number): Value =>
    i32.load(i32.shl(index, 2), TABLES + 4 * table);
  const high = look(i32.shrU(x, 21), 0);
  const middle = look(i32.and(i32.shrU(x, 11), 1023), 2048);
  return body.let(i32.xor(i32.xor(high, middle), look(i32.and(x, 2047), 3072)));
}
