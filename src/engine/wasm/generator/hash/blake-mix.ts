/** The common part of BLAKE2b and BLAKE3: G on a state of sixteen words, in columns and diagonals. */
import type { Body, Local } from '../dsl/body.ts';
import type { Expr, ValueType } from '../dsl/expression.ts';
import { shiftIn } from '../dsl/words.ts';

/** Words of one type, with the four rotations of G. */
export interface Mixer<T extends ValueType> {
  readonly add: (a: Expr<T>, b: Expr<T>) => Expr<T>;
  readonly xor: (a: Expr<T>, b: Expr<T>) => Expr<T>;
  /** (x ⊕ y) rotated right by the first … fourth distance. */
  readonly rotations: readonly [Rotate<T>, Rotate<T>, Rotate<T>, Rotate<T>];
}
/** Rotates a word right by a fixed number of bits. */
export type Rotate<T extends ValueType> = (body: Body, x: Expr<T>) => Expr<T>;

/** Sixteen words, and a function that reads a message word. */
export interface State<T extends ValueType> {
  readonly v: readonly Local<T>[];
  readonly word: (i: number) => Expr<T>;
}

/** What G works on: single words, or rows of them. */
export type Quarter<T extends ValueType> = readonly [Local<T>, Local<T>, Local<T>, Local<T>];

/** RFC 7693, section 3.2; BLAKE3, section 2.2: the same places. */
const PLACES = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

/**
 * One round of several states, which alternate: columns of each, then diagonals of each. The quarters of a state follow each
 * other, so that few words are in use at a time: side by side, Firefox and Chromium took a third longer for vectors.
 *
 * @param order the message word of each position in the round
 */
export function mixRound<T extends ValueType>(
  body: Body,
  mixer: Mixer<T>,
  states: readonly State<T>[],
  order: readonly number[],
): void {
  for (const half of [0, 4]) {
    for (const { v, word } of states) {
      for (let i = half; i < half + 4; i++) {
        const [a, b, c, d] = PLACES[i]!.map((place) => v[place]!) as unknown as Quarter<T>;
        mix(body, mixer, [a, b, c, d], [word(order[2 * i]!), word(order[2 * i + 1]!)]);
      }
    }
  }
}

/**
 * The same for a state whose sixteen words are the lanes of four vectors: the four quarters are computed side by side.
 *
 * @param rows words 0 … 3, 4 … 7, 8 … 11 and 12 … 15
 * @param words gives a vector of message words
 */
export function mixRows(
  body: Body,
  mixer: Mixer<'v128'>,
  rows: Quarter<'v128'>,
  words: (places: readonly number[]) => Expr<'v128'>,
  order: readonly number[],
): void {
  const [, b, c, d] = rows;
  // Rotates lanes to the left: the diagonals become columns.
  const turn = (...lanes: [number, number, number]) => {
    [b, c, d].forEach((row, i) => body.set(row, shiftIn(row, row, 4 * lanes[i]!)));
  };
  for (const half of [0, 8]) {
    const wordsOf = (odd: 0 | 1) => words([0, 2, 4, 6].map((i) => order[half + i + odd]!));
    if (half > 0) turn(1, 2, 3);
    mix(body, mixer, rows, [wordsOf(0), wordsOf(1)]);
    if (half > 0) turn(3, 2, 1);
  }
}

/**
 * G (RFC 7693, section 3.1), with the words x and y of the message.
 *
 * First operands are values that are needed again. Firefox computes a result in the register of its first operand: in the
 * other order each word would be one value for all rounds, in one place, and BLAKE2b would take 1.7 times as long.
 */
function mix<T extends ValueType>(
  body: Body,
  { add, xor, rotations: [r1, r2, r3, r4] }: Mixer<T>,
  [a, b, c, d]: Quarter<T>,
  [x, y]: readonly [Expr<T>, Expr<T>],
): void {
  const half = (word: Expr<T>, first: Rotate<T>, second: Rotate<T>): void => {
    body.set(a, add(add(a, word), b));
    body.set(d, first(body, xor(a, d)));
    body.set(c, add(d, c));
    body.set(b, second(body, xor(c, b)));
  };
  half(x, r1, r2);
  half(y, r3, r4);
}
