/**
 * AES (FIPS 197) on two blocks at once, without tables: the one description from which the shaders are
 * written and by which the round keys are computed.
 *
 * A state is eight words of 32 bits, the planes: word i has bit i of all 32 bytes. The byte of row r and
 * column c of block b is at bit 8 r + 2 c + b. No step has a branch, and none reads from a place that depends
 * on a value, so that the time of all of them is independent of key and data.
 *
 * The S-box of the circuit lacks its constant 0x63; `SlicedKey` adds it to the round keys.
 */
import { substitute, substituteInverse } from '../wasm/generator/aes/sbox.ts';
import type { Logic } from '../wasm/generator/aes/sbox.ts';

/** What a step needs of words of 32 bits: numbers here, expressions in a shader. */
export interface Words<T> extends Logic<T> {
  readonly mask: (a: T, bits: number) => T;
  readonly left: (a: T, places: number) => T;
  readonly right: (a: T, places: number) => T;
}

type Step = <T>(words: Words<T>, planes: readonly T[]) => T[];

/** Four words of each of two blocks, in turns, into planes; and back. */
const transpose: Step = (words, planes) => {
  const next = [...planes];
  for (const [distance, low] of [
    [1, 0x5555_5555],
    [2, 0x3333_3333],
    [4, 0x0f0f_0f0f],
  ] as const) {
    const high = ~low >>> 0;
    for (let i = 0; i < 8; i++) {
      if ((i & distance) !== 0) continue;
      const [a, b] = [next[i]!, next[i + distance]!];
      next[i] = words.xor(words.mask(a, low), words.left(words.mask(b, low), distance));
      next[i + distance] = words.xor(
        words.right(words.mask(a, high), distance),
        words.mask(b, high),
      );
    }
  }
  return next;
};

/** Row r of a plane, and the bits of it that wrap around when it rotates by 2 r places to the right. */
const ROWS = [
  { row: 0x0000_ff00, wrapping: 0x0000_0300, places: 2 },
  { row: 0x00ff_0000, wrapping: 0x000f_0000, places: 4 },
  { row: 0xff00_0000, wrapping: 0x3f00_0000, places: 6 },
] as const;

/** Rows rotate to the right by 2 r bits of their byte (section 5.1.2). */
const shiftRows: Step = (words, planes) =>
  planes.map((plane) => {
    let shifted = words.mask(plane, 0x0000_00ff);
    for (const { row, wrapping, places } of ROWS) {
      const down = words.right(words.mask(plane, row - wrapping), places);
      const up = words.left(words.mask(plane, wrapping), 8 - places);
      shifted = words.xor(shifted, words.xor(down, up));
    }
    return shifted;
  });

/** To the left (section 5.3.1). */
const shiftRowsInverse: Step = (words, planes) =>
  planes.map((plane) => {
    let shifted = words.mask(plane, 0x0000_00ff);
    for (const { row, wrapping, places } of ROWS) {
      // The bits that came down are now the low ones of the row.
      const low = (row - wrapping) / 2 ** places;
      const up = words.left(words.mask(plane, low), places);
      const down = words.right(words.mask(plane, row - low), 8 - places);
      shifted = words.xor(shifted, words.xor(up, down));
    }
    return shifted;
  });

/** Section 5.1.3: row r becomes {02} (a_r + a_{r+1}) + a_{r+1} + (a_{r+2} + a_{r+3}). */
const mixColumns: Step = (words, planes) => {
  const next = planes.map((plane) => rotated(words, plane, 8));
  const sums = planes.map((plane, i) => words.xor(plane, next[i]!));
  const doubles = doubled(words, sums);
  return planes.map((_, i) => {
    const others = words.xor(next[i]!, rotated(words, sums[i]!, 16));
    return words.xor(doubles[i]!, others);
  });
};

/** Section 5.3.3: MixColumns after a_r + {04} (a_r + a_{r+2}). */
const mixColumnsInverse: Step = (words, planes) => {
  const sums = planes.map((plane) => words.xor(plane, rotated(words, plane, 16)));
  const fours = doubled(words, doubled(words, sums));
  return mixColumns(
    words,
    planes.map((plane, i) => words.xor(plane, fours[i]!)),
  );
};

/** The steps that a shader has as functions. A round key is added after each but the first and `unmix`. */
export const STEPS = {
  transpose,
  /** SubBytes, ShiftRows and MixColumns. */
  middle: (words, planes) => mixColumns(words, shiftRows(words, substitute(words, planes))),
  /** The last round has no MixColumns. */
  last: (words, planes) => shiftRows(words, substitute(words, planes)),
  /** The inverse of `last`. */
  undo: (words, planes) => substituteInverse(words, shiftRowsInverse(words, planes)),
  unmix: mixColumnsInverse,
} satisfies Readonly<Record<string, Step>>;
/** The name of a step. */
export type StepName = keyof typeof STEPS;

/** {02} times each byte (section 4.2.1). */
function doubled<T>({ xor }: Words<T>, planes: readonly T[]): T[] {
  const high = planes[7]!;
  return planes.map((_, i) => {
    const lower = planes[(i + 7) & 7]!;
    return i === 1 || i === 3 || i === 4 ? xor(lower, high) : lower;
  });
}

/** Row r takes row r + places / 8. */
function rotated<T>({ xor, left, right }: Words<T>, word: T, places: number): T {
  return xor(right(word, places), left(word, 32 - places));
}
