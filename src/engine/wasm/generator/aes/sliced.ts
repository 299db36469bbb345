/**
 * AES on bit planes: plane i contains bit i of the 128 bytes of eight blocks. A lane is a byte of the state,
 * a bit of the lane is a block. The S-box is a circuit (sbox.ts), rows are rotated by look-ups, and ShiftRows
 * only renames lanes (state.ts).
 */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i64x2, i8x16, v128 } from '../dsl/expression.ts';
import type { Expr, I32, V128 } from '../dsl/expression.ts';
import type { Lookup } from '../dsl/lookup.ts';
import type { ModuleText } from '../dsl/module.ts';
import {
  BITS,
  IDENTITY,
  INTO_ORDER,
  OUT_OF_ORDER,
  ROTATIONS,
  ROTATIONS_BYTES,
  SWAP_MASKS,
} from './constants.ts';
import { BLOCKS, CONTEXT, PAIR_BYTES, SLICED_KEYS, STATES } from './layout.ts';
import { substitute, substituteInverse } from './sbox.ts';
import type { Logic } from './sbox.ts';

/** Numbers of the eight bit planes. */
export const PLANES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

/** Eight vectors; vector i holds bit i of every byte. */
export type Planes = readonly V128[];

/** XOR and AND that bind their results to locals. */
function gates(body: Body): Logic<V128> {
  return {
    xor: (a, b) => body.let(v128.xor(a, b)),
    and: (a, b) => body.let(v128.and(a, b)),
  };
}

/** SubBytes without its constant. */
export const subBytes = (body: Body, planes: Planes): Planes => substitute(gates(body), planes);

/** InvSubBytes of bytes to which 0x63 was XORed. */
export const invSubBytes = (body: Body, planes: Planes): Planes =>
  substituteInverse(gates(body), planes);

/** x · a in GF(2^8), by planes. */
export function doubled(body: Body, a: Planes): Planes {
  const reduce = (i: number) => body.let(v128.xor(a[i]!, a[7]!));
  // x^8 = x^4 + x^3 + x + 1
  return [a[7]!, reduce(0), a[1]!, reduce(2), reduce(3), a[4]!, a[5]!, a[6]!];
}

/** The rotations of rows in one order of lanes. */
export interface Rotations {
  readonly one: V128;
  readonly two: V128;
}

/** @param order Nr - t in round t; only its last two bits count */
export function loadRotations(body: Body, order: I32): Rotations {
  const offset = body.let(i32.mul(i32.and(order, 3), ROTATIONS_BYTES));
  return {
    one: body.let(v128.load(offset, ROTATIONS)),
    two: body.let(v128.load(offset, ROTATIONS + 16)),
  };
}

/**
 * MixColumns (FIPS 197, section 5.1.3): 2(a_r + a_{r+1}) + a_{r+1} + (a_{r+2} + a_{r+3}).
 *
 * From the highest plane to the lowest, so that few values are live at a time: plane i of the double is plane
 * i - 1 of the pairs, and plane 7 where x^8 = x^4 + x^3 + x + 1 has a term.
 */
export function mixColumns(body: Body, lookup: Lookup, a: Planes, { one, two }: Rotations): Planes {
  const mixed: V128[] = [];
  let highest: V128 | undefined;
  let below: V128 | undefined;
  for (const i of [7, 0, 1, 2, 3, 4, 5, 6]) {
    const next = body.let(lookup(a[i]!, one));
    const pair = body.let(v128.xor(a[i]!, next));
    const sum = body.let(v128.xor(next, lookup(pair, two)));
    if (i === 7) {
      mixed[7] = sum;
      highest = pair;
    } else {
      const low = below === undefined ? sum : body.let(v128.xor(sum, below));
      const reduced = i === 0 || i === 1 || i === 3 || i === 4;
      mixed[i] = reduced ? body.let(v128.xor(low, highest!)) : low;
      below = pair;
    }
  }
  mixed[7] = body.let(v128.xor(mixed[7]!, below!));
  return mixed;
}

