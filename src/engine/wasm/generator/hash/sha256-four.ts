/**
 * SHA-256 of four messages at once: the same word of each in one vector. It is faster from three messages on;
 * a single message uses sha2.ts.
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i32x4, i8x16, v128 } from '../dsl/expression.ts';
import type { Expr, V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { Rounds, SHA256_ROTATIONS, sigma } from './sha2.ts';
import {
  FOUR_INNER,
  FOUR_OUTER,
  FOUR_STATES,
  FOUR_SUM,
  FOUR_U,
  FOUR_WORDS,
  K256,
  SWAP_4,
} from './sha-layout.ts';
import { WORDS_32X4 } from '../dsl/words.ts';
import { transpose32 } from '../dsl/transpose.ts';

const { add, xor } = WORDS_32X4;

/**
 * `sha256FourBlocks(a, b, c, d, count)`: compresses `count` blocks from each of four addresses into
 * FOUR_STATES.
 */
export function fourBlocksFunction(module: ModuleText): void {
  const params = { a: 'i32', b: 'i32', c: 'i32', d: 'i32', count: 'i32' } as const;
  module.func('sha256FourBlocks', { params }, (body, { a, b, c, d, count }) => {
    const messages = [a, b, c, d];
    body.loop(count, () => {
      placeWords(body, messages);
      const state = loadState(body, i32.const(0), FOUR_STATES);
      rounds(body, state);
      state.forEach((word, i) => {
        const offset = FOUR_STATES + 16 * i;
        body.store(0, add(word, v128.load(0, offset)), offset);
      });
      for (const message of messages) body.set(message, i32.add(message, 64));
    });
  });
}

/**
 * `sha256FourIterate(count)`: as sha256Iterate, for four output blocks of one password: FOUR_U and
 * FOUR_SUM, with FOUR_INNER and FOUR_OUTER.
 */
export function fourIterateFunction(module: ModuleText): void {
  module.func('sha256FourIterate', { params: { count: 'i32' } }, (body, { count }) => {
    const state = loadState(body, i32.const(0), FOUR_U);
    body.loop(count, () => {
      const keyed = body.local('i32', FOUR_INNER);
      const passes = body.local('i32', 2);
      body.loop(passes, () => {
        state.forEach((word, i) => body.store(0, word, FOUR_WORDS + 16 * i));
        placePadding(body);
        state.forEach((word, i) => body.set(word, v128.load(keyed, 16 * i)));
        rounds(body, state);
        state.forEach((word, i) => body.set(word, add(word, v128.load(keyed, 16 * i))));
        body.set(keyed, i32.const(FOUR_OUTER));
      });
      state.forEach((word, i) => {
        const offset = FOUR_SUM + 16 * i;
        body.store(0, xor(v128.load(0, offset), word), offset);
      });
    });
    state.forEach((word, i) => body.store(0, word, FOUR_U + 16 * i));
  });
}

/** The words of a block of each message, in FOUR_WORDS. */
function placeWords(body: Body, messages: readonly Expr<'i32'>[]): void {
  const order = body.let(v128.load(0, SWAP_4));
  for (let i = 0; i < 4; i++) {
    const rows = messages.map((message) =>
      body.let(i8x16.swizzle(v128.load(message, 16 * i), order)),
    );
    transpose32(body, rows).forEach((word, j) => body.store(0, word, FOUR_WORDS + 64 * i + 16 * j));
  }
}

/** The padding of a digest of 32 bytes after a key block: a 1 bit and the length, 768 bits. */
function placePadding(body: Body): void {
  for (let i = 8; i < 16; i++) {
    const word = i === 8 ? 0x8000_0000 : i === 15 ? 768 : 0;
    body.store(0, i32x4.splat(word), FOUR_WORDS + 16 * i);
  }
}

/** All rounds, on the words of FOUR_WORDS. Each word is replaced by that of sixteen rounds later. */
function rounds(body: Body, state: readonly Local<'v128'>[]): void {
  const steps = new Rounds(body, WORDS_32X4, SHA256_ROTATIONS, state);
  const k = body.local('i32', K256);
  const word = (t: number): V128 => v128.load(0, FOUR_WORDS + 16 * (t % 16));
  const sixteen = (last: boolean): void => {
    for (let t = 0; t < 16; t++) {
      const w = body.let(word(t));
      steps.round(t, add(w, v128.load32splat(k, 4 * t)));
      if (last) continue;
      const sigma0 = sigma(WORDS_32X4, body.let(word(t + 1)), SHA256_ROTATIONS.sigma0);
      const sigma1 = sigma(WORDS_32X4, body.let(word(t + 14)), SHA256_ROTATIONS.sigma1);
      body.store(0, add(add(w, sigma0), add(word(t + 9), sigma1)), FOUR_WORDS + 16 * t);
    }
    body.set(k, i32.add(k, 64));
  };
  const turns = body.local('i32', 3);
  body.loop(turns, () => sixteen(false));
  sixteen(true);
}

function loadState(body: Body, address: Expr<'i32'>, offset: number): Local<'v128'>[] {
  return Array.from({ length: 8 }, (_, i) =>
    body.local('v128', v128.load(address, offset + 16 * i)),
  );
}
