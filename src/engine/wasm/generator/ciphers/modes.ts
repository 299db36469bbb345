/**
 * What every module of an old block cipher has around its cipher: loops over blocks, and what modes XOR to
 * blocks (counters, offsets, previous ciphertext).
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i32x4, i64, i64x2, i8x16, v128 } from '../dsl/expression.ts';
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { transpose32 } from '../dsl/transpose.ts';
import { shuffle32 } from '../dsl/words.ts';
import { CHAIN, COUNTER, GROUP_BYTES, OFFSET, OFFSETS, PAIR_BYTES, STEPS, SUM } from './layout.ts';

/** Lanes of 32 bits in which a block's last word is; the others are its first words. */
const COUNTING = { 8: [1, 3], 16: [3] } as const;

/**
 * The modes of a cipher with such blocks.
 *
 * @param cryptBytes what its functions `encrypt` and `decrypt` process at once
 */
export function modeFunctions(
  module: ModuleText,
  blockBytes: 8 | 16,
  cryptBytes = GROUP_BYTES,
): void {
  counters(module, blockBytes);
  offsets(module, blockBytes);
  offsetGroups(module, 'offsetEncrypt', blockBytes, 'encrypt', cryptBytes);
  offsetGroups(module, 'offsetDecrypt', blockBytes, 'decrypt', cryptBytes);
  add(module);
}

/**
 * Writes whole vectors of counter blocks, from those at COUNTER on, and updates these. The last 32 bits count
 * and wrap without a carry (inc32 of SP 800-38D, section 6.2).
 */
function counters(module: ModuleText, blockBytes: 8 | 16): void {
  const lanes: readonly number[] = COUNTING[blockBytes];
  const step = Array.from({ length: 16 }, (_, i) => (lanes.includes(i / 4) ? 16 / blockBytes : 0));
  // Blocks are big-endian, so that the word that counts is reversed.
  const order = Array.from({ length: 16 }, (_, i) => (lanes.includes(i >> 2) ? i ^ 3 : i));
  const params = { at: 'i32', vectors: 'i32' } as const;
  module.func('counters', { params }, (body, { at, vectors }) => {
    const counter = body.local('v128', v128.load(0, COUNTER));
    body.loop(vectors, () => {
      body.store(at, i8x16.shuffle(counter, counter, order));
      body.set(counter, i32x4.add(counter, v128.const(step)));
      body.set(at, i32.add(at, 16));
    });
    body.store(0, counter, COUNTER);
  });
}

/**
 * OCB (RFC 7253, section 4.2), for the blocks after number `index`: Offset_i = Offset_{i-1} xor L_{ntz(i)},
 * which is XORed to the text and written to `mask`. Updates OFFSET.
 */
function offsets(module: ModuleText, blockBytes: 8 | 16): void {
  const params = { text: 'i32', mask: 'i32', blocks: 'i32', index: 'i32' } as const;
  const { type, load, xor } =
    blockBytes === 16
      ? { type: 'v128' as const, load: v128.load, xor: v128.xor }
      : { type: 'i64' as const, load: i64.load, xor: i64.xor };
  const shift = Math.log2(blockBytes);
  module.func('offsets', { params }, (body, { text, mask, blocks, index }) => {
    const offset = body.local<'v128' | 'i64'>(type, load(0, OFFSET));
    const added = (a: Expr, b: Expr): Expr<'v128' | 'i64'> => xor(a as never, b as never);
    body.loop(blocks, () => {
      body.set(index, i32.add(index, 1));
      const place = i32.shl(i32.ctz(index), shift);
      body.set(offset, added(offset, load(place, OFFSETS)));
      body.store(mask, offset);
      body.store(text, added(offset, load(text)));
      body.set(text, i32.add(text, blockBytes));
      body.set(mask, i32.add(mask, blockBytes));
    });
    body.store(0, offset, OFFSET);
  });
}

/**
 * OCB for whole groups of GROUP_BYTES, or of what `crypt` processes at once if that is more, after `index` blocks, a multiple of those of a group: P_i or C_i in
 * place, Offset_i as in `offsets`. Updates OFFSET, and XORs all plaintext to SUM.
 *
 * Between index and index + n the masks L_0 … are added in the same order whatever the index, except for the
 * last block of a group, whose ntz is that of index + n.
 *
 * @param crypt the function that processes groups: `encrypt` or `decrypt`
 * @param cryptBytes what it processes at once
 */
