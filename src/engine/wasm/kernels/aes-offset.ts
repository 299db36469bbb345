/**
 * The blocks of OCB (RFC 7253, section 4): Offset_i = Offset_{i-1} ⊕ L_{ntz(i)}, and
 * C_i = Offset_i ⊕ E(P_i ⊕ Offset_i).
 *
 * Within eight blocks after a multiple of eight, what an offset adds to the one before them is the
 * same each time, but for the eighth, whose ntz depends on the place in the message.
 */
import type { Body } from '../kernel/body.ts';
import { i32, i8x16, op, v128 } from '../kernel/expression.ts';
import type { Expr, V128 } from '../kernel/expression.ts';
import type { Lookup } from '../kernel/lookup.ts';
import type { ModuleText } from '../kernel/module.ts';
import { CARRY, INTO_ORDER, OUT_OF_ORDER } from './aes-constants.ts';
import {
  CONTEXT,
  GROUP_BYTES,
  OFFSET,
  OFFSET_DOLLAR,
  OFFSETS,
  OFFSET_MASKS,
  OFFSET_STEPS,
  SLICED_KEYS,
  SUBKEY,
  SUM,
} from './aes-layout.ts';
import {
  addKey,
  decryptRounds,
  encryptRounds,
  PLANES,
  planeVariables,
  setPlanes,
  transpose,
} from './aes-sliced.ts';

/** L_0 … L_31: more than 2^31 blocks, 32 GiB, do not fit one message. */
const MASKS = 32;

export function offsetFunctions(module: ModuleText, lookup: Lookup): void {
  prepareOffsets(module);
  offsetMany(module, lookup, true);
  offsetMany(module, lookup, false);
  maskBlocks(module);
  unmaskBlocks(module);
  sumBlocks(module);
}

/** OFFSET_MASKS, OFFSET_STEPS and OFFSET_DOLLAR from SUBKEY, which is L_*. */
function prepareOffsets(module: ModuleText): void {
  module.func('prepareOffsets', {}, (body) => {
    const carries = body.let(v128.load(0, CARRY));
    const zero = body.let(v128.const(new Uint8Array(16)));
    /** double(S) of RFC 7253, section 2: bytes shifted, each taking the next one's highest bit. */
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
 * Groups of 8 blocks after `index` blocks, a multiple of 8. OFFSET is the offset before them and
 * is moved on; SUM gets all blocks of plaintext added.
 */
function offsetMany(module: ModuleText, lookup: Lookup, encrypts: boolean): void {
  const params = { offset: 'i32', groups: 'i32', index: 'i32' } as const;
  const name = encrypts ? 'offsetEncryptMany' : 'offsetDecryptMany';
  module.func(name, { params }, (body, { offset, groups, index }) => {
    const rounds = body.let(i32.load(0, CONTEXT));
    const orders = encrypts ? INTO_ORDER : OUT_OF_ORDER;
    const order = body.let(v128.load(i32.shl(i32.and(rounds, 3), 4), orders));
    const base = body.local('v128', v128.load(0, OFFSET));
    const sum = body.local('v128', v128.load(0, SUM));
    const next = body.local('v128');
    const state = planeVariables(body);
    const masks = () =>
      PLANES.map((i) =>
        i < 7 ? body.let(v128.xor(base, v128.load(0, OFFSET_STEPS + 16 * i))) : next,
      );
    const add = (blocks: readonly V128[]) => {
      body.set(
        sum,
        blocks.reduce((total, block) => v128.xor(total, block), sum),
      );
    };
    body.loop(groups, () => {
      body.set(index, i32.add(index, 8));
      const step = v128.xor(v128.load(0, OFFSET_STEPS + 16 * 6), maskOf(index));
      body.set(next, v128.xor(base, step));
      const source = PLANES.map((i) => body.let(v128.load(offset, 16 * i)));
      if (encrypts) add(source);
      const masked = masks().map((mask, i) => body.let(v128.xor(source[i]!, mask)));
      const result = transpose(
        body,
        encrypts
          ? encryptGroup(
              body,
              lookup,
              masked.map((block) => body.let(lookup(block, order))),
              state,
              rounds,
            )
          : decryptGroup(body, lookup, masked, state, rounds),
      );
      const ordered = encrypts ? result : result.map((block) => lookup(block, order));
      const unmasked = masks().map((mask, i) => body.let(v128.xor(ordered[i]!, mask)));
      if (!encrypts) add(unmasked);
      unmasked.forEach((block, i) => body.store(offset, block, 16 * i));
      body.set(base, next);
      body.set(offset, i32.add(offset, GROUP_BYTES));
    });
    body.store(0, base, OFFSET);
    body.store(0, sum, SUM);
  });
}

type Variables = ReturnType<typeof planeVariables>;

function encryptGroup(
  body: Body,
  lookup: Lookup,
  blocks: readonly V128[],
  state: Variables,
  rounds: Expr<'i32'>,
): readonly V128[] {
  setPlanes(body, state, addKey(body, transpose(body, blocks), SLICED_KEYS));
  return encryptRounds(body, lookup, state, rounds, 1);
}

function decryptGroup(
  body: Body,
  lookup: Lookup,
  blocks: readonly V128[],
  state: Variables,
  rounds: Expr<'i32'>,
): readonly V128[] {
  setPlanes(body, state, transpose(body, blocks));
  return decryptRounds(body, lookup, state, rounds);
}

/**
 * Adds its offset to each of some blocks after `index` blocks. OFFSET is moved on; the offsets of
 * the last eight are left in OFFSETS, that of block i in place (i - index) mod 8.
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
      body.set(place, i32.and(i32.add(place, 16), GROUP_BYTES - 1));
    });
    body.store(0, mask, OFFSET);
  });
}

/** Adds the offsets that `maskBlocks` has left. @param blocks at most 8 */
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
