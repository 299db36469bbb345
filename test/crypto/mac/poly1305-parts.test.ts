import { expect } from 'chai';
import {
  addLimbs,
  limbsOfR,
  limbsOfSum,
  multiplyLimbs,
  powerOfLimbs,
  sumOfLimbs,
} from '../../../src/crypto/mac/poly1305-parts.ts';
import { randomBytes } from '../../support/random-bytes.ts';

const PRIME = 2n ** 130n - 5n;

/** Five limbs of 32 bits in 8 bytes each. */
function sumOf(limbs: readonly bigint[]): Uint8Array {
  const sum = new Uint8Array(40);
  const view = new DataView(sum.buffer);
  limbs.forEach((limb, i) => view.setBigUint64(8 * i, limb, true));
  return sum;
}

function valueOf(sum: Uint8Array): bigint {
  const view = new DataView(sum.buffer);
  return [0, 1, 2, 3, 4].reduce(
    (total, i) => total + (view.getBigUint64(8 * i, true) << BigInt(32 * i)),
    0n,
  );
}

const random = (bits: number): bigint =>
  randomBytes(17).reduce((total, byte) => (total << 8n) | BigInt(byte), 0n) % (1n << BigInt(bits));
const FULL = 0xffff_ffffn;
const EDGES = [
  [0n, 0n, 0n, 0n, 0n],
  [FULL, FULL, FULL, FULL, 3n],
  [0xffff_fffbn, FULL, FULL, FULL, 3n],
  [3n << 32n, 3n << 32n, 3n << 32n, 3n << 32n, 3n],
  [1n, 0n, 0n, 0n, 0n],
];
const SUMS = [
  ...EDGES,
  ...Array.from({ length: 200 }, () => [random(33), random(33), random(33), random(33), random(2)]),
];
const RS = [
  ...['00'.repeat(16), 'ffffff0ffcffff0ffcffff0ffcffff0f'].map((hex) => Buffer.from(hex, 'hex')),
  ...Array.from({ length: 20 }, () => {
    const r = randomBytes(16);
    [3, 7, 11, 15].forEach((i) => (r[i]! &= 15));
    [4, 8, 12].forEach((i) => (r[i]! &= 252));
    return r;
  }),
];
const numberOf = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((total, byte) => (total << 8n) | BigInt(byte), 0n);

describe('Poly1305 of parts', () => {
  it('multiplies and adds modulo 2^130 - 5, with limbs at their limits', () => {
    for (const r of RS) {
      for (const limbs of SUMS) {
        const a = limbsOfSum(sumOf(limbs));
        multiplyLimbs(a, limbsOfR(r));
        addLimbs(a, limbsOfSum(sumOf(SUMS[7]!)));
        const right = valueOf(sumOf(limbs)) * numberOf(r) + valueOf(sumOf(SUMS[7]!));
        expect(valueOf(sumOfLimbs(a)) % PRIME).to.equal(right % PRIME);
      }
    }
  });

  it('gives every limb below 2^32, and the last below 2^4', () => {
    for (const limbs of SUMS) {
      const a = limbsOfSum(sumOf(limbs));
      const view = new DataView(sumOfLimbs(a).buffer);
      for (let i = 0; i < 4; i++) expect(view.getUint32(8 * i + 4, true)).to.equal(0);
      expect(view.getBigUint64(32, true) < 16n).to.equal(true);
    }
  });

  it('raises to powers', () => {
    for (const r of RS.slice(0, 8)) {
      for (const exponent of [1, 2, 3, 4, 5, 64, 65, 4095, 65_536, 2 ** 28 + 3]) {
        let right = 1n;
        for (const bit of exponent.toString(2)) {
          right = (right * right) % PRIME;
          if (bit === '1') right = (right * numberOf(r)) % PRIME;
        }
        const power = sumOfLimbs(powerOfLimbs(limbsOfR(r), exponent));
        expect(valueOf(power) % PRIME, `${exponent}`).to.equal(right);
      }
    }
  });
});
