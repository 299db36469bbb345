/** SHA-1 (FIPS 180-4, section 6.1). */
import type { Body, Local } from '../dsl/body.ts';
import { i32, i32x4 } from '../dsl/expression.ts';
import type { Expr, V128 } from '../dsl/expression.ts';
import type { Block, Core } from './sha-core.ts';
import { WORDS_32 } from '../dsl/words.ts';

/** Section 4.2.1: one constant for each twenty rounds */
export const SHA1_K = Int32Array.of(0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6);
/** Section 5.3.1 */
export const SHA1_INITIAL = Int32Array.of(
  0x67452301,
  0xefcdab89,
  0x98badcfe,
  0x10325476,
  0xc3d2e1f0,
);

type Word = Expr<'i32'>;

/** f_t of section 4.1.1: Ch, Parity, Maj, Parity */
const FUNCTIONS: readonly ((b: Word, c: Word, d: Word) => Word)[] = [
  (b, c, d) => i32.xor(d, i32.and(b, i32.xor(c, d))),
  (b, c, d) => i32.xor(i32.xor(b, c), d),
  (b, c, d) => i32.add(i32.and(b, c), i32.and(d, i32.xor(b, c))),
  (b, c, d) => i32.xor(i32.xor(b, c), d),
];

/**
 * All eighty, unrolled: roles change every five rounds, f_t every twenty. The schedule is computed word by
 * word: its vector form must correct the last word of each four and measures a third slower.
 */
function rounds(body: Body, state: readonly Local<'i32'>[], block: Block<'i32'>): void {
  const words = block.words ?? wordsOf(block.vectors);
  const w = words.slice(0, 16).map((word) => body.local('i32', word));
  for (let t = 0; t < 80; t++) {
    if (t >= 16) extend(body, w, t);
    round(body, state, t, w[t % 16]!);
  }
}

/** T = ROTL 5 (a) + f_t(b, c, d) + e + K_t + W_t: terms that are available early are added first. */
function round(body: Body, state: readonly Local<'i32'>[], t: number, w: Word): void {
  const role = (i: number): Local<'i32'> => state[(i + 80 - t) % 5]!;
  const [a, b, c, d, e] = [role(0), role(1), role(2), role(3), role(4)];
  const twenty = Math.floor(t / 20);
  const sum = i32.add(i32.add(i32.add(e, SHA1_K[twenty]!), w), FUNCTIONS[twenty]!(b, c, d));
  body.set(e, i32.add(sum, i32.rotl(a, 5)));
  body.set(b, i32.rotl(b, 30));
}

/** W_t = ROTL 1 (W_{t-3} ⊕ W_{t-8} ⊕ W_{t-14} ⊕ W_{t-16}), which replaces W_{t-16}. */
function extend(body: Body, w: readonly Local<'i32'>[], t: number): void {
  const word = (back: number): Word => w[(t - back) % 16]!;
  const sum = i32.xor(i32.xor(word(3), word(8)), i32.xor(word(14), word(16)));
  body.set(w[t % 16]!, i32.rotl(sum, 1));
}

function wordsOf(vectors: readonly V128[]): Word[] {
  return vectors.flatMap((vector) => [0, 1, 2, 3].map((lane) => i32x4.extract(lane, vector)));
}

/** The compression function of SHA-1 (FIPS 180-4, section 6.1.2). */
export const SHA1_CORE: Core<'i32'> = {
  name: 'sha1',
  words: WORDS_32,
  wordBytes: 4,
  stateWords: 5,
  rounds,
};
