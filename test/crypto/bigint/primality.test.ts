import { expect } from 'chai';
import { isProbablePrime, isWitness } from '../../../src/crypto/bigint/primality.ts';
import { describeSample } from '../../support/depth.ts';
import { describeVectors, parseRsp, parseWycheproof } from '../../support/vectors.ts';

describe('primality', () => {
  describeSample(
    'vectors/wycheproof/primality_test.json',
    parseWycheproof,
    (vector) => {
      const digits = vector['value'] as string;
      const value = BigInt.asIntN(4 * digits.length, BigInt(`0x${digits}`));
      if (value < 0n) return; // two's complement; negative integers are skipped
      expect(isProbablePrime(value)).to.equal(vector.result === 'valid');
    },
    7,
  );

  describeVectors('vectors/libraries/boringssl-miller-rabin.txt', parseRsp, (vector) => {
    const [w, b] = [BigInt(`0x${vector['w']!}`), BigInt(`0x${vector['b']!}`)];
    expect(isWitness(b, w)).to.equal(vector['result'] === 'Composite');
  });

  it('is right about every number up to 20,000', () => {
    const composite = new Set<number>();
    for (let n = 2; n < 20_000; n++) {
      for (let multiple = 2 * n; multiple < 20_000; multiple += n) composite.add(multiple);
      expect(isProbablePrime(BigInt(n)), `${n}`).to.equal(!composite.has(n));
    }
    expect(isProbablePrime(0n)).to.equal(false);
    expect(isProbablePrime(1n)).to.equal(false);
  });

  it('detects strong pseudoprimes to base 2 and squares of primes', () => {
    // OEIS A001262, from 2047 on; 1093 and 3511 are the Wieferich primes
    for (const n of [2047n, 3277n, 4033n, 1093n ** 2n, 3511n ** 2n, 3_215_031_751n]) {
      expect(isWitness(2n, n)).to.equal(false);
      expect(isProbablePrime(n)).to.equal(false);
    }
  });
});