function offsetGroups(
  module: ModuleText,
  name: string,
  blockBytes: 8 | 16,
  crypt: 'encrypt' | 'decrypt',
  cryptBytes: number,
): void {
  const groupBytes = Math.max(GROUP_BYTES, cryptBytes);
  const blocks = groupBytes / blockBytes;
  const vectors = Array.from({ length: groupBytes / 16 }, (_, i) => i);
  const shift = Math.log2(blockBytes);
  const load = blockBytes === 16 ? v128.load : v128.load64splat;
  const params = { at: 'i32', groups: 'i32', index: 'i32' } as const;
  module.func(name, { params }, (body, { at, groups, index }) => {
    steps(body, blockBytes, blocks);
    /** Offset_index, in both halves for blocks of 8 bytes. */
    const base = body.local('v128', load(0, OFFSET));
    const next = body.local('v128');
    const sum = body.local('v128', v128.load(0, SUM));
    const last = vectors.length - 1;
    const maskOf = (i: number): V128 => {
      if (i < last) return v128.xor(base, v128.load(0, STEPS + 16 * i));
      if (blockBytes === 16) return next;
      return shuffle32(v128.xor(base, v128.load(0, STEPS + 16 * i)), next, [0, 1, 4, 5]);
    };
    const each = (work: (mask: V128, offset: number) => void): void => {
      vectors.forEach((i) => work(maskOf(i), 16 * i));
    };
    const addText = (text: V128): void => body.set(sum, v128.xor(sum, text));
    body.loop(groups, () => {
      body.set(index, i32.add(index, blocks));
      // The step without L_{ntz(index)} is the last one.
      const step = load(0, STEPS + groupBytes - blockBytes);
      body.set(next, v128.xor(v128.xor(base, step), load(i32.shl(i32.ctz(index), shift), OFFSETS)));
      each((mask, offset) => {
        const text = body.let(v128.load(at, offset));
        if (crypt === 'encrypt') addText(text);
        body.store(at, v128.xor(text, mask), offset);
      });
      body.call(crypt, at, groupBytes / cryptBytes);
      each((mask, offset) => {
        const text = body.let(v128.xor(v128.load(at, offset), mask));
        if (crypt === 'decrypt') addText(text);
        body.store(at, text, offset);
      });
      body.set(base, next);
      body.set(at, i32.add(at, groupBytes));
    });
    if (blockBytes === 16) body.store(0, base, OFFSET);
    else body.store(0, i64x2.extract(0, base), OFFSET);
    body.store(0, sum, SUM);
  });
}

/**
 * Writes STEPS. After block j of a group, L_b has been added an odd number of times if bit b of the Gray code
 * j ⊕ (j >> 1) is 1. The last step has all of a group but L_{ntz}, which the Gray code of j - 1 says.
 */
function steps(body: Body, blockBytes: 8 | 16, blocks: number): void {
  const load = blockBytes === 16 ? v128.load : i64.load;
  const xor = blockBytes === 16 ? v128.xor : i64.xor;
  const step = body.local<'v128' | 'i64'>(blockBytes === 16 ? 'v128' : 'i64');
  for (let j = 1; j <= blocks; j++) {
    const mask = load(0, OFFSETS + blockBytes * (31 - Math.clz32(j & -j)));
    if (j < blocks) body.set(step, xor(step as never, mask as never));
    body.store(0, step, STEPS + blockBytes * (j - 1));
  }
}

/** XORs whole vectors. */
function add(module: ModuleText): void {
  const params = { text: 'i32', mask: 'i32', vectors: 'i32' } as const;
  module.func('add', { params }, (body, { text, mask, vectors }) => {
    body.loop(vectors, () => {
      body.store(text, v128.xor(v128.load(text), v128.load(mask)));
      body.set(text, i32.add(text, 16));
      body.set(mask, i32.add(mask, 16));
    });
  });
}

