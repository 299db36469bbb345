/**
 * The Argon2 module (RFC 9106): the compression function G, and functions that fill a part of a segment. Its memory
 * grows to the size for the parameters before a derivation begins. Each derivation in progress has its own instance.
 *
 * Constant time: `fillByPosition`, whose addresses depend on the position in the matrix alone, and which is all of
 * Argon2i and the first half of Argon2id's first pass. `fillByContent` reads at addresses that depend on the password,
 * by design (sections 3.4 and 7).
 */
import type { Body } from '../dsl/body.ts';
import { i32, i64, i64x2, op, v128 } from '../dsl/expression.ts';
import type { Expr, V128 } from '../dsl/expression.ts';
import { ModuleText } from '../dsl/module.ts';
import { shiftIn, shuffle32 } from '../dsl/words.ts';
import {
  ADDRESSES,
  ADDRESSES_PER_BLOCK,
  ARGON2_BLOCK_BYTES,
  BLOCKS,
  COUNTER,
  INPUT,
  ZEROS,
} from './argon2-layout.ts';

/** The address space of WebAssembly; the parameters determine how much of it is used. */
const MOST_BYTES = 2 ** 32;

/**
 * @param isShared whether several threads, each with an instance of its own, fill the lanes of one memory
 * @returns the module in WebAssembly's text format, the same in both variants
 */
export function argon2Module(isShared = false): string {
  const module = new ModuleText(BLOCKS, MOST_BYTES, isShared);
  // Two of each, so that the proof of constant time tells them apart.
  for (const by of ['Position', 'Content'] as const) {
    compressFunction(module, by);
    fillFunction(module, by);
  }
  addressesFunction(module);
  return module.toString();
}

/** What the addresses of blocks depend on. */
type By = 'Position' | 'Content';

/**
 * `compressBy…(x, y, target, r, again)`: target = G(x, y), or target ⊕ G(x, y) if `again` is not 0 (section 3.5).
 *
 * @param target may be y
 * @param r where P works, 1,024 bytes
 */
function compressFunction(module: ModuleText, by: By): void {
  const params = { x: 'i32', y: 'i32', target: 'i32', r: 'i32', again: 'i32' } as const;
  const signature = { params, exported: false };
  module.func(`compressBy${by}`, signature, (body, { x, y, target, r, again }) => {
    const [fromX, fromY, at] = [body.local('i32', x), body.local('i32', y), body.local('i32', r)];
    const to = body.local('i32', target);
    const count = body.local('i32', 8);
    // R = X ⊕ Y, also into the target. All of Y is read first, because most of it is not in a cache.
    body.loop(count, () => {
      const pairs = ROW.map((offset) =>
        body.let(v128.xor(v128.load(fromX, offset), v128.load(fromY, offset))),
      );
      pairs.forEach((pair, i) => body.store(at, pair, ROW[i]));
      // Memory that was never written is not read: the system would provide its pages twice.
      body.if(
        again,
        () => pairs.forEach((pair, i) => addAt(body, to, ROW[i]!, pair)),
        () => pairs.forEach((pair, i) => body.store(to, pair, ROW[i])),
      );
      for (const pointer of [fromX, fromY, at, to]) body.set(pointer, i32.add(pointer, ROW_BYTES));
    });
    // P on each row: eight pairs of words
    body.set(at, r);
    body.set(count, 4);
    body.loop(count, () => {
      permuteTwo(body, at, ROW, ROW_BYTES, (offset, pair) => body.store(at, pair, offset));
      body.set(at, i32.add(at, 2 * ROW_BYTES));
    });
    // P on each column of pairs; what it gives, ⊕ R
    body.set(at, r);
    body.set(to, target);
    body.set(count, 4);
    body.loop(count, () => {
      permuteTwo(body, at, COLUMN, PAIR_BYTES, (offset, pair) => addAt(body, to, offset, pair));
      for (const pointer of [at, to]) body.set(pointer, i32.add(pointer, 2 * PAIR_BYTES));
    });
  });
}

const PAIR_BYTES = 16;
const ROW_BYTES = 128;
const ROW = Array.from({ length: 8 }, (_, i) => i * PAIR_BYTES);
const COLUMN = Array.from({ length: 8 }, (_, i) => i * ROW_BYTES);

const addAt = (body: Body, pointer: Expr<'i32'>, offset: number, pair: V128): void =>
  body.store(pointer, v128.xor(v128.load(pointer, offset), pair), offset);

/**
 * P on two rows or two columns, step by step: each step of one P waits for the one before, and two fill the time (a sixth
 * less for G, measured in Node 20 on AMD EPYC).
 *
 * @param places of the eight pairs of the first
 * @param distance from there to the second
 */
