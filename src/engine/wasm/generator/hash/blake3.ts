/** BLAKE3: eight or four chunks at once, four parents at once, and single compressions. */
import {
  BLAKE3_BLOCK_BYTES,
  BLAKE3_CHUNK_BYTES,
  BLAKE3_PERMUTATION,
  FLAGS,
} from '../../../../crypto/hash/blake3.ts';
import type { Body, Local } from '../dsl/body.ts';
import { i32, i32x4, v128 } from '../dsl/expression.ts';
import type { Expr, V128 } from '../dsl/expression.ts';
import { lookupOf } from '../dsl/lookup.ts';
import type { Variant } from '../dsl/lookup.ts';
import type { ModuleText } from '../dsl/module.ts';
import { mixRound, mixRows } from './blake-mix.ts';
import type { Mixer, Rotate, State } from './blake-mix.ts';
import {
  IV_3,
  KEY,
  LANE_NUMBERS,
  NODE,
  ROTATE_16,
  ROTATE_8,
  VALUES,
  WORDS,
} from './blake-layout.ts';
import { transpose32 } from '../dsl/transpose.ts';

const ROUNDS = 7;
const VALUE_BYTES = 32;
/** Sixteen words of four blocks. */
const WORDS_BYTES = 256;

/** The order of message words in each round: the permutation, applied repeatedly. */
const ORDERS: readonly (readonly number[])[] = orders();

function orders(): number[][] {
  let order = Array.from({ length: 16 }, (_, i) => i);
  return Array.from({ length: ROUNDS }, () => {
    const current = order;
    order = BLAKE3_PERMUTATION.map((i) => current[i]!);
    return current;
  });
}

/** Rotations by whole bytes are one look-up; the others two shifts. */
function vectorMixer(body: Body, variant: Variant): Mixer<'v128'> {
  const lookup = lookupOf(variant);
  const orders = { 16: body.let(v128.load(0, ROTATE_16)), 8: body.let(v128.load(0, ROTATE_8)) };
  const bytes = (count: 16 | 8): Rotate<'v128'> => {
    return (_body, x) => lookup(x, orders[count]);
  };
  const bits = (count: number): Rotate<'v128'> => {
    return (inner, x) => {
      const bound = inner.let(x);
      return v128.or(i32x4.shrU(bound, count), i32x4.shl(bound, 32 - count));
    };
  };
  return {
    add: i32x4.add,
    xor: v128.xor,
    rotations: [bytes(16), bits(12), bytes(8), bits(7)],
  };
}

function vectorOf(words: readonly Expr<'i32'>[]): V128 {
  const [first, ...rest] = words;
  return rest.reduce<V128>((row, word, i) => i32x4.replace(i + 1, row, word), i32x4.splat(first!));
}

/** Adds the exports of BLAKE3. */
export function blake3Functions(module: ModuleText, variant: Variant): void {
  compressFunction(module, variant);
  blocksFunction(module);
  chunksFunction(module, variant, 'blake3EightChunks', 2);
  chunksFunction(module, variant, 'blake3FourChunks', 1);
  parentsFunction(module, variant);
}

/**
 * `blake3Compress(pointer, length, low, high, flags)`: one compression with the chaining value in
 * NODE, which receives all sixteen words of the result.
 *
 * @param pointer a block of 64 bytes; those from `length` on must be 0
 * @param low, high halves of the counter
 */
function compressFunction(module: ModuleText, variant: Variant): void {
  const params = { pointer: 'i32', length: 'i32', low: 'i32', high: 'i32', flags: 'i32' } as const;
  module.func('blake3Compress', { params }, (body, { pointer, length, low, high, flags }) => {
    const mixer = vectorMixer(body, variant);
    const [first, second] = [body.let(v128.load(0, NODE)), body.let(v128.load(0, NODE + 16))];
    const last = vectorOf([low, high, length, flags]);
    const local = (row: V128) => body.local('v128', row);
    const rows = [local(first), local(second), local(v128.load(0, IV_3)), local(last)] as const;
    const words = (places: readonly number[]): V128 =>
      vectorOf(places.map((place) => i32.load(pointer, 4 * place)));
    for (const order of ORDERS) mixRows(body, mixer, rows, words, order);
    const [a, b, c, d] = rows;
    body.store(0, v128.xor(c, first), NODE + VALUE_BYTES);
    body.store(0, v128.xor(d, second), NODE + VALUE_BYTES + 16);
    body.store(0, v128.xor(a, c), NODE);
    body.store(0, v128.xor(b, d), NODE + 16);
  });
}

/**
 * `blake3Blocks(pointer, count, low, high, flags, start)`: `count` whole blocks of one chunk, into
 * NODE. @param start flags of the first of them only
 */
function blocksFunction(module: ModuleText): void {
  const params = {
    pointer: 'i32',
    count: 'i32',
    low: 'i32',
    high: 'i32',
    flags: 'i32',
    start: 'i32',
  } as const;
  module.func('blake3Blocks', { params }, (body, args) => {
    const { pointer, count, low, high, flags, start } = args;
    body.loop(count, () => {
      const all = i32.or(flags, start);
      body.call('blake3Compress', pointer, BLAKE3_BLOCK_BYTES, low, high, all);
      body.set(start, 0);
      body.set(pointer, i32.add(pointer, BLAKE3_BLOCK_BYTES));
    });
  });
}

/**
 * `name(pointer, groups, low, high, flags, target)`: the chaining values of `groups` times four or eight
 * whole chunks, the first of which has the given number.
 *
 * Eight chunks are two vectors of four, whose dependent instructions are interleaved.
 *
 * @param vectors 1 for four chunks, 2 for eight
 */
