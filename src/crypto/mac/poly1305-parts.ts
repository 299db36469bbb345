/**
 * Poly1305 (RFC 8439, section 2.5) of a message whose parts were evaluated apart: the polynomial of two parts is
 * a · r^n + b, where a and b are those of the parts and n is the number of blocks of the second.
 *
 * Numbers are six limbs of 22 bits in doubles, as in poly1305.ts, where the bounds are explained. No branch and no
 * look-up depends on them; the number of blocks is public.
 */
import { wipe } from '../bytes.ts';
import { load32le, store32le } from '../words.ts';

const LIMB = 0x40_0000;
const LIMB_MASK = LIMB - 1;
const PER_LIMB = 1 / LIMB;
const WORD = 0x1_0000_0000;
const LIMBS = 6;

/** A number modulo 2^130 - 5: six limbs of 22 bits, not fully reduced. */
export type Limbs = Float64Array<ArrayBuffer>;

/** @param r 16 bytes, clamped */
export function limbsOfR(r: Uint8Array): Limbs {
  const limbs = new Float64Array(LIMBS);
  setWords(
    limbs,
    [0, 4, 8, 12].map((at) => load32le(r, at)),
    0,
  );
  return limbs;
}

/**
 * @param sum five limbs of 32 bits, little-endian in 8 bytes each; each may be up to 2^34
 */
export function limbsOfSum(sum: Uint8Array): Limbs {
  const words: number[] = [];
  let carry = 0;
  for (let i = 0; i < 5; i++) {
    const limb = (load32le(sum, 8 * i) >>> 0) + WORD * load32le(sum, 8 * i + 4) + carry;
    carry = Math.floor(limb / WORD);
    words.push(limb - carry * WORD);
  }
  const limbs = new Float64Array(LIMBS);
  setWords(limbs, words, words[4]);
  words.fill(0);
  return limbs;
}

/** The inverse: five limbs of 32 bits in 8 bytes each, below 2^131 together. */
export function sumOfLimbs(limbs: Limbs): Uint8Array<ArrayBuffer> {
  const settled = limbs.slice();
  carryOn(settled);
  carryOn(settled);
  const [l0, l1, l2, l3, l4, l5] = settled;
  const sum = new Uint8Array(40);
  store32le(sum, 0, l0 | (l1 << 22));
  store32le(sum, 8, (l1 >>> 10) | (l2 << 12));
  store32le(sum, 16, (l2 >>> 20) | (l3 << 2) | (l4 << 24));
  store32le(sum, 24, (l4 >>> 8) | (l5 << 14));
  store32le(sum, 32, l5 >>> 18);
  wipe(settled);
  return sum;
}

/** a := a + b */
export function addLimbs(a: Limbs, b: Limbs): void {
  for (let i = 0; i < LIMBS; i++) a[i] += b[i];
  carryOn(a);
}

/** a := a · b modulo 2^130 - 5 */
export function multiplyLimbs(a: Limbs, b: Limbs): void {
  const product = new Float64Array(LIMBS);
  for (let i = 0; i < LIMBS; i++) {
    for (let j = 0; j < LIMBS; j++) {
      // 2^132 = 4 · 2^130 is 20 modulo the prime.
      const isBeyond = i + j >= LIMBS;
      product[isBeyond ? i + j - LIMBS : i + j] += a[i] * b[j] * (isBeyond ? 20 : 1);
    }
  }
  carryOn(product);
  carryOn(product);
  a.set(product);
  wipe(product);
}

/** @param exponent at least 1; public */
export function powerOfLimbs(base: Limbs, exponent: number): Limbs {
  const result = base.slice();
  for (let bit = Math.floor(Math.log2(exponent)) - 1; bit >= 0; bit--) {
    multiplyLimbs(result, result.slice());
    if (Math.floor(exponent / 2 ** bit) % 2 === 1) multiplyLimbs(result, base);
  }
  return result;
}

/** Limbs of words of 32 bits. @param top the bits from 2^128 on: fewer than 4 */
function setWords(limbs: Limbs, [w0, w1, w2, w3]: readonly number[], top: number): void {
  limbs[0] = w0 & LIMB_MASK;
  limbs[1] = ((w0 >>> 22) | (w1 << 10)) & LIMB_MASK;
  limbs[2] = ((w1 >>> 12) | (w2 << 20)) & LIMB_MASK;
  limbs[3] = (w2 >>> 2) & LIMB_MASK;
  limbs[4] = ((w2 >>> 24) | (w3 << 8)) & LIMB_MASK;
  limbs[5] = (w3 >>> 14) + top * 0x4_0000;
}

/** Reduces limbs to below 2^22, and what is beyond 2^132 to a part of the first one. */
function carryOn(limbs: Limbs): void {
  let carry = 0;
  for (let i = 0; i < LIMBS; i++) {
    const limb = limbs[i] + carry;
    carry = Math.floor(limb * PER_LIMB);
    limbs[i] = limb - carry * LIMB;
  }
  limbs[0] += 20 * carry;
}
