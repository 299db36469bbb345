import { constants, generateKeyPairSync, privateDecrypt, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { toBigint, toBytes } from '../../../src/crypto/bigint/integers.ts';
import type { OddPower } from '../../../src/crypto/bigint/odd-power.ts';
import { oddPower } from '../../../src/crypto/bigint/odd-power.ts';
import type { RsaPrivateKey } from '../../../src/crypto/classical/rsa.ts';
import { createRsa } from '../../../src/crypto/classical/rsa.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';

const rsa = createRsa(oddPower, randomBytes);

function newKey(bits: number): { own: Required<RsaPrivateKey>; pem: string } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const jwk = privateKey.export({ format: 'jwk' });
  const names = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const;
  const members = names.map((name) => [name, Buffer.from(jwk[name]!, 'base64url')]);
  return {
    own: Object.fromEntries(members) as Required<RsaPrivateKey>,
    pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

describe('the RSA private operation', () => {
  const { own } = newKey(1024);
  const n = toBigint(own.n as Uint8Array);

  it('agrees with OpenSSL, with and without CRT', () => {
    for (const bits of [1024, 1536, 2048]) {
      const key = newKey(bits);
      const c = randomBytes(bits / 8);
      c[0] = 0;
      const expected = privateDecrypt({ key: key.pem, padding: constants.RSA_NO_PADDING }, c);
      expect(Buffer.from(rsa.privateOperation(key.own, c)).equals(expected)).to.equal(true);
      const { n: modulus, e, d } = key.own;
      const plain = rsa.privateOperation({ n: modulus, e, d }, c);
      expect(Buffer.from(plain).equals(expected)).to.equal(true);
    }
  });

  it('is right for 0, 1 and n - 1, with a result of the type of c', () => {
    expect(rsa.privateOperation(own, 0n)).to.equal(0n);
    expect(rsa.privateOperation(own, 1n)).to.equal(1n);
    expect(rsa.privateOperation(own, n - 1n)).to.equal(n - 1n);
    expect(rsa.privateOperation(own, Uint8Array.of(1))).to.deep.equal(toBytes(1n, 128));
  });

  it('accepts multiples of the primes', () => {
    const p = toBigint(own.p as Uint8Array);
    expect(rsa.privateOperation(own, p) % p).to.equal(0n);
  });

  it('accepts a key of bigints', () => {
    const members = Object.entries(own).map(([name, value]) => [
      name,
      toBigint(value as Uint8Array),
    ]);
    const c = n / 3n;
    expect(
      rsa.privateOperation(Object.fromEntries(members) as Required<RsaPrivateKey>, c),
    ).to.equal(rsa.privateOperation(own, c));
  });

  it('is blinded: the engine never raises c itself', () => {
    const c = toBytes(n / 5n);
    const raised: string[] = [];
    const spy: OddPower = (base, exponent, modulus) => {
      raised.push(Buffer.from(base).toString('hex'));
      return oddPower(base, exponent, modulus);
    };
    const spied = createRsa(spy, randomBytes);
    const first = spied.privateOperation(own, c);
    const seen = raised.splice(0);
    expect(spied.privateOperation(own, c)).to.deep.equal(first);
    expect(seen).not.to.include(Buffer.from(c).toString('hex'));
    // Only the check of the result occurs twice.
    expect(raised.filter((base) => seen.includes(base))).to.deep.equal([
      Buffer.from(first).toString('hex'),
    ]);
  });

  it('returns nothing if the arithmetic fails in one half, because the result would reveal the primes', () => {
    const p = own.p as Uint8Array;
    const faulty: OddPower = (base, exponent, modulus) => {
      const result = oddPower(base, exponent, modulus);
      if (Buffer.from(modulus).equals(p)) result[result.length - 1]! ^= 1;
      return result;
    };
    expect(() => createRsa(faulty, randomBytes).privateOperation(own, 2n)).to.throw(
      AuthenticationError,
    );
  });

  it('refuses inconsistent members', () => {
    for (const name of ['dp', 'dq', 'qi', 'p', 'q'] as const) {
      const member = Uint8Array.from(own[name] as Uint8Array);
      member[member.length - 1]! ^= 2;
      expect(() => rsa.privateOperation({ ...own, [name]: member }, 2n), name).to.throw(
        AuthenticationError,
      );
    }
  });

  it('refuses wrong arguments with their names', () => {
    expect(() => rsa.privateOperation(own, n)).to.throw(RangeError, 'c');
    expect(() => rsa.privateOperation(own, -1n)).to.throw(RangeError, 'c');
    expect(() => rsa.privateOperation({ n: n - 1n, e: 3n, d: 3n }, 2n)).to.throw(RangeError, 'n');
    expect(() => rsa.privateOperation({ n, e: 4n, d: 3n }, 2n)).to.throw(RangeError, 'e');
    expect(() => rsa.privateOperation({ ...own, p: 4n }, 2n)).to.throw(RangeError, 'p');
    expect(() => rsa.privateOperation({ n, e: 3n }, 2n)).to.throw(TypeError, 'lacks');
    expect(() => rsa.privateOperation({ n, e: 3n, p: 3n, d: 3n }, 2n)).to.throw(TypeError, 'qi');
    expect(() => rsa.privateOperation(own, '2' as never)).to.throw(TypeError, 'c');
  });
});
