import { expect } from 'chai';
import {
  multiply,
  multiplyByRows,
  square,
  squareByRows,
  workspaceLength,
} from '../../lab/runs/karatsuba.ts';
import { BLOCK, LIMB_BITS, newLimbs } from '../../src/crypto/bigint/limbs.ts';

/** The largest limb after `settle`, of either sign. */
const LARGEST = 2 ** 23 + 2 ** 7;

function valueOf(limbs: Float64Array): bigint {
  return limbs.reduceRight((value, limb) => (value << BigInt(LIMB_BITS)) + BigInt(limb), 0n);
}

function limbsOf(count: number, limb: (index: number) => number): Float64Array {
  const limbs = newLimbs(count);
  for (let i = 0; i < count; i++) limbs[i] = limb(i);
  return limbs;
}

describe('products by rows and by Karatsuba’s identity', () => {
  // `relieve` runs after 60 and 120 rows of a half or of the whole.
  for (const count of [8, 56, 64, 112, 120, 128, 240, 248, 328, 648]) {
    it(`are exact for ${count} limbs of maximum size and of any`, () => {
      const workspace = new Float64Array(workspaceLength(count)).fill(NaN);
      const product = new Float64Array(2 * count + BLOCK).fill(NaN);
      const operands = [
        limbsOf(count, () => LARGEST),
        limbsOf(count, () => -LARGEST),
        // The halves differ as much as limbs allow.
        limbsOf(count, (i) => (2 * i < count ? LARGEST : -LARGEST)),
        limbsOf(count, (i) => (i % 2 === 0 ? LARGEST : -LARGEST)),
        limbsOf(count, (i) => ((i * 7_654_321) % 2 ** 24) - 2 ** 23),
        limbsOf(count, () => 0),
      ];
      for (const a of operands) {
        square(a, product, count, workspace);
        expect(valueOf(product)).to.equal(valueOf(a) ** 2n);
        squareByRows(a, product, count);
        expect(valueOf(product)).to.equal(valueOf(a) ** 2n);
        for (const b of operands) {
          multiply(a, b, product, count, workspace);
          expect(valueOf(product)).to.equal(valueOf(a) * valueOf(b));
          multiplyByRows(a, b, product, count);
          expect(valueOf(product)).to.equal(valueOf(a) * valueOf(b));
        }
      }
      // Limbs are in range, but for the top one.
      const limbs = product.subarray(0, 2 * count - 1);
      expect(Math.max(...limbs.map(Math.abs))).to.be.at.most(LARGEST);
    });
  }
});
