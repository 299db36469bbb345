/** SHA-256 and SHA-512 (FIPS 180-4, sections 6.2 and 6.4). */
import {
  firstPrimes,
  halves,
  highHalves,
  rootFraction,
} from '../../../../crypto/hash/sha-constants.ts';
import type { Body, Local } from '../dsl/body.ts';
import { i32, i64x2, op, v128 } from '../dsl/expression.ts';
import type { Expr, I32, V128, ValueType } from '../dsl/expression.ts';
import type { Block, Core } from './sha-core.ts';
import { K256, K512, SCHEDULE } from './sha-layout.ts';
import {
  shiftIn,
  shuffle32,
  WORDS_32,
  WORDS_32X4,
  WORDS_64,
  WORDS_64X2,
  ZERO,
} from '../dsl/words.ts';
import type { Words } from '../dsl/words.ts';

const cubeRoots = firstPrimes(80).map((prime) => rootFraction(prime, 3));
/** Section 4.2.2 */
export const SHA256_K = highHalves(cubeRoots.slice(0, 64));
/** Section 4.2.3; each word as its low and then its high half */
export const SHA512_K = halves(cubeRoots.map(exchangeHalves));

function exchangeHalves(word: bigint): bigint {
  return BigInt.asUintN(64, word << 32n) | (word >> 32n);
}

const squareRoots = firstPrimes(16).map((prime) => rootFraction(prime, 2));
/** Section 5.3.3 */
export const SHA256_INITIAL = highHalves(squareRoots.slice(0, 8));
/** Section 5.3.5 */
export const SHA512_INITIAL = halves(squareRoots.slice(0, 8).map(exchangeHalves));
/** Section 5.3.4 */
export const SHA384_INITIAL = halves(squareRoots.slice(8).map(exchangeHalves));

/** The differences between the rounds of SHA-256 and SHA-512: section 4.1.2 and 4.1.3. */
export interface Rotations {
  readonly sum0: readonly [number, number, number];
  readonly sum1: readonly [number, number, number];
  /** Two rotations and a shift. */
  readonly sigma0: readonly [number, number, number];
  readonly sigma1: readonly [number, number, number];
}

/** Rotations and shifts of SHA-256 (FIPS 180-4, section 4.1.2). */
export const SHA256_ROTATIONS: Rotations = {
  sum0: [2, 13, 22],
  sum1: [6, 11, 25],
  sigma0: [7, 18, 3],
  sigma1: [17, 19, 10],
};

const SHA512_ROTATIONS: Rotations = {
  sum0: [28, 34, 39],
  sum1: [14, 18, 41],
  sigma0: [1, 8, 7],
  sigma1: [19, 61, 6],
};

/** The rounds on one set of working variables, which change roles instead of moving. */
export class Rounds<T extends ValueType> {
  private readonly body: Body;
  private readonly words: Words<T>;
  private readonly rotations: Rotations;
  private readonly state: readonly Local<T>[];
  /** b ⊕ c, which was a ⊕ b in the round before: Maj needs both. */
  private readonly bc: Local<T>;

  /** @param state a … h */
  constructor(body: Body, words: Words<T>, rotations: Rotations, state: readonly Local<T>[]) {
    this.body = body;
    this.words = words;
    this.rotations = rotations;
    this.state = state;
    this.bc = body.local(words.type, words.xor(state[1]!, state[2]!));
  }

  /** Round t. @param wk W_t + K_t */
  round(t: number, wk: Expr<T>): void {
    const { body, rotations, bc } = this;
    const { add, xor, and } = this.words;
    const role = (i: number): Local<T> => this.state[(i + 8 - (t % 8)) % 8]!;
    const [a, b, d] = [role(0), role(1), role(3)];
    const [e, f, g, h] = [role(4), role(5), role(6), role(7)];
    const choose = xor(g, and(e, xor(f, g)));
    const t1 = body.let(add(add(add(h, wk), choose), this.sum(e, rotations.sum1)));
    body.set(d, add(d, t1));
    const ab = body.let(xor(a, b));
    const majority = xor(b, and(ab, bc));
    body.set(h, add(add(t1, majority), this.sum(a, rotations.sum0)));
    body.set(bc, ab);
  }

  /** Σ: three rotations. */
  private sum(x: Expr<T>, [i, j, k]: readonly [number, number, number]): Expr<T> {
    const { xor, rotr } = this.words;
    return xor(xor(rotr(x, i), rotr(x, j)), rotr(x, k));
  }
}

/** σ: two rotations and a shift. */
export function sigma<T extends ValueType>(
  words: Words<T>,
  x: Expr<T>,
  [i, j, shift]: readonly [number, number, number],
): Expr<T> {
  return words.xor(words.xor(words.rotr(x, i), words.rotr(x, j)), words.shrU(x, shift));
}

/**
 * SHA-256 or SHA-512, with vectors of the schedule and rounds between them: the words of the next sixteen
 * rounds are computed while those of the current sixteen are used, so that vector and integer units work at
 * the same time.
 */
interface Family<T extends 'i32' | 'i64'> {
  readonly words: Words<T>;
  readonly vectorWords: Words<'v128'>;
  readonly rotations: Rotations;
  readonly wordBytes: 4 | 8;
  readonly rounds: number;
  readonly k: number;
  readonly constants: readonly bigint[];
  /** W_t …, as many as a vector holds, from the vectors of W_{t-16} … W_{t-1}. */
  readonly extend: (body: Body, window: readonly V128[]) => V128;
}

