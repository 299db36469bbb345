/**
 * Compression and encoding of polynomials (FIPS 203, section 4.2.1), eight coefficients at a time, which are d bytes if each
 * has d bits. Words are written whole and overlap: up to eight bytes of zeros follow the last coefficient.
 */
import type { Body } from '../dsl/body.ts';
import { i16x8, i32, i32x4, i64, i64x2, v128 } from '../dsl/expression.ts';
import type { Expr, I64, V128 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { bytesOfWords, Q, splat } from './ml-kem-field.ts';

/** Lengths of compressed coefficients: of messages, and of the two parts of ciphertexts. */
export const COMPRESSED_BITS = [1, 4, 5, 10, 11] as const;
const WHOLE_BITS = 12;
const GROUPS = 32;

/** Bits of a word of 64 bits, as a mask. */
const ones = (bits: number): bigint => 2n ** BigInt(bits) - 1n;

/**
 * Adds `pack<d>(from, to)` of canonical polynomials, compressed unless d = 12; `unpack<d>(from, to)`, decompressed; and
 * `unpack12(from, to)`, which returns 1 if all coefficients are below q (section 7.2).
 */
export function codingFunctions(module: ModuleText): void {
  const params = { from: 'i32', to: 'i32' } as const;
  for (const bits of [...COMPRESSED_BITS, WHOLE_BITS]) {
    module.func(`pack${bits}`, { params, exported: false }, (body, { from, to }) => {
      const groups = body.local('i32', GROUPS);
      body.loop(groups, () => {
        const words = body.let(v128.load(from));
        const packed = pack(
          body,
          bits === WHOLE_BITS ? words : compressed(body, words, bits),
          bits,
        );
        packed.forEach((word, i) => body.store(to, word, 8 * i));
        body.set(from, i32.add(from, 16));
        body.set(to, i32.add(to, bits));
      });
    });
  }
  for (const bits of COMPRESSED_BITS) {
    module.func(`unpack${bits}`, { params, exported: false }, (body, { from, to }) => {
      const groups = body.local('i32', GROUPS);
      body.loop(groups, () => {
        // Section 4.2.1: round(q · y / 2^d) is round(y · 2^(15 − d) · q / 2^15).
        const shifted = i16x8.shl(unpack(body, from, bits), 15 - bits);
        body.store(to, i16x8.q15mulr(shifted, splat(Q)));
        body.set(from, i32.add(from, bits));
        body.set(to, i32.add(to, 16));
      });
    });
  }
  const checked = { params, result: 'i32', exported: false } as const;
  module.func('unpack12', checked, (body, { from, to }) => {
    const reduced = body.local('v128', splat(-1));
    const groups = body.local('i32', GROUPS);
    body.loop(groups, () => {
      const words = unpack(body, from, WHOLE_BITS);
      body.set(reduced, v128.and(reduced, i16x8.ltS(words, splat(Q))));
      body.store(to, words);
      body.set(from, i32.add(from, WHOLE_BITS));
      body.set(to, i32.add(to, 16));
    });
    body.result(i32.eq(i16x8.bitmask(reduced), 0xff));
  });
}

/**
 * round(2^d · x / q) mod 2^d, as the high d bits of x · round(2^32 / q) + 2^(31 − d): without division, and right for all x
 * below q and each d here once the sum is 1,000 less, because the factor is rounded up (a test tries all).
 */
function compressed(body: Body, words: V128, bits: number): V128 {
  const factor = i32x4.splat(Math.round(2 ** 32 / Q) + 1);
  const half = i32x4.splat(2 ** (31 - bits) - 1_000);
  const rounded = (x: V128): V128 => i32x4.shrU(i32x4.add(i32x4.mul(x, factor), half), 32 - bits);
  return body.let(
    i16x8.narrowU(rounded(i32x4.extendLowU(words)), rounded(i32x4.extendHighU(words))),
  );
}

/** Eight words of d bits: the first 64 bits, and the others. */
function pack(body: Body, words: V128, bits: number): Expr<'i64'>[] {
  const step = v128.const(bytesOfWords([0, 1, 2, 3].flatMap(() => [1, 2 ** bits])));
  const pairs = body.let(i32x4.dot(words, step));
  const low = i64x2.splat(ones(32));
  const quads = body.let(v128.or(v128.and(pairs, low), i64x2.shl(i64x2.shrU(pairs, 32), 2 * bits)));
  const [first, second] = [i64x2.extract(0, quads), body.let(i64x2.extract(1, quads))];
  const packed = [i64.or(first, i64.shl(second, BigInt(4 * bits)))];
  if (8 * bits > 64) packed.push(i64.shrU(second, BigInt(64 - 4 * bits)));
  return packed;
}

/** The inverse: eight words of d bits. */
function unpack(body: Body, from: Expr<'i32'>, bits: number): V128 {
  const quad = (shift: number): I64 => {
    const word = i64.load(from, shift >> 3);
    return i64.and(shift % 8 === 0 ? word : i64.shrU(word, BigInt(shift % 8)), ones(4 * bits));
  };
  const quads = body.let(i64x2.replace(1, i64x2.splat(quad(0)), quad(4 * bits)));
  const lowPairs = i64x2.splat(ones(2 * bits));
  const pairs = body.let(
    v128.or(v128.and(quads, lowPairs), i64x2.shl(i64x2.shrU(quads, 2 * bits), 32)),
  );
  const lowWords = i32x4.splat(Number(ones(bits)));
  return body.let(v128.or(v128.and(pairs, lowWords), i32x4.shl(i32x4.shrU(pairs, bits), 16)));
}