function permuteTwo(
  body: Body,
  at: Expr<'i32'>,
  places: readonly number[],
  distance: number,
  store: (offset: number, pair: V128) => void,
): void {
  const starts = [0, distance];
  const read = starts.map((start) => places.map((place) => body.let(v128.load(at, start + place))));
  permute(body, read).forEach((pairs, k) => {
    pairs.forEach((pair, i) => store(starts[k]! + places[i]!, pair));
  });
}

/** Vectors of two words, two of each P: columns or diagonals 0 and 1, then 2 and 3. */
type Row = readonly V128[];

/**
 * P (section 3.6) on sixteen words v_0 … v_15 each, as eight pairs: the four columns of the 4 × 4 matrix of words, then
 * its four diagonals.
 */
function permute(body: Body, states: readonly (readonly V128[])[]): V128[][] {
  const row = (i: number): Row => states.flatMap((pairs) => [pairs[i]!, pairs[i + 1]!]);
  const [a, b, c, d] = mix(body, [row(0), row(2), row(4), row(6)]);
  const swapped = (row: Row): V128[] => row.map((_, i) => row[i ^ 1]!);
  /** Of each vector the second word, and the first word of its neighbour. */
  const turned = (row: Row): V128[] =>
    row.map((vector, i) => body.let(shiftIn(vector, row[i ^ 1]!, 8)));
  // v_5 v_6 and v_7 v_4, v_10 v_11 and v_8 v_9, v_15 v_12 and v_13 v_14
  const diagonals = mix(body, [a, turned(b), swapped(c), turned(swapped(d))]);
  const back = [
    diagonals[0],
    turned(swapped(diagonals[1])),
    swapped(diagonals[2]),
    turned(diagonals[3]),
  ];
  return states.map((_, k) => back.flatMap((row) => [row[2 * k]!, row[2 * k + 1]!]));
}

/** GB (section 3.6) on a, b, c and d of all places at once. */
function mix(body: Body, [a, b, c, d]: [Row, Row, Row, Row]): [Row, Row, Row, Row] {
  const rotated = (x: Row, y: Row, rotate: Rotate): Row =>
    x.map((vector, i) => body.let(v128.xor(vector, y[i]!))).map((sum) => body.let(rotate(sum)));
  // a = a + b + 2 · trunc(a) · trunc(b), d = (d ⊕ a) >>> 32, and so on
  const a1 = multiplyAdd(body, a, b);
  const d1 = rotated(d, a1, rotate32);
  const c1 = multiplyAdd(body, c, d1);
  const b1 = rotated(b, c1, rotate24);
  const a2 = multiplyAdd(body, a1, b1);
  const d2 = rotated(d1, a2, rotate16);
  const c2 = multiplyAdd(body, c1, d2);
  return [a2, rotated(b1, c2, rotate63), c2, d2];
}

/**
 * x + y + 2 · trunc(x) · trunc(y) of each word. The low halves of two vectors are gathered in one first, from which one
 * extended multiplication takes the first two and another the others.
 */
function multiplyAdd(body: Body, x: Row, y: Row): Row {
  const [lowX, lowY] = [x, y].map((row) =>
    row.map((vector, i) => (i % 2 === 0 ? body.let(shuffle32(vector, row[i + 1]!, LOW)) : vector)),
  ) as [V128[], V128[]];
  return x.map((vector, i) => {
    const [extmul, low] = i % 2 === 0 ? [i64x2.extmulLow, i] : [i64x2.extmulHigh, i - 1];
    const product = extmul(lowX[low]!, lowY[low]!);
    return body.let(i64x2.add(i64x2.add(vector, y[i]!), i64x2.shl(product, 1)));
  });
}
const LOW = [0, 2, 4, 6];

type Rotate = (x: V128) => V128;
/** Bytes in constant places: V8 takes them from a register, where those of a shuffle are made anew each time. */
const byBytes = (count: number): Rotate => {
  const lanes = Array.from({ length: 16 }, (_, i) => (i & 8) | ((i + count) & 7));
  return (x) => op('v128', 'i8x16.swizzle', x, v128.const(lanes));
};
const rotate32: Rotate = (x) => shuffle32(x, x, [1, 0, 3, 2]);
const rotate24 = byBytes(3);
const rotate16 = byBytes(2);
const rotate63: Rotate = (x) => v128.or(i64x2.shrU(x, 63), i64x2.add(x, x));

