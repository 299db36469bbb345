import { expect } from 'chai';
import type { Modulus } from '../../../src/crypto/bigint/kernel.ts';
import { montgomeryMultiply, montgomerySquare } from '../../../src/crypto/bigint/kernel.ts';
import { LIMB_BITS, newLimbs } from '../../../src/crypto/bigint/limbs.ts';

/** The largest limb after `settle`, of either sign. */
const LARGEST = 2 ** 23 + 2 ** 7;

describe('the Montgomery kernels', () => {
  // `relieve` runs after 40 and 60 rows. The counts are on both sides of each, and far beyond.
  for (const count of [4, 36, 40, 44, 56, 60, 64, 120, 124, 640]) {
    it(`stay exact when all ${count} limbs are of maximum size`, () => {
      const modulus = largestModulus(count);
      for (const signs of [[1], [-1], [1, -1], [-1, -1, 1]]) {
        const a = limbsOf(count, (i) => LARGEST * signs[i % signs.length]!);
        const b = limbsOf(count, () => -LARGEST);
        const target = newLimbs(count);
        montgomeryMultiply(modulus, a, b, target);
        expectProduct(modulus, target, a, b);
        montgomerySquare(modulus, a, target);
        expectProduct(modulus, target, a, a);
      }
    });
  }

  it('may write to an operand', () => {
    const modulus = largestModulus(8);
    const [a, b] = [limbsOf(8, (i) => i * 1001), limbsOf(8, (i) => 7 - i * 991)];
    const [first, second] = [a.slice(), b.slice()];
    montgomeryMultiply(modulus, first, b, first);
    montgomeryMultiply(modulus, a, second, second);
    expect(first).to.deep.equal(second);
    const square = a.slice();
    montgomerySquare(modulus, square, square);
    expectProduct(modulus, square, a, a);
  });
});

/** All limbs but the top one are of maximum size, so that R ≥ 8 · N. */
function largestModulus(count: number): Modulus {
  const limbs = limbsOf(count, (i) => (i === 0 ? LARGEST - 1 : i < count - 1 ? LARGEST : 2 ** 20));
  const radix = 2n ** BigInt(LIMB_BITS);
  const inverse = Number(BigInt.asIntN(LIMB_BITS, -power(valueOf(limbs), radix / 2n - 1n, radix)));
  return { count, limbs, inverse, columns: new Float64Array(2 * count + 4) };
}

function limbsOf(count: number, limb: (index: number) => number): Float64Array {
  const limbs = newLimbs(count);
  for (let i = 0; i < count; i++) limbs[i] = limb(i);
  return limbs;
}

function valueOf(limbs: Float64Array): bigint {
  return limbs.reduceRight((value, limb) => (value << BigInt(LIMB_BITS)) + BigInt(limb), 0n);
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let i = exponent, x = base % modulus; i > 0n; i >>= 1n, x = (x * x) % modulus) {
    if (i & 1n) result = (result * x) % modulus;
  }
  return result;
}

/** Checks that target · R ≡ a · b, and that every limb is small enough to be multiplied again. */
function expectProduct(
  { count, limbs }: Modulus,
  target: Float64Array,
  a: Float64Array,
  b: Float64Array,
): void {
  const n = valueOf(limbs);
  const difference = (valueOf(target) << BigInt(LIMB_BITS * count)) - valueOf(a) * valueOf(b);
  expect(difference % n === 0n).to.equal(true);
  for (const limb of target.subarray(0, count - 1)) expect(Math.abs(limb)).to.be.at.most(LARGEST);
}
