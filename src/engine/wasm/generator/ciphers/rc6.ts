/**
 * The module of RC6-32/20 (Rivest, Robshaw, Sidney, Yin, "The RC6 Block Cipher", version 1.1, 1998): eight blocks
 * at once, and single blocks.
 *
 * A word of four blocks is a vector; two such groups take turns. WebAssembly shifts all words of a vector by
 * one number, and RC6 rotates each by its own: here by multiplications with powers of two.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i32x4, i64x2, i8x16, v128 } from '../dsl/expression.ts';
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { shuffle32, WORDS_32X4, ZERO } from '../dsl/words.ts';
import { KEYS, MEMORY_BYTES } from './layout.ts';
import { groupFunction, inVectors, modeFunctions, singleFunctions } from './modes.ts';
import type { Block, VectorState } from './modes.ts';

const ROUNDS = 20;
/** Rounds in a loop, so that (A, B, C, D) = (B, C, D, A) needs no moves. */
const TURN_ROUNDS = 4;
/** Bytes of the two keys of a round. */
const ROUND_BYTES = 8;

/** 2^0, 2^1, … 2^7 and zeros, a byte each. */
const POWERS = 0;
/** 0, 8, 16, 24: the lowest bit of each byte of a word. */
const LOWEST_BITS = 16;
/** The number 31 in each word. */
const AMOUNT = 32;
/** The number 1 in each word. */
const ONE = 48;

/** @returns the text of the module */
export function rc6Module(): string {
  const module = new ModuleText(MEMORY_BYTES);
  module.data(
    POWERS,
    Array.from({ length: 16 }, (_, i) => (i < 8 ? 1 << i : 0)),
  );
  module.data(
    LOWEST_BITS,
    Array.from({ length: 16 }, (_, i) => 8 * (i & 3)),
  );
  module.data(AMOUNT, inWords(31));
  module.data(ONE, inWords(1));
  modeFunctions(module, 16);
  singleFunctions(module, 16, encryptBlock);
  groupFunction(module, 'encrypt', (body) => groupsOf(body, encryptGroups));
  groupFunction(module, 'decrypt', (body) => groupsOf(body, decryptGroups));
  return module.toString();
}

function inWords(value: number): number[] {
  return Array.from({ length: 16 }, (_, i) => (i & 3 ? 0 : value));
}

/** The words A, B, C, D of four blocks. */
type Words = VectorState;
type Crypt = (body: Body, groups: readonly Words[], key: Local<'i32'>, kit: Vectors) => void;

function groupsOf(body: Body, crypt: Crypt): (at: I32) => void {
  return inVectors(body, 2, (groups) => {
    const key = body.local('i32');
    const kit = new Vectors(body);
    return () => crypt(body, groups, key, kit);
  });
}

/** A round key in all words. */
const roundKey = (key: I32, offset: number): V128 => v128.load32splat(key, offset);

/** (A, B, C, D) as they are in a round. */
function turned(words: Words, round: number): [...Four] {
  return [0, 1, 2, 3].map((i) => words[(i + round) & 3]!) as unknown as [...Four];
}
type Four = readonly [Local<'v128'>, Local<'v128'>, Local<'v128'>, Local<'v128'>];

/** Section 2.2, figure 2 */
function encryptGroups(
  body: Body,
  groups: readonly Words[],
  key: Local<'i32'>,
  kit: Vectors,
): void {
  body.set(key, i32.const(KEYS));
  // B = B + S[0]; D = D + S[1]
  for (const [, b, , d] of groups) {
    body.set(b!, i32x4.add(b!, roundKey(key, 0)));
    body.set(d!, i32x4.add(d!, roundKey(key, 4)));
  }
  const turns = body.local('i32', ROUNDS / TURN_ROUNDS);
  body.loop(turns, () => {
    for (let round = 0; round < TURN_ROUNDS; round++) {
      const offset = ROUND_BYTES * (round + 1);
      for (const words of groups) {
        // t = (B · (2B + 1)) <<< 5; u = (D · (2D + 1)) <<< 5
        // A = ((A ⊕ t) <<< u) + S[2i]; C = ((C ⊕ u) <<< t) + S[2i + 1]
        const [a, b, c, d] = turned(words, round);
        const [t, u] = [kit.spread(b), kit.spread(d)];
        const [byU, byT] = [kit.power(u), kit.power(t)];
        const first = kit.rotated(body.let(v128.xor(a, t)), byU);
        const second = kit.rotated(body.let(v128.xor(c, u)), byT);
        body.set(a, i32x4.add(first, roundKey(key, offset)));
        body.set(c, i32x4.add(second, roundKey(key, offset + 4)));
      }
    }
    body.set(key, i32.add(key, ROUND_BYTES * TURN_ROUNDS));
  });
  // A = A + S[42]; C = C + S[43]
  for (const [a, , c] of groups) {
    body.set(a!, i32x4.add(a!, roundKey(key, ROUND_BYTES)));
    body.set(c!, i32x4.add(c!, roundKey(key, ROUND_BYTES + 4)));
  }
}