/** InvMixColumns is MixColumns after a_r + 4(a_r + a_{r+2}): 14, 11, 13, 9 = (2, 3, 1, 1)(5, 0, 4, 0). */
export function invMixColumns(body: Body, lookup: Lookup, a: Planes, rotations: Rotations): Planes {
  const pairs = a.map((plane) => body.let(v128.xor(plane, lookup(plane, rotations.two))));
  const fourfold = doubled(body, doubled(body, pairs));
  const added = a.map((plane, i) => body.let(v128.xor(plane, fourfold[i]!)));
  return mixColumns(body, lookup, added, rotations);
}

/** AddRoundKey. @param key address of the round's planes */
export function addKey(body: Body, planes: Planes, key: I32, offset = 0): Planes {
  return planes.map((plane, i) => body.let(v128.xor(plane, v128.load(key, offset + 16 * i))));
}

/** A byte vector as planes of which each lane is all ones or all zeros: the same for all blocks. */
export function spreadBits(body: Body, bytes: V128): Planes {
  return PLANES.map((i) => {
    const bit = body.let(v128.load(0, BITS + 16 * i));
    return body.let(i8x16.eq(v128.and(bytes, bit), bit));
  });
}

/**
 * Converts blocks to planes and back: transposes the 8 × 8 bits of each lane, by exchanging bits at distances
 * 1, 2 and 4.
 */
export function transpose(body: Body, vectors: Planes): Planes {
  const v = [...vectors];
  [1, 2, 4].forEach((distance, step) => {
    const mask = body.let(v128.load(0, SWAP_MASKS + 16 * step));
    for (const a of PLANES.filter((i) => (i & distance) === 0)) {
      const b = a + distance;
      const high = i64x2.shrU(v[a]!, distance);
      const moved = body.let(v128.and(v128.xor(high, v[b]!), mask));
      v[b] = body.let(v128.xor(v[b]!, moved));
      v[a] = body.let(v128.xor(v[a]!, i64x2.shl(moved, distance)));
    }
  });
  return v;
}

/** Variables for the planes of a state. */
export const planeVariables = (body: Body): Local<'v128'>[] => PLANES.map(() => body.local('v128'));

/** Sets eight local variables to eight planes. */
export function setPlanes(body: Body, variables: readonly Local<'v128'>[], planes: Planes): void {
  variables.forEach((variable, i) => body.set(variable, planes[i]!));
}

/** Functions of the module that all modes call. */
export function slicedFunctions(module: ModuleText, lookup: Lookup): void {
  toStates(module, lookup);
  encryptStates(module, lookup);
  decryptStates(module, lookup);
}

/**
 * Converts 16 blocks at `source` to STATES and adds the first key.
 *
 * @param order address of the look-up that permutes blocks into the order of the first round
 * @param key address of the planes of the first key
 */
function toStates(module: ModuleText, lookup: Lookup): void {
  const params = { source: 'i32', order: 'i32', key: 'i32' } as const;
  module.func('toStates', { params, exported: false }, (body, { source, order, key }) => {
    const lanes = body.let(v128.load(order));
    const target = body.local('i32', STATES);
    const groups = body.local('i32', 2);
    body.loop(groups, () => {
      const blocks = PLANES.map((i) => body.let(lookup(v128.load(source, 16 * i), lanes)));
      const planes = addKey(body, transpose(body, blocks), key);
      planes.forEach((plane, i) => body.store(target, plane, 16 * i));
      body.set(source, i32.add(source, 128));
      body.set(target, i32.add(target, 128));
    });
  });
}

/** The planes of both groups in variables, loaded from STATES. */
function loadStates(body: Body): Local<'v128'>[][] {
  return [0, 128].map((group) =>
    PLANES.map((i) => body.local('v128', v128.load(0, STATES + group + 16 * i))),
  );
}