/** A function over whole groups, in place. */
export function groupFunction(
  module: ModuleText,
  name: string,
  prepare: (body: Body) => (at: I32) => void,
  groupBytes = GROUP_BYTES,
): void {
  const params = { at: 'i32', groups: 'i32' } as const;
  module.func(name, { params }, (body, { at, groups }) => {
    const turn = prepare(body);
    body.loop(groups, () => {
      turn(at);
      body.set(at, i32.add(at, groupBytes));
    });
  });
}

/** The four words of four blocks, a word to a vector. They are variables. */
export type VectorState = readonly Local<'v128'>[];

/**
 * Groups of four blocks of 16 bytes, which take turns, because one is a chain of dependent instructions.
 *
 * @param count how many
 * @param prepare makes what the cipher needs beside them, once; the result changes them in place
 * @returns for `groupFunction`
 */
export function inVectors(
  body: Body,
  count: number,
  prepare: (states: readonly VectorState[]) => () => void,
): (at: I32) => void {
  const states = Array.from({ length: count }, () => [0, 1, 2, 3].map(() => body.local('v128')));
  const crypt = prepare(states);
  return (at) => {
    states.forEach((state, group) => {
      const blocks = [0, 1, 2, 3].map((i) => body.let(v128.load(at, 64 * group + 16 * i)));
      transpose32(body, blocks).forEach((word, i) => body.set(state[i]!, word));
    });
    crypt();
    states.forEach((state, group) => {
      transpose32(body, state).forEach((block, i) => body.store(at, block, 64 * group + 16 * i));
    });
  };
}

/** A block as words of 32 bits in the byte order of the host. */
export type Block = readonly Expr<'i32'>[];

/** The functions that encrypt one block after the other: those of few blocks, and of CBC. */
export function singleFunctions(
  module: ModuleText,
  blockBytes: 8 | 16,
  encrypt: (body: Body, block: Block) => Block,
): void {
  const words = Array.from({ length: blockBytes / 4 }, (_, i) => 4 * i);
  const params = { at: 'i32', blocks: 'i32' } as const;
  module.func('encryptFew', { params }, (body, { at, blocks }) => {
    body.loop(blocks, () => {
      const block = words.map((word) => body.let(i32.load(at, word)));
      encrypt(body, block).forEach((word, i) => body.store(at, word, words[i]));
      body.set(at, i32.add(at, blockBytes));
    });
  });
  // SP 800-38A, section 6.2: C_j = E(P_j ⊕ C_{j-1}). Updates CHAIN.
  module.func('cbcEncrypt', { params }, (body, { at, blocks }) => {
    const chain = words.map((word) => body.local('i32', i32.load(0, CHAIN + word)));
    body.loop(blocks, () => {
      const block = chain.map((last, i) => body.let(i32.xor(last, i32.load(at, words[i]))));
      encrypt(body, block).forEach((word, i) => body.set(chain[i]!, word));
      chain.forEach((word, i) => body.store(at, word, words[i]));
      body.set(at, i32.add(at, blockBytes));
    });
    chain.forEach((word, i) => body.store(0, word, CHAIN + words[i]!));
  });
}

/** Words of several blocks, which take turns. They are variables. */
export type States = readonly (readonly Local<'i32'>[])[];

/**
 * All functions of a cipher of blocks of 16 bytes whose tables allow no vectors: pairs of blocks, because one is
 * a chain of dependent instructions.
 *
 * @param crypt both directions, in place
 */
export function tableFunctions(
  module: ModuleText,
  crypt: Readonly<Record<'encrypt' | 'decrypt', (body: Body, states: States) => void>>,
): void {
  modeFunctions(module, 16, PAIR_BYTES);
  singleFunctions(module, 16, (body, block) => {
    const state = block.map((word) => body.local('i32', word));
    crypt.encrypt(body, [state]);
    return state;
  });
  for (const name of ['encrypt', 'decrypt'] as const) {
    const prepare = (body: Body) => {
      const states = [0, 16].map(() => [0, 1, 2, 3].map(() => body.local('i32')));
      return (at: I32): void => {
        states.forEach((state, block) => {
          state.forEach((word, i) => body.set(word, i32.load(at, 16 * block + 4 * i)));
        });
        crypt[name](body, states);
        states.forEach((state, block) => {
          state.forEach((word, i) => body.store(at, word, 16 * block + 4 * i));
        });
      };
    };
    groupFunction(module, name, prepare, PAIR_BYTES);
  }
}