/**
 * `addresses(scratch)`: the next block of J₁ and J₂ of a segment, G(0, G(0, Z)) with the next counter in Z (section
 * 3.4.1.2). The caller writes the rest of Z.
 */
function addressesFunction(module: ModuleText): void {
  module.func('addresses', { params: { scratch: 'i32' } }, (body, { scratch }) => {
    body.store(scratch, i32.add(i32.load(scratch, COUNTER), 1), COUNTER);
    const target = body.let(i32.add(scratch, ADDRESSES));
    body.call('compressByPosition', ZEROS, i32.add(scratch, INPUT), target, scratch, 0);
    body.call('compressByPosition', ZEROS, target, target, scratch, 0);
  });
}

/** Numbers of blocks and lanes; an address: of one thread's room. */
const FILL_PARAMETERS = {
  scratch: 'i32',
  lanes: 'i32',
  lane: 'i32',
  laneLength: 'i32',
  column: 'i32',
  index: 'i32',
  count: 'i32',
  finished: 'i32',
  first: 'i32',
  own: 'i32',
  again: 'i32',
} as const;

/**
 * `count` blocks of a segment: B[i][j] = G(B[i][j-1], B[l][z]), from the second pass on XORed to the previous block
 * (section 3.2, steps 5 and 6).
 *
 * `fillByPosition` takes J₁ and J₂ from ADDRESSES, where `addresses` has put those of these blocks; `fillByContent` takes
 * them from the preceding block.
 *
 * @param column of the first block
 * @param index of the first block in its segment
 * @param finished blocks of a lane that may be referred to, but for those of this segment
 * @param first the column of the first of them
 * @param own whether blocks of this lane alone may be referred to
 * @param again whether this is not the first pass
 */
function fillFunction(module: ModuleText, by: By): void {
  module.func(`fillBy${by}`, { params: FILL_PARAMETERS }, (body, parameters) => {
    const { scratch, lanes, lane, laneLength, column, index, count, finished, first } = parameters;
    const { own, again } = parameters;
    const place = (l: Expr<'i32'>, j: Expr<'i32'>): Expr<'i32'> =>
      i32.add(BLOCKS, i32.mul(i32.add(i32.mul(l, laneLength), j), ARGON2_BLOCK_BYTES));
    const target = body.local('i32', place(lane, column));
    const previous = body.local('i32', i32.sub(target, ARGON2_BLOCK_BYTES));
    body.if(i32.eqz(column), () => body.set(previous, place(lane, i32.sub(laneLength, 1))));
    const j2At = by === 'Content' ? 4 : ADDRESSES + 4;
    body.loop(count, () => {
      const numbers =
        by === 'Content'
          ? previous
          : body.let(i32.add(scratch, i32.shl(i32.and(index, ADDRESSES_PER_BLOCK - 1), 3)));
      // Section 3.4.2: l is J_2 mod p, or this lane
      const l = body.local('i32', lane);
      body.if(i32.eqz(own), () => body.set(l, remainder(i32.load(numbers, j2At), lanes)));
      const size = body.let(referenceSize(i32.eq(l, lane), finished, index));
      // x = J_1^2 / 2^32, y = |W| x / 2^32, z = |W| - 1 - y
      const j1 = body.let(i64.load32u(numbers, j2At - 4));
      const x = i64.shrU(i64.mul(j1, j1), 32n);
      const y = i32.wrap(i64.shrU(i64.mul(i64.extendU(size), x), 32n));
      const z = body.let(i32.sub(i32.add(first, size), i32.add(y, 1)));
      const beyond = i32.sub(0, i32.geU(z, laneLength));
      const j = i32.sub(z, i32.and(beyond, laneLength));
      body.call(`compressBy${by}`, previous, place(l, j), target, scratch, again);
      body.set(previous, target);
      body.set(target, i32.add(target, ARGON2_BLOCK_BYTES));
      body.set(index, i32.add(index, 1));
    });
  });
}

/**
 * |W|: the finished blocks, and those of this segment for its own lane; never the preceding block.
 *
 * @param isOwn 1 or 0: no branch depends on it
 */
function referenceSize(isOwn: Expr<'i32'>, finished: Expr<'i32'>, index: Expr<'i32'>): Expr<'i32'> {
  const isFirst = i32.eqz(index);
  const ofOwn = i32.add(i32.sub(index, 1), isFirst);
  return i32.add(i32.sub(finished, isFirst), i32.and(i32.sub(0, isOwn), ofOwn));
}

const remainder = (x: Expr<'i32'>, y: Expr<'i32'>): Expr<'i32'> => op('i32', 'i32.rem_u', x, y);
