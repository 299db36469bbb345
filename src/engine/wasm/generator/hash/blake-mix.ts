/** The common part of BLAKE2b and BLAKE3: G on a state of sixteen words, in columns and diagonals. */
import type { Body, Local } from '../dsl/body.ts';
import type { Expr, ValueType } from '../dsl/expression.ts';

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
 * One round of several states, which alternate: columns of each, then diagonals of each. The four independent
 * quarters of a state are computed step by step.
 *
 * @param order the message word of each position in the round
 */
export function mixRound<T extends ValueType>(
  body: Body,
  mixer: Mixer<T>,
  states: readonly State<T>[],
  order: readonly number[],
): void {
  const [r1, r2, r3, r4] = mixer.rotations;
  for (const half of [0, 4]) {
    for (const { v, word } of states) {
      const lines = PLACES.slice(half, half + 4).map((places) => places.map((i) => v[i]!));
      const words = (odd: 0 | 1): Expr<T>[] =>
        lines.map((_, i) => word(order[2 * (half + i) + odd]!));
      step(body, mixer, lines, words(0), r1, r2);
      step(body, mixer, lines, words(1), r3, r4);
    }
  }
}

/** Half of G: a += b + m, d = (d ⊕ a) >>> r, c += d, b = (b ⊕ c) >>> s */
function step<T extends ValueType>(
  body: Body,
  { add, xor }: Mixer<T>,
  lines: readonly (readonly Local<T>[])[],
  words: readonly Expr<T>[],
  r: Rotate<T>,
  s: Rotate<T>,
): void {
  lines.forEach(([a, b], i) => body.set(a!, add(add(a!, words[i]!), b!)));
  for (const [a, , , d] of lines) body.set(d!, r(body, xor(d!, a!)));
  for (const [, , c, d] of lines) body.set(c!, add(c!, d!));
  for (const [, b, c] of lines) body.set(b!, s(body, xor(b!, c!)));
}