/** Section 2.2, figure 3 */
function decryptGroups(
  body: Body,
  groups: readonly Words[],
  key: Local<'i32'>,
  kit: Vectors,
): void {
  body.set(key, i32.const(KEYS + ROUND_BYTES * ROUNDS));
  for (const [a, , c] of groups) {
    body.set(a!, i32x4.sub(a!, roundKey(key, ROUND_BYTES)));
    body.set(c!, i32x4.sub(c!, roundKey(key, ROUND_BYTES + 4)));
  }
  const turns = body.local('i32', ROUNDS / TURN_ROUNDS);
  body.loop(turns, () => {
    body.set(key, i32.sub(key, ROUND_BYTES * TURN_ROUNDS));
    for (let round = TURN_ROUNDS - 1; round >= 0; round--) {
      const offset = ROUND_BYTES * (round + 1);
      for (const words of groups) {
        // C = ((C - S[2i + 1]) >>> t) ⊕ u; A = ((A - S[2i]) >>> u) ⊕ t
        const [a, b, c, d] = turned(words, round);
        const [t, u] = [kit.spread(b), kit.spread(d)];
        const [byU, byT] = [kit.powerBack(u), kit.powerBack(t)];
        const first = body.let(i32x4.sub(a, roundKey(key, offset)));
        const second = body.let(i32x4.sub(c, roundKey(key, offset + 4)));
        body.set(a, v128.xor(kit.rotated(first, byU), t));
        body.set(c, v128.xor(kit.rotated(second, byT), u));
      }
    }
  });
  for (const [, b, , d] of groups) {
    body.set(b!, i32x4.sub(b!, roundKey(key, 0)));
    body.set(d!, i32x4.sub(d!, roundKey(key, 4)));
  }
}

/** The byte of a word's lowest eight bits, four times. */
const LOW_BYTES = Array.from({ length: 16 }, (_, i) => i & 12);

/** What RC6 does with a vector of words. */
class Vectors {
  private readonly body: Body;
  private readonly powers: V128;
  private readonly lowestBits: V128;
  private readonly amount: V128;
  private readonly one: V128;

  constructor(body: Body) {
    this.body = body;
    const constant = (at: number): V128 => body.let(v128.load(0, at));
    this.powers = constant(POWERS);
    this.lowestBits = constant(LOWEST_BITS);
    this.amount = constant(AMOUNT);
    this.one = constant(ONE);
  }

  /** (x · (2x + 1)) <<< 5 */
  spread(x: V128): V128 {
    const product = this.body.let(i32x4.mul(x, v128.or(i32x4.add(x, x), this.one)));
    return this.body.let(WORDS_32X4.rotr(product, 32 - 5));
  }

  /**
   * 2^n for the lowest five bits n of each word. Byte i of the result is 2^(n - 8i) where that is in the table;
   * other indices look up a zero, or are too large.
   */
  power(n: V128): V128 {
    const amount = this.body.let(v128.and(n, this.amount));
    const bytes = i8x16.shuffle(amount, amount, LOW_BYTES);
    return this.body.let(i8x16.swizzle(this.powers, i8x16.sub(bytes, this.lowestBits)));
  }

  /** 2^(32 - n), or 1 where n is 0. */
  powerBack(n: V128): V128 {
    return this.power(i32x4.sub(ZERO, n));
  }

  /** x <<< n: both halves of the product of 64 bits. @param power 2^n */
  rotated(x: V128, power: V128): V128 {
    const first = this.body.let(i64x2.extmulLow(x, power));
    const last = this.body.let(i64x2.extmulHigh(x, power));
    return v128.or(shuffle32(first, last, [0, 2, 4, 6]), shuffle32(first, last, [1, 3, 5, 7]));
  }
}

function encryptBlock(body: Body, block: Block): Block {
  const words = block.map((word) => body.local('i32', word));
  const [a, b, c, d] = words as [Local<'i32'>, Local<'i32'>, Local<'i32'>, Local<'i32'>];
  const key = body.local('i32', KEYS);
  const subkey = (offset: number): Expr<'i32'> => i32.load(key, offset);
  const spread = (x: Local<'i32'>): Expr<'i32'> =>
    body.let(i32.rotl(i32.mul(x, i32.or(i32.shl(x, 1), 1)), 5));
  body.set(b, i32.add(b, subkey(0)));
  body.set(d, i32.add(d, subkey(4)));
  const turns = body.local('i32', ROUNDS / TURN_ROUNDS);
  body.loop(turns, () => {
    for (let round = 0; round < TURN_ROUNDS; round++) {
      const offset = ROUND_BYTES * (round + 1);
      const [w, x, y, z] = [0, 1, 2, 3].map((i) => words[(i + round) & 3]!);
      const [t, u] = [spread(x!), spread(z!)];
      body.set(w!, i32.add(i32.rotl(i32.xor(w!, t), u), subkey(offset)));
      body.set(y!, i32.add(i32.rotl(i32.xor(y!, u), t), subkey(offset + 4)));
    }
    body.set(key, i32.add(key, ROUND_BYTES * TURN_ROUNDS));
  });
  body.set(a, i32.add(a, subkey(ROUND_BYTES)));
  body.set(c, i32.add(c, subkey(ROUND_BYTES + 4)));
  return words;
}
