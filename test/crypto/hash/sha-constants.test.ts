import { expect } from 'chai';
import fc from 'fast-check';
import {
  firstPrimes,
  halves,
  highHalves,
  rootFraction,
} from '../../../src/crypto/hash/sha-constants.ts';

describe('constants of SHA-2', () => {
  it('begin and end as in FIPS 180-4', () => {
    const k = firstPrimes(80).map((prime) => rootFraction(prime, 3));
    expect(k[0]).to.equal(0x428a2f98d728ae22n); // section 4.2.3
    expect(k[79]).to.equal(0x6c44198c4a475817n);
    const k32 = highHalves(k.slice(0, 64));
    expect(k32[0]).to.equal(0x428a2f98); // section 4.2.2
    expect(k32[63]! >>> 0).to.equal(0xc67178f2);
    expect(rootFraction(2, 2)).to.equal(0x6a09e667f3bcc908n); // section 5.3.5
    expect(rootFraction(23, 2)).to.equal(0xcbbb9d5dc1059ed8n); // section 5.3.4
    expect(rootFraction(53, 2)).to.equal(0x47b5481dbefa4fa4n);
  });

  it('are roots exactly: the next integer would be too large', () => {
    const cases = fc.tuple(
      fc.integer({ min: 1, max: 10_000 }),
      fc.constantFrom(2 as const, 3 as const),
    );
    fc.assert(
      fc.property(cases, ([n, degree]) => {
        const whole = BigInt(Math.floor(degree === 2 ? Math.sqrt(n) : Math.cbrt(n) + 1e-9));
        const root = (whole << 64n) + rootFraction(n, degree);
        const scaled = BigInt(n) << BigInt(64 * degree);
        expect(root ** BigInt(degree) <= scaled).to.equal(true);
        expect((root + 1n) ** BigInt(degree) > scaled).to.equal(true);
      }),
    );
  });

  it('lists the primes', () => {
    expect(firstPrimes(10)).to.deep.equal([2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
    expect(firstPrimes(80).at(-1)).to.equal(409);
  });

  it('splits 64-bit values into signed halves, the high one first', () => {
    expect([...halves([0x80000000_00000001n])]).to.deep.equal([-(2 ** 31), 1]);
  });
});