function chunksFunction(module: ModuleText, variant: Variant, name: string, vectors: 1 | 2): void {
  const params = {
    pointer: 'i32',
    groups: 'i32',
    low: 'i32',
    high: 'i32',
    flags: 'i32',
    target: 'i32',
  } as const;
  const lanes = 4 * vectors;
  module.func(name, { params }, (body, { pointer, groups, low, high, flags, target }) => {
    const mixer = vectorMixer(body, variant);
    const values = [0, 1].slice(0, vectors).map((vector) => ({
      vector,
      value: Array.from({ length: 8 }, () => body.local('v128')),
    }));
    body.loop(groups, () => {
      for (const { value } of values) loadKey(body, value);
      const block = body.local('i32', BLAKE3_CHUNK_BYTES / BLAKE3_BLOCK_BYTES);
      const place = body.local('i32', FLAGS.CHUNK_START);
      body.loop(block, () => {
        body.if(i32.eq(block, 1), () => body.set(place, i32.const(FLAGS.CHUNK_END)));
        const compressions = values.map(({ vector, value }) => {
          const chunks = [0, 1, 2, 3].map((i) => (4 * vector + i) * BLAKE3_CHUNK_BYTES);
          placeWords(
            body,
            chunks.map((offset) => [pointer, offset]),
            vector,
          );
          const first = i32x4.splat(i32.add(low, 4 * vector));
          return begin(body, vector, value, {
            low: i32x4.add(first, v128.load(0, LANE_NUMBERS)),
            high: i32x4.splat(high),
            flags: i32x4.splat(i32.or(flags, place)),
          });
        });
        compress(body, mixer, compressions);
        body.set(place, i32.const(0));
        body.set(pointer, i32.add(pointer, BLAKE3_BLOCK_BYTES));
      });
      for (const { value } of values) {
        storeValues(body, value, target);
        body.set(target, i32.add(target, 4 * VALUE_BYTES));
      }
      body.set(pointer, i32.add(pointer, (lanes - 1) * BLAKE3_CHUNK_BYTES));
      body.set(low, i32.add(low, lanes));
    });
  });
}

/**
 * `blake3Parents(groups, flags)`: the chaining values of 4 · `groups` parents of twice as many children in
 * VALUES. Overwrites the children from the first on.
 */
function parentsFunction(module: ModuleText, variant: Variant): void {
  const params = { groups: 'i32', flags: 'i32' } as const;
  module.func('blake3Parents', { params }, (body, { groups, flags }) => {
    const mixer = vectorMixer(body, variant);
    const source = body.local('i32', VALUES);
    const target = body.local('i32', VALUES);
    const value = Array.from({ length: 8 }, () => body.local('v128'));
    const zero = i32x4.splat(0);
    body.loop(groups, () => {
      loadKey(body, value);
      placeWords(
        body,
        [0, 1, 2, 3].map((i) => [source, i * 2 * VALUE_BYTES]),
        0,
      );
      const parent = i32x4.splat(i32.or(flags, FLAGS.PARENT));
      compress(body, mixer, [begin(body, 0, value, { low: zero, high: zero, flags: parent })]);
      storeValues(body, value, target);
      body.set(source, i32.add(source, 8 * VALUE_BYTES));
      body.set(target, i32.add(target, 4 * VALUE_BYTES));
    });
  });
}

function loadKey(body: Body, value: readonly Local<'v128'>[]): void {
  value.forEach((word, i) => body.set(word, v128.load32splat(0, KEY + 4 * i)));
}

/** The words of four blocks, in WORDS. @param vector 0 or 1 */
function placeWords(
  body: Body,
  blocks: readonly (readonly [Expr<'i32'>, number])[],
  vector: number,
): void {
  const place = WORDS + WORDS_BYTES * vector;
  for (let i = 0; i < 4; i++) {
    const rows = blocks.map(([pointer, offset]) => body.let(v128.load(pointer, offset + 16 * i)));
    transpose32(body, rows).forEach((word, j) => body.store(0, word, place + 64 * i + 16 * j));
  }
}

interface Inputs {
  readonly low: V128;
  readonly high: V128;
  readonly flags: V128;
}

/** Four compressions side by side: chaining values, and the resulting state. */
interface Compression extends State<'v128'> {
  readonly value: readonly Local<'v128'>[];
}

/** Of the whole blocks of WORDS. @param vector 0 or 1 */
function begin(
  body: Body,
  vector: number,
  value: readonly Local<'v128'>[],
  { low, high, flags }: Inputs,
): Compression {
  const iv = Array.from({ length: 4 }, (_, i) => v128.load32splat(0, IV_3 + 4 * i));
  const initial = [...value, ...iv, low, high, i32x4.splat(BLAKE3_BLOCK_BYTES), flags];
  const place = WORDS + WORDS_BYTES * vector;
  return {
    value,
    v: initial.map((word) => body.local('v128', word)),
    word: (i) => v128.load(0, place + 16 * i),
  };
}

/** All rounds. The results replace the chaining values. */
function compress(body: Body, mixer: Mixer<'v128'>, all: readonly Compression[]): void {
  for (const order of ORDERS) mixRound(body, mixer, all, order);
  for (const { value, v } of all) {
    value.forEach((word, i) => body.set(word, v128.xor(v[i]!, v[i + 8]!)));
  }
}

/** Four chaining values, one after the other. */
function storeValues(body: Body, value: readonly V128[], target: Expr<'i32'>): void {
  const first = transpose32(body, value.slice(0, 4));
  const second = transpose32(body, value.slice(4));
  first.forEach((half, lane) => body.store(target, half, VALUE_BYTES * lane));
  second.forEach((half, lane) => body.store(target, half, VALUE_BYTES * lane + 16));
}
