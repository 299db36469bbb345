/**
 * AES on bit planes: plane i holds bit i of the 128 bytes of eight blocks. A lane is a byte of the
 * state, a bit of the lane is a block. The S-box is a circuit (aes-sbox.ts), rows are rotated by
 * look-ups, and ShiftRows is a matter of naming (aes-state.ts).
 */
import type { Body, Local } from '../kernel/body.ts';
import { i32, i64x2, i8x16, v128 } from '../kernel/expression.ts';
import type { Expr, I32, V128 } from '../kernel/expression.ts';
import type { Lookup } from '../kernel/lookup.ts';
import { BITS, ROTATIONS, ROTATIONS_BYTES, SWAP_MASKS } from './aes-constants.ts';
import { SLICED_KEYS } from './aes-layout.ts';
import { substitute, substituteInverse } from './aes-sbox.ts';
import type { Logic } from './aes-sbox.ts';

export const PLANES = [0, 1, 2, 3, 4, 5, 6, 7] as const;

export type Planes = readonly V128[];

/** XOR and AND whose results are kept. */
function gates(body: Body): Logic<V128> {
  return {
    xor: (a, b) => body.let(v128.xor(a, b)),
    and: (a, b) => body.let(v128.and(a, b)),
  };
}

/** SubBytes without its constant. */
export const subBytes = (body: Body, planes: Planes): Planes => substitute(gates(body), planes);

/** InvSubBytes of bytes from which 0x63 has been taken. */
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

/** MixColumns (FIPS 197, section 5.1.3): 2(a_r + a_{r+1}) + a_{r+1} + (a_{r+2} + a_{r+3}). */
export function mixColumns(body: Body, lookup: Lookup, a: Planes, { one, two }: Rotations): Planes {
  const next = a.map((plane) => body.let(lookup(plane, one)));
  const pairs = a.map((plane, i) => body.let(v128.xor(plane, next[i]!)));
  const sums = pairs.map((pair, i) => body.let(v128.xor(next[i]!, lookup(pair, two))));
  return doubled(body, pairs).map((plane, i) => body.let(v128.xor(plane, sums[i]!)));
}

/** InvMixColumns is MixColumns after a_r + 4(a_r + a_{r+2}): 14, 11, 13, 9 = (2, 3, 1, 1)(5, 0, 4, 0). */
export function invMixColumns(body: Body, lookup: Lookup, a: Planes, rotations: Rotations): Planes {
  const pairs = a.map((plane) => body.let(v128.xor(plane, lookup(plane, rotations.two))));
  const fourfold = doubled(body, doubled(body, pairs));
  const added = a.map((plane, i) => body.let(v128.xor(plane, fourfold[i]!)));
  return mixColumns(body, lookup, added, rotations);
}

/** AddRoundKey. @param key where the round's planes are */
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
 * Blocks to planes and back: the 8 × 8 bits of each lane change places, by exchanging what differs
 * at distances 1, 2 and 4.
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

export function setPlanes(body: Body, variables: readonly Local<'v128'>[], planes: Planes): void {
  variables.forEach((variable, i) => body.set(variable, planes[i]!));
}

/**
 * Rounds `first` … Nr.
 *
 * @param state planes that hold the key of the round before
 * @returns planes in natural order
 */
export function encryptRounds(
  body: Body,
  lookup: Lookup,
  state: readonly Local<'v128'>[],
  rounds: Expr<'i32'>,
  first: number,
): Planes {
  const count = body.local('i32', i32.sub(rounds, first));
  const key = body.local('i32', SLICED_KEYS + 128 * first);
  body.loop(count, () => {
    // In round t, count is Nr - t.
    const rotations = loadRotations(body, count);
    const mixed = mixColumns(body, lookup, subBytes(body, state), rotations);
    setPlanes(body, state, addKey(body, mixed, key));
    body.set(key, i32.add(key, 128));
  });
  return addKey(body, subBytes(body, state), key);
}

/**
 * All rounds of the inverse cipher, with the same keys in the opposite order.
 *
 * @param state ciphertext in planes, in natural order
 * @returns planes in the order Nr
 */
export function decryptRounds(
  body: Body,
  lookup: Lookup,
  state: readonly Local<'v128'>[],
  rounds: Expr<'i32'>,
): Planes {
  const count = body.local('i32', i32.sub(rounds, 1));
  const order = body.local('i32', 0);
  const key = body.local('i32', i32.add(i32.shl(rounds, 7), SLICED_KEYS));
  setPlanes(body, state, invSubBytes(body, addKey(body, state, key)));
  body.loop(count, () => {
    body.set(key, i32.sub(key, 128));
    body.set(order, i32.add(order, 1));
    const keyed = addKey(body, state, key);
    const unmixed = invMixColumns(body, lookup, keyed, loadRotations(body, order));
    setPlanes(body, state, invSubBytes(body, unmixed));
  });
  return addKey(body, state, SLICED_KEYS);
}
