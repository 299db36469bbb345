/**
 * The blocks of OCB (RFC 7253, section 4): Offset_i = Offset_{i-1} ⊕ L_{ntz(i)}, and C_i = Offset_i ⊕ E(P_i ⊕
 * Offset_i).
 *
 * For eight blocks after a multiple of eight, the differences between their offsets and the preceding one are
 * always the same, except for the eighth, whose ntz depends on the position in the message.
 */
import { i32, i8x16, op, v128 } from '../dsl/expression.ts';
import type { Expr, V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { CARRY } from './constants.ts';
import {
  BLOCKS,
  CONTEXT,
  OFFSET,
  OFFSET_DOLLAR,
  OFFSET_MASKS,
  OFFSET_STEPS,
  OFFSETS,
  PAIR_BYTES,
  SUBKEY,
  SUM,
} from './layout.ts';
import { decryptPair, encryptPair, PLANES, wipePair } from './sliced.ts';

/** L_0 … L_31: a message of more than 2^31 blocks (32 GiB) is not supported. */
const MASKS = 32;

/** Adds the exports of OCB's offsets and masked blocks (RFC 7253). */
export function offsetFunctions(module: ModuleText): void {
  prepareOffsets(module);
  offsetMany(module, 'offsetEncryptMany', true);
  offsetMany(module, 'offsetDecryptMany', false);
  maskBlocks(module);
  unmaskBlocks(module);
  sumBlocks(module);
}

/** Computes OFFSET_MASKS, OFFSET_STEPS and OFFSET_DOLLAR from SUBKEY, which is L_*. */
function prepareOffsets(module: ModuleText): void {
  module.func('prepareOffsets', {}, (body) => {
    const carries = body.let(v128.load(0, CARRY));
    const zero = body.let(v128.const(new Uint8Array(16)));
    /** double(S) of RFC 7253, section 2: a shift of bytes, each taking the next one's highest bit. */
    const double = (x: V128): V128 => {
      const highest = body.let(op('v128', 'i8x16.lt_s', x, zero));
      const moved = i8x16.shuffle(highest, highest, PLANES_AFTER);
      return v128.xor(i8x16.add(x, x), v128.and(moved, carries));
    };
    // L_$ = double(L_*); L_0 = double(L_$); L_i = double(L_{i-1})
    const mask = body.local('v128', double(body.let(v128.load(0, SUBKEY))));
    body.store(0, mask, OFFSET_DOLLAR);
    const target = body.local('i32', 0);
    body.while(i32.ltU(target, 16 * MASKS), () => {
      body.set(mask, double(mask));
      body.store(target, mask, OFFSET_MASKS);
      body.set(target, i32.add(target, 16));
    });
    // After block j of eight, L_b has been added an odd number of times if bit b of j ⊕ (j >> 1) is 1.
    const l = [0, 1, 2].map((i) => body.let(v128.load(0, OFFSET_MASKS + 16 * i)));
    for (let j = 1; j < 8; j++) {
      const terms = l.filter((_, bit) => (((j ^ (j >> 1)) >> bit) & 1) === 1);
      body.store(
        0,
        terms.reduce((sum, term) => v128.xor(sum, term)),
        OFFSET_STEPS + 16 * (j - 1),
      );
    }
  });
}

/** Lane i from lane i + 1. */
const PLANES_AFTER = Array.from({ length: 16 }, (_, lane) => (lane + 1) & 15);

/** L_{ntz(index)} */
const maskOf = (index: Expr<'i32'>): V128 => v128.load(i32.shl(i32.ctz(index), 4), OFFSET_MASKS);

/**
 * 16 blocks at once, after `index` blocks, a multiple of 8. Updates OFFSET, the offset before them; XORs all
 * blocks of plaintext to SUM.
 */
function offsetMany(module: ModuleText, name: string, encrypts: boolean): void {
  const params = { offset: 'i32', pairs: 'i32', index: 'i32' } as const;
  module.func(name, { params }, (body, { offset, pairs, index }) => {
    const rounds = body.let(i32.load(0, CONTEXT));
    const sum = body.local('v128', v128.load(0, SUM));
    /** The offsets before the pair, between its groups, and after it. */
    const bases = [0, 1, 2].map(() => body.local('v128', v128.load(0, OFFSET)));
    /** Each block's offset, for one group after the other. */
    const each = (work: (mask: V128, at: number) => void) => {
      for (const group of [0, 1]) {
        for (const i of PLANES) {
          const step = v128.load(0, OFFSET_STEPS + 16 * i);
          const mask = i < 7 ? v128.xor(bases[group]!, step) : bases[group + 1]!;
          work(mask, 128 * group + 16 * i);
        }
      }
    };
    body.loop(pairs, () => {
      for (const group of [0, 1]) {
        body.set(index, i32.add(index, 8));
        const step = v128.xor(v128.load(0, OFFSET_STEPS + 16 * 6), maskOf(index));
        body.set(bases[group + 1]!, v128.xor(bases[group]!, step));
      }
      each((mask, at) => {
        const block = body.let(v128.load(offset, at));
        if (encrypts) body.set(sum, v128.xor(sum, block));
        body.store(0, v128.xor(block, mask), BLOCKS + at);
      });
      if (encrypts) encryptPair(body, BLOCKS, rounds);
      else decryptPair(body, BLOCKS, rounds);
      each((mask, at) => {
        const block = body.let(v128.xor(v128.load(0, BLOCKS + at), mask));
        if (!encrypts) body.set(sum, v128.xor(sum, block));
        body.store(offset, block, at);
      });
      body.set(bases[0]!, bases[2]!);
      body.set(offset, i32.add(offset, PAIR_BYTES));
    });
    body.store(0, bases[0]!, OFFSET);
    body.store(0, sum, SUM);
    wipePair(body);
  });
}

/**
 * XORs its offset to each of some blocks after `index` blocks. Updates OFFSET. Writes the offsets of the last
 * 16 to OFFSETS, that of block i at index (i - index) mod 16.
 */
function maskBlocks(module: ModuleText): void {
  const params = { offset: 'i32', blocks: 'i32', index: 'i32' } as const;
  module.func('maskBlocks', { params }, (body, { offset, blocks, index }) => {
    const mask = body.local('v128', v128.load(0, OFFSET));
    const place = body.local('i32', 0);
    body.loop(blocks, () => {
      body.set(index, i32.add(index, 1));
      body.set(mask, v128.xor(mask, maskOf(index)));
      body.store(place, mask, OFFSETS);
      body.store(offset, v128.xor(v128.load(offset), mask));
      body.set(offset, i32.add(offset, 16));
      body.set(place, i32.and(i32.add(place, 16), PAIR_BYTES - 1));
    });
    body.store(0, mask, OFFSET);
  });
}

/** XORs the offsets that `maskBlocks` wrote. @param blocks at most 16 */
function unmaskBlocks(module: ModuleText): void {
  const params = { offset: 'i32', blocks: 'i32' } as const;
  module.func('unmaskBlocks', { params }, (body, { offset, blocks }) => {
    const place = body.local('i32', 0);
    body.loop(blocks, () => {
      body.store(offset, v128.xor(v128.load(offset), v128.load(place, OFFSETS)));
      body.set(offset, i32.add(offset, 16));
      body.set(place, i32.add(place, 16));
    });
  });
}

/** SUM ⊕= all blocks. */
function sumBlocks(module: ModuleText): void {
  const params = { offset: 'i32', blocks: 'i32' } as const;
  module.func('sumBlocks', { params }, (body, { offset, blocks }) => {
    const sum = body.local('v128', v128.load(0, SUM));
    body.loop(blocks, () => {
      body.set(sum, v128.xor(sum, v128.load(offset)));
      body.set(offset, i32.add(offset, 16));
    });
    body.store(0, sum, SUM);
  });
}
