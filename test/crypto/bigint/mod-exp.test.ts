import { expect } from 'chai';
import { modExp } from '../../../src/crypto/bigint/mod-exp.ts';
import { toBytes } from '../../../src/crypto/bigint/integers.ts';
import { POWER_SIZES } from '../../../lab/tasks.ts';
import { describeSample } from '../../support/depth.ts';
import { describeVectors, parseRsp } from '../../support/vectors.ts';
import { awkwardModuli, expectedPower, randomInteger, signed } from './powers.ts';

describe('modular exponentiation', () => {
  describeSample(
    'vectors/libraries/boringssl-mod-exp.txt',
    parseRsp,
    (vector) => {
      const [base, exponent, modulus, result] = ['a', 'e', 'm', 'modexp'].map((name) =>
        signed(vector[name]!),
      ) as [bigint, bigint, bigint, bigint];
      if (base < 0n) expect(() => modExp(base, exponent, modulus)).to.throw(RangeError);
      const positive = ((base % modulus) + modulus) % modulus;
      expect(modExp(positive, exponent, modulus)).to.equal(result);
    },
    5,
  );

  describeVectors('vectors/libraries/botan-powmod.vec', parsePowmod, (vector) => {
    const [base, exponent, modulus, output] = ['base', 'exponent', 'modulus', 'output'].map(
      (name) => signed(vector[name]!, 'literal'),
    ) as [bigint, bigint, bigint, bigint];
    if (base < 0n || modulus <= 0n) {
      expect(() => modExp(base, exponent, modulus)).to.throw(RangeError);
    }
    if (modulus <= 0n) return;
    const positive = ((base % modulus) + modulus) % modulus;
    expect(modExp(positive, exponent, modulus)).to.equal(output);
  });

  describeVectors('vectors/libraries/boringssl-miller-rabin.txt', parseRsp, (vector) => {
    const [w, b] = [signed(vector['w']!), signed(vector['b']!)];
    expect(isWitness(w, b)).to.equal(vector['result'] === 'Composite');
  });

  it('agrees with bigint arithmetic at every modulus size from 2 to 2,100 bits', () => {
    for (let bits = 2; bits <= 2100; bits += bits < 300 ? 1 : 7) {
      const modulus = randomInteger(bits) | 1n;
      const base = randomInteger((bits * 5) % 2311);
      const exponent = randomInteger(bits % 41);
      expect(modExp(base, exponent, modulus), `${bits} bits`).to.equal(
        expectedPower(base, exponent, modulus),
      );
    }
  });

  it('agrees with bigint arithmetic if all limbs are full, and if almost all are empty', () => {
    for (const bits of [2, 3, 8, 23, 24, 25, 93, 94, 95, 96, 97, 192, 1024, 1437, 1438, 5000]) {
      for (const modulus of awkwardModuli(bits)) {
        for (const base of [modulus - 1n, modulus >> 1n, modulus + 1n, modulus * modulus - 1n]) {
          expect(modExp(base, 65537n, modulus), `${bits} bits`).to.equal(
            expectedPower(base, 65537n, modulus),
          );
        }
      }
    }
  });

  it('is right for bases, exponents and moduli of 0 and 1', () => {
    expect(modExp(0n, 0n, 7n)).to.equal(1n);
    expect(modExp(5n, 0n, 7n)).to.equal(1n);
    expect(modExp(5n, 0n, 1n)).to.equal(0n);
    expect(modExp(0n, 5n, 7n)).to.equal(0n);
    expect(modExp(7n, 5n, 7n)).to.equal(0n);
    expect(modExp(9n, 1n, 7n)).to.equal(2n);
    expect(modExp(3n, 4n, 2n)).to.equal(1n);
  });

  it('supports even moduli', () => {
    for (const bits of [2, 16, 61, 200]) {
      const modulus = randomInteger(bits) & ~1n;
      const base = randomInteger(2 * bits);
      expect(modExp(base, 1001n, modulus)).to.equal(expectedPower(base, 1001n, modulus));
    }
  });

  for (const { modulus: bits, exponent: exponentBits } of POWER_SIZES.slice(0, 6)) {
    it(`is right for ${bits} bits and an exponent of ${exponentBits}`, () => {
      const modulus = randomInteger(bits) | 1n;
      const [base, exponent] = [randomInteger(bits), randomInteger(exponentBits)];
      expect(modExp(base, exponent, modulus)).to.equal(expectedPower(base, exponent, modulus));
    });
  }

  it('takes bytes and pads the result to the length of the modulus', () => {
    const view = new Uint8Array(9).subarray(2, 8);
    view.set([0, 0, 0, 1, 0, 1]);
    const modulus = Uint8Array.from(view);
    expect(modExp(Uint8Array.of(2), Uint8Array.of(0, 20), view)).to.deep.equal(
      toBytes(2n ** 20n % 65537n, 6),
    );
    expect(view).to.deep.equal(modulus);
    expect(modExp(new Uint8Array(0), new Uint8Array(0), modulus)).to.deep.equal(toBytes(1n, 6));
    expect(modExp(Uint8Array.of(3), Uint8Array.of(3), Uint8Array.of(0, 1))).to.deep.equal(
      new Uint8Array(2),
    );
  });

  it('ignores leading zeros of the exponent', () => {
    const modulus = toBytes(randomInteger(521) | 1n);
    const [base, exponent] = [toBytes(randomInteger(520)), toBytes(randomInteger(100))];
    const padded = new Uint8Array(40);
    padded.set(exponent, 40 - exponent.length);
    expect(modExp(base, padded, modulus)).to.deep.equal(modExp(base, exponent, modulus));
  });

  it('refuses wrong arguments with their names', () => {
    expect(() => modExp(-1n, 1n, 5n)).to.throw(RangeError, 'base');
    expect(() => modExp(1n, -1n, 5n)).to.throw(RangeError, 'exponent');
    expect(() => modExp(1n, 1n, -5n)).to.throw(RangeError, 'modulus');
    expect(() => modExp(1n, 1n, 0n)).to.throw(RangeError, 'modulus');
    const zero = new Uint8Array(3);
    expect(() => modExp(zero, zero, zero)).to.throw(RangeError, 'modulus');
    expect(() => modExp(3 as never, 1n, 5n)).to.throw(TypeError, 'base');
    expect(() => modExp(null as never, 1n, 5n)).to.throw(TypeError, 'base');
    expect(() => modExp(3n, Uint8Array.of(1) as never, 5n)).to.throw(TypeError, 'one kind');
  });
});

function parsePowmod(text: string): Record<string, string>[] {
  return parseRsp(text).filter((vector) => 'base' in vector);
}

/** FIPS 186-5, B.3.1, as the comment in the vectors says. */
function isWitness(w: bigint, b: bigint): boolean {
  let m = w - 1n;
  let a = 0;
  for (; m % 2n === 0n; a++) m /= 2n;
  let z = modExp(b, m, w);
  if (z === 1n) return false;
  for (let j = 0; j < a; j++) {
    if (z === w - 1n) return false;
    z = (z * z) % w;
  }
  return true;
}