function rounds<T extends 'i32' | 'i64'>(
  body: Body,
  family: Family<T>,
  state: readonly Local<T>[],
  block: Block<T>,
): void {
  const { words, rotations, wordBytes } = family;
  const perVector = 16 / wordBytes;
  const steps = new Rounds(body, words, rotations, state);
  const vectors = block.vectors.map((vector) => body.local('v128', vector));
  const place = (i: number, k: I32): void =>
    body.store(
      0,
      family.vectorWords.add(vectors[i]!, v128.load(k, family.k + 16 * i)),
      SCHEDULE + 16 * i,
    );
  const placed = (t: number): Expr<T> =>
    op(words.type, `${words.type}.load offset=${SCHEDULE + wordBytes * t}`, 0);
  const sixteen = (wk: (t: number) => Expr<T>, k?: I32): void => {
    for (let t = 0; t < 16; t++) {
      const i = t / perVector;
      if (k !== undefined && Number.isInteger(i)) {
        const window = vectors.map((_, j) => vectors[(i + j) % vectors.length]!);
        body.set(vectors[i]!, family.extend(body, window));
      }
      steps.round(t, wk(t));
      if (k !== undefined && t % perVector === perVector - 1) place(Math.floor(i), k);
    }
  };
  const k = body.local('i32', 16 * wordBytes);
  const turns = body.local('i32', family.rounds / 16 - 1);
  const known = block.words;
  if (known === undefined) {
    vectors.forEach((_, i) => place(i, 0));
  } else {
    sixteen((t) => addConstant(words, known[t]!, family.constants[t]!), k);
    body.set(k, i32.const(32 * wordBytes));
    body.set(turns, i32.sub(turns, 1));
  }
  body.loop(turns, () => {
    sixteen(placed, k);
    body.set(k, i32.add(k, 16 * wordBytes));
  });
  sixteen(placed);
}

/** A constant expression if the word is itself constant. */
function addConstant<T extends 'i32' | 'i64'>(words: Words<T>, word: Expr<T>, k: bigint): Expr<T> {
  const { type } = words;
  const bits = type === 'i32' ? 32 : 64;
  const write = (value: bigint): Expr<T> => op(type, `${type}.const ${BigInt.asIntN(bits, value)}`);
  const value = /^\(i(?:32|64)\.const (-?\d+)\)$/.exec(word.code)?.[1];
  return value === undefined ? words.add(word, write(k)) : write(BigInt(value) + k);
}

/** Four words. σ1 needs the two preceding words, so it is computed for two words at a time. */
function extend256(body: Body, window: readonly V128[]): V128 {
  const [x0, x1, x2, x3] = window as Four<V128>;
  const before15 = body.let(shiftIn(x0, x1, 4));
  const sum = WORDS_32X4.add(
    WORDS_32X4.add(x0, shiftIn(x2, x3, 4)), // W_{t-16} + W_{t-7}
    sigma(WORDS_32X4, before15, SHA256_ROTATIONS.sigma0),
  );
  const base = body.let(sum);
  const low = body.let(WORDS_32X4.add(base, sigma1OfTwo(body, x3, [2, 2, 3, 3], [0, 2, 4, 4])));
  return WORDS_32X4.add(low, sigma1OfTwo(body, low, [0, 0, 1, 1], [4, 4, 0, 2]));
}

type Four<X> = readonly [X, X, X, X];

/** With a word twice in a 64-bit lane, a rotation is one shift. */
function sigma1OfTwo(body: Body, x: V128, spread: number[], gather: number[]): V128 {
  const [first, second, shift] = SHA256_ROTATIONS.sigma1;
  const twice = body.let(shuffle32(x, x, spread));
  const rotated = v128.xor(i64x2.shrU(twice, first), i64x2.shrU(twice, second));
  const result = body.let(v128.xor(rotated, WORDS_32X4.shrU(twice, shift)));
  return shuffle32(result, ZERO, gather);
}

/** Two words: neither word depends on the other. */
function extend512(body: Body, window: readonly V128[]): V128 {
  const [x0, x1, , , x4, x5, , x7] = window as Eight<V128>;
  const { add } = WORDS_64X2;
  const before15 = body.let(shiftIn(x0, x1, 8));
  const sum = add(
    add(x0, shiftIn(x4, x5, 8)),
    sigma(WORDS_64X2, before15, SHA512_ROTATIONS.sigma0),
  );
  return add(sum, sigma(WORDS_64X2, x7, SHA512_ROTATIONS.sigma1));
}

const FAMILY_256: Family<'i32'> = {
  words: WORDS_32,
  vectorWords: WORDS_32X4,
  rotations: SHA256_ROTATIONS,
  wordBytes: 4,
  rounds: 64,
  k: K256,
  constants: cubeRoots.slice(0, 64).map((root) => root >> 32n),
  extend: extend256,
};

const FAMILY_512: Family<'i64'> = {
  words: WORDS_64,
  vectorWords: WORDS_64X2,
  rotations: SHA512_ROTATIONS,
  wordBytes: 8,
  rounds: 80,
  k: K512,
  constants: cubeRoots,
  extend: extend512,
};

/** The compression function of SHA-256 (FIPS 180-4, section 6.2.2). */
export const SHA256_CORE: Core<'i32'> = {
  name: 'sha256',
  words: WORDS_32,
  wordBytes: 4,
  stateWords: 8,
  rounds: (body, state, block) => rounds(body, FAMILY_256, state, block),
};

/** The compression function of SHA-512 (FIPS 180-4, section 6.4.2). */
export const SHA512_CORE: Core<'i64'> = {
  name: 'sha512',
  words: WORDS_64,
  wordBytes: 8,
  stateWords: 8,
  rounds: (body, state, block) => rounds(body, FAMILY_512, state, block),
};
type Eight<X> = readonly [X, X, X, X, X, X, X, X];
