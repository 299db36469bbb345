/**
 * The module of IDEA (Lai, "On the Design and Security of Block Ciphers", 1992, chapter 3): sixteen blocks at
 * once, and single blocks.
 *
 * A word of eight blocks is a vector of eight 16-bit words; two such groups take turns, because one is a chain
 * of dependent instructions.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i16x8, i32, i32x4, i8x16, v128 } from '../dsl/expression.ts';
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { transpose32 } from '../dsl/transpose.ts';
import {
  IDEA_DECRYPT,
  IDEA_ENCRYPT,
  IDEA_SINGLE,
  IDEA_SUBKEY_BYTES,
  MEMORY_BYTES,
} from './layout.ts';
import { groupFunction, modeFunctions, singleFunctions } from './modes.ts';
import type { Block } from './modes.ts';

const ROUNDS = 8;
/** Groups of eight blocks that take turns. */
const GROUPS = 2;

/** Each constant is a 16-bit word eight times. */
const BIAS = 0;
const ONE = 16;

/** @returns the text of the module */
export function ideaModule(): string {
  const module = new ModuleText(MEMORY_BYTES);
  module.data(BIAS, eightTimes(0x7fff));
  module.data(ONE, eightTimes(1));
  modeFunctions(module, 8);
  singleFunctions(module, 8, encryptBlock);
  groupFunction(module, 'encrypt', (body) => cryptGroups(body, IDEA_ENCRYPT));
  groupFunction(module, 'decrypt', (body) => cryptGroups(body, IDEA_DECRYPT));
  return module.toString();
}

function eightTimes(word: number): number[] {
  return Array.from({ length: 16 }, (_, i) => (word >> (8 * (i & 1))) & 0xff);
}

/** The words x1 … x4 of eight blocks. */
type Words = readonly Local<'v128'>[];

/** The network of figure 3.1 on sixteen blocks. @param keys address of its subkeys */
function cryptGroups(body: Body, keys: number): (at: I32) => void {
  const multiply = multiplication(body);
  const groups: Words[] = Array.from({ length: GROUPS }, () =>
    Array.from({ length: 4 }, () => body.local('v128')),
  );
  const key = body.local('i32');
  /** A word of subkey `index` in all lanes. */
  const subkey = (index: number, word = 0): V128 =>
    v128.load32splat(key, IDEA_SUBKEY_BYTES * index + 4 * word);
  const factor = (index: number): Factor => [0, 1, 2, 3].map((word) => subkey(index, word));
  /** One step of each group after the other, so that they do not wait for each other. */
  const each = (step: (x: Words, index: number) => void) => groups.forEach(step);
  return (at) => {
    each((x, index) => {
      loadWords(body, at, 64 * index).forEach((word, i) => body.set(x[i]!, word));
    });
    body.set(key, keys);
    const rounds = body.local('i32', ROUNDS);
    body.loop(rounds, () => {
      each(([x1, x2, x3, x4]) => {
        body.set(x1!, multiply(x1!, factor(0)));
        body.set(x2!, i16x8.add(x2!, subkey(1)));
        body.set(x3!, i16x8.add(x3!, subkey(2)));
        body.set(x4!, multiply(x4!, factor(3)));
      });
      // The MA structure
      const t0 = groups.map(([x1, , x3]) =>
        body.let(multiply(body.let(v128.xor(x1!, x3!)), factor(4))),
      );
      const t1 = groups.map(([, x2, , x4], i) =>
        body.let(multiply(i16x8.add(t0[i]!, v128.xor(x2!, x4!)), factor(5))),
      );
      each(([x1, x2, x3, x4], i) => {
        const t2 = body.let(i16x8.add(t0[i]!, t1[i]!));
        body.set(x1!, v128.xor(x1!, t1[i]!));
        body.set(x4!, v128.xor(x4!, t2));
        const exchanged = body.let(v128.xor(x2!, t2));
        body.set(x2!, v128.xor(x3!, t1[i]!));
        body.set(x3!, exchanged);
      });
      body.set(key, i32.add(key, 6 * IDEA_SUBKEY_BYTES));
    });
    // The output transformation
    each(([x1, x2, x3, x4], index) => {
      const words = [
        body.let(multiply(x1!, factor(0))),
        body.let(i16x8.add(x3!, subkey(1))),
        body.let(i16x8.add(x2!, subkey(2))),
        body.let(multiply(x4!, factor(3))),
      ];
      storeWords(body, at, 64 * index, words);
    });
  };
}

/** A factor k in four words: see `multiplication`. */
type Factor = readonly V128[];

/**
 * Multiplication modulo 65537, in which 0 represents 65536, without a case for zero.
 *
 * A factor x of 1 to 65536 is u + 32769 with a u of 16 bits and a sign, and u · k + 32769 · k is a sum of 32
 * bits: `i32x4.dot` multiplies the even words of u by k and the odd ones by 0, and then the other way round.
 * The key's words are
 *
 * - k, with a sign, and 0; then 0 and k
 * - s, 0. For k = 32768, which has no such form, k is -32768 and s is -1: u ⊕ s = -u - 1
 * - c ≡ 32769 · k, or 32768 · k with that s, and so large that no sum is negative
 *
 * As 2^16 ≡ -1, the product is low - high, and one more if low < high, because 65537 ≡ 1 modulo 2^16.
 */
