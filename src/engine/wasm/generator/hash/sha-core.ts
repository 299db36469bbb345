/** The common part of every hash of the SHA module: functions that compress blocks, and PBKDF2 with these. */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i8x16, op, v128 } from '../dsl/expression.ts';
import type { Expr, V128, ValueType } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { INNER, OUTER, STATE, SUM, SWAP_4, SWAP_8, U } from './sha-layout.ts';
import type { Words } from '../dsl/words.ts';

/** A block, as vectors of words for the schedule; for the first rounds also as single words. */
export interface Block<T extends ValueType> {
  readonly vectors: readonly V128[];
  /** Absent if the words are only in vectors. */
  readonly words?: readonly Expr<T>[];
}

/** A compression function (FIPS 180-4, section 6) as a generator of code. */
export interface Core<T extends 'i32' | 'i64'> {
  /** Part of the names of exported functions. */
  readonly name: string;
  readonly words: Words<T>;
  readonly wordBytes: 4 | 8;
  readonly stateWords: number;
  /** All rounds on `state`, without the addition of its previous value. */
  readonly rounds: (body: Body, state: readonly Local<T>[], block: Block<T>) => void;
}

/** `<name>Blocks(pointer, count)`: compresses `count` blocks of bytes into STATE. */
export function blocksFunction<T extends 'i32' | 'i64'>(module: ModuleText, core: Core<T>): void {
  const params = { pointer: 'i32', count: 'i32' } as const;
  module.func(`${core.name}Blocks`, { params }, (body, { pointer, count }) => {
    const state = loadState(body, core, STATE);
    body.loop(count, () => {
      const before = state.map((word) => body.let(word));
      const mask = v128.load(0, core.wordBytes === 4 ? SWAP_4 : SWAP_8);
      const vectors = Array.from({ length: core.wordBytes }, (_, i) =>
        body.let(i8x16.swizzle(v128.load(pointer, 16 * i), mask)),
      );
      core.rounds(body, state, { vectors });
      state.forEach((word, i) => body.set(word, core.words.add(word, before[i]!)));
      body.set(pointer, i32.add(pointer, 16 * core.wordBytes));
    });
    state.forEach((word, i) => body.store(0, word, STATE + core.wordBytes * i));
  });
}

/**
 * `<name>Iterate(count)`: `count` iterations of PBKDF2 (RFC 8018, section 5.2): U = HMAC(P, U) and SUM ⊕= U.
 * HMAC's two keyed states are kept, so that an iteration is two compressions. Each compresses one digest with
 * its padding, most words of which are constant.
 *
 * @param digestWords number of words of the state in the digest
 */
export function iterateFunction<T extends 'i32' | 'i64'>(
  module: ModuleText,
  core: Core<T>,
  name = core.name,
  digestWords = core.stateWords,
): void {
  const { words, wordBytes } = core;
  module.func(`${name}Iterate`, { params: { count: 'i32' } }, (body, { count }) => {
    const state = loadState(body, core, U);
    body.loop(count, () => {
      const keyed = body.local('i32', INNER);
      const passes = body.local('i32', 2);
      body.loop(passes, () => {
        const block = paddedDigest(body, core, state.slice(0, digestWords));
        state.forEach((word, i) => body.set(word, loadWord(core, keyed, wordBytes * i)));
        core.rounds(body, state, block);
        state.forEach((word, i) =>
          body.set(word, words.add(word, loadWord(core, keyed, wordBytes * i))),
        );
        body.set(keyed, i32.const(OUTER));
      });
      state.slice(0, digestWords).forEach((word, i) => {
        const offset = SUM + wordBytes * i;
        body.store(0, words.xor(loadWord(core, i32.const(0), offset), word), offset);
      });
    });
    state.forEach((word, i) => body.store(0, word, U + wordBytes * i));
  });
}

/** A digest as the rest of a message whose first block was the key, with padding and length. */
function paddedDigest<T extends 'i32' | 'i64'>(
  body: Body,
  core: Core<T>,
  digest: readonly Local<T>[],
): Block<T> {
  const { wordBytes } = core;
  const firstBit = 1n << BigInt(8 * wordBytes - 1);
  const bits = BigInt(8 * wordBytes * (16 + digest.length));
  const padding = Array.from({ length: 16 - digest.length }, () => 0n);
  padding[0] = firstBit;
  padding[padding.length - 1] = bits;
  const words = [
    ...digest.map((word) => body.let(word)),
    ...padding.map((word) => constant(core, word)),
  ];
  const perVector = 16 / wordBytes;
  const vectors = Array.from({ length: wordBytes }, (_, i) =>
    body.let(join(wordBytes, words.slice(perVector * i, perVector * (i + 1)))),
  );
  return { vectors, words };
}

function join(wordBytes: 4 | 8, words: readonly Expr[]): V128 {
  const shape = wordBytes === 4 ? 'i32x4' : 'i64x2';
  const first = op('v128', `${shape}.splat`, words[0]!);
  return words
    .slice(1)
    .reduce<V128>(
      (vector, word, i) => op('v128', `${shape}.replace_lane ${i + 1}`, vector, word),
      first,
    );
}

function loadState<T extends 'i32' | 'i64'>(body: Body, core: Core<T>, offset: number): Local<T>[] {
  return Array.from({ length: core.stateWords }, (_, i) =>
    body.local(core.words.type, loadWord(core, i32.const(0), offset + core.wordBytes * i)),
  );
}

function loadWord<T extends 'i32' | 'i64'>(
  core: Core<T>,
  address: Expr<'i32'>,
  offset: number,
): Expr<T> {
  return op(core.words.type, `${core.words.type}.load offset=${offset}`, address);
}

function constant<T extends 'i32' | 'i64'>(core: Core<T>, value: bigint): Expr<T> {
  const { type } = core.words;
  const signed = BigInt.asIntN(8 * core.wordBytes, value);
  return op(type, `${type}.const ${signed}`);
}