/**
 * Ends both groups, one after the other: from variables, through STATES, to blocks at BLOCKS.
 *
 * @param end from planes before the last round to planes after it
 * @param order permutes blocks into natural order, if necessary
 */
function storeBlocks(
  body: Body,
  states: readonly (readonly V128[])[],
  end: (planes: Planes) => Planes,
  order: (block: V128) => V128,
): void {
  states.flat().forEach((plane, i) => body.store(0, plane, STATES + 16 * i));
  const group = body.local('i32', 0);
  body.while(i32.ltU(group, PAIR_BYTES), () => {
    const planes = PLANES.map((i) => body.let(v128.load(group, STATES + 16 * i)));
    transpose(body, end(planes)).forEach((block, i) => {
      body.store(group, order(block), BLOCKS + 16 * i);
    });
    body.set(group, i32.add(group, 128));
  });
}

/**
 * Rounds `first` … Nr: from STATES, to which the previous round's key was added, to BLOCKS.
 *
 * The groups alternate, round by round. A round is a long chain of gates, during which the processor works on
 * the other group.
 */
function encryptStates(module: ModuleText, lookup: Lookup): void {
  const signature = { params: { first: 'i32' }, exported: false } as const;
  module.func('encryptStates', signature, (body, { first }) => {
    const states = loadStates(body);
    const count = body.local('i32', i32.sub(i32.load(0, CONTEXT), first));
    const key = body.local('i32', i32.add(i32.shl(first, 7), SLICED_KEYS));
    body.loop(count, () => {
      // In round t, count is Nr - t.
      const rotations = loadRotations(body, count);
      for (const state of states) {
        const mixed = mixColumns(body, lookup, subBytes(body, state), rotations);
        setPlanes(body, state, addKey(body, mixed, key));
      }
      body.set(key, i32.add(key, 128));
    });
    const end = (planes: Planes) => addKey(body, subBytes(body, planes), key);
    storeBlocks(body, states, end, (block) => block);
  });
}

/**
 * The inverse cipher with the same keys in the opposite order, from STATES, to which the last key was added.
 */
function decryptStates(module: ModuleText, lookup: Lookup): void {
  module.func('decryptStates', { exported: false }, (body) => {
    const states = loadStates(body);
    const rounds = body.let(i32.load(0, CONTEXT));
    const count = body.local('i32', i32.sub(rounds, 1));
    const order = body.local('i32', 0);
    const key = body.local('i32', i32.add(i32.shl(rounds, 7), SLICED_KEYS));
    body.loop(count, () => {
      body.set(key, i32.sub(key, 128));
      body.set(order, i32.add(order, 1));
      const rotations = loadRotations(body, order);
      for (const state of states) {
        const keyed = addKey(body, invSubBytes(body, state), key);
        setPlanes(body, state, invMixColumns(body, lookup, keyed, rotations));
      }
    });
    const natural = body.let(v128.load(i32.shl(i32.and(rounds, 3), 4), OUT_OF_ORDER));
    const end = (planes: Planes) => addKey(body, invSubBytes(body, planes), SLICED_KEYS);
    storeBlocks(body, states, end, (block) => lookup(block, natural));
  });
}

/** Encrypts 16 blocks at `source` to BLOCKS. */
export function encryptPair(body: Body, source: I32, rounds: Expr<'i32'>): void {
  const order = i32.add(i32.shl(i32.and(rounds, 3), 4), INTO_ORDER);
  body.call('toStates', source, order, SLICED_KEYS);
  body.call('encryptStates', 1);
}

/** Decrypts 16 blocks at `source` to BLOCKS. */
export function decryptPair(body: Body, source: I32, rounds: Expr<'i32'>): void {
  body.call('toStates', source, IDENTITY, i32.add(i32.shl(rounds, 7), SLICED_KEYS));
  body.call('decryptStates');
}

/** Overwrites the memory of the last pair. */
export function wipePair(body: Body): void {
  body.emit('memory.fill', STATES, 0, 2 * PAIR_BYTES);
}