function multiplication(body: Body): (x: V128, factor: Factor) => V128 {
  const bias = body.let(v128.load(0, BIAS));
  const one = body.let(v128.load(0, ONE));
  return (x, [even, odd, sign, constant]) => {
    // x - 32769 ≡ x + 0x7fff modulo 2^16
    const u = body.let(v128.xor(i16x8.add(x, bias), sign!));
    const evens = body.let(i32x4.add(i32x4.dot(u, even!), constant!));
    const odds = body.let(i32x4.add(i32x4.dot(u, odd!), constant!));
    const low = body.let(alternate(evens, i32x4.shl(odds, 16)));
    const high = body.let(alternate(i32x4.shrU(evens, 16), odds));
    const isLess = i16x8.minU(i16x8.subSatU(high, low), one);
    return i16x8.add(i16x8.sub(low, high), isLess);
  };
}

/** The even 16-bit words of a, and the odd ones of b. */
function alternate(a: V128, b: V128): V128 {
  const order = Array.from({ length: 16 }, (_, i) => (i & 2 ? i + 16 : i));
  return i8x16.shuffle(a, b, order);
}

/** Two blocks of four big-endian words: words 0 of both, words 1, and so on, in the host's byte order. */
const PAIRED = [0, 2, 4, 6].flatMap((word) => [word + 1, word, word + 9, word + 8]);
/** The inverse of PAIRED. */
const UNPAIRED = PAIRED.map((_, i) => PAIRED.indexOf(i));

/** Eight blocks to four vectors of a word of each. */
function loadWords(body: Body, at: I32, offset: number): V128[] {
  const pairs = [0, 16, 32, 48].map((part) => {
    const blocks = body.let(v128.load(at, offset + part));
    return body.let(i8x16.shuffle(blocks, blocks, PAIRED));
  });
  return transpose32(body, pairs);
}

function storeWords(body: Body, at: I32, offset: number, words: readonly V128[]): void {
  transpose32(body, words).forEach((pair, i) => {
    body.store(at, i8x16.shuffle(pair, pair, UNPAIRED), offset + 16 * i);
  });
}

/** Multiplication as in src/crypto/ciphers/idea.ts. @returns the product in the low 16 bits */
function multiplySingle(body: Body, x: I32, factor: Expr<'i32'>): Expr<'i32'> {
  // x · y - 1 = (x - 1) · y + (y - 1)
  const y = body.let(factor);
  const product = body.let(i32.add(i32.mul(i32.and(i32.sub(x, 1), 0xffff), y), i32.sub(y, 1)));
  const difference = body.let(i32.sub(i32.and(product, 0xffff), i32.shrU(product, 16)));
  return i32.add(i32.add(difference, 1), i32.shrU(difference, 31));
}

/** Exchanges the bytes of both 16-bit words. @param x evaluated twice: bind it first */
function exchangedBytes(body: Body, x: Expr<'i32'>): Expr<'i32'> {
  const up = i32.shl(i32.and(x, 0x00ff00ff), 8);
  return body.let(i32.or(up, i32.and(i32.shrU(x, 8), 0x00ff00ff)));
}

/** One block; only the low 16 bits of each word count. */
function encryptBlock(body: Body, block: Block): Block {
  // The bytes of both words of a half are exchanged: x1 is then the low one.
  const [first, second] = block.map((half) => exchangedBytes(body, half)) as [
    Expr<'i32'>,
    Expr<'i32'>,
  ];
  const x1 = body.local('i32', first);
  const x2 = body.local('i32', i32.shrU(first, 16));
  const x3 = body.local('i32', second);
  const x4 = body.local('i32', i32.shrU(second, 16));
  const key = body.local('i32', IDEA_SINGLE);
  const subkey = (index: number): Expr<'i32'> => i32.load(key, 4 * index);
  const rounds = body.local('i32', ROUNDS);
  body.loop(rounds, () => {
    body.set(x1, multiplySingle(body, x1, subkey(0)));
    body.set(x2, i32.add(x2, subkey(1)));
    body.set(x3, i32.add(x3, subkey(2)));
    body.set(x4, multiplySingle(body, x4, subkey(3)));
    const t0 = body.let(multiplySingle(body, i32.xor(x1, x3), subkey(4)));
    const t1 = body.let(multiplySingle(body, i32.add(t0, i32.xor(x2, x4)), subkey(5)));
    const t2 = body.let(i32.add(t0, t1));
    body.set(x1, i32.xor(x1, t1));
    body.set(x4, i32.xor(x4, t2));
    const exchanged = body.let(i32.xor(x2, t2));
    body.set(x2, i32.xor(x3, t1));
    body.set(x3, exchanged);
    body.set(key, i32.add(key, 24));
  });
  const half = (low: I32, high: I32): Expr<'i32'> => {
    const both = body.let(i32.or(i32.and(low, 0xffff), i32.shl(high, 16)));
    return exchangedBytes(body, both);
  };
  return [
    half(multiplySingle(body, x1, subkey(0)), i32.add(x3, subkey(1))),
    half(i32.add(x2, subkey(2)), multiplySingle(body, x4, subkey(3))),
  ];
}
