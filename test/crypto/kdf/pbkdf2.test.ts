import { pbkdf2Sync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { toHex, utf8 } from '../../../src/crypto/bytes.ts';
import { SHA256 } from '../../../src/crypto/hash/sha256.ts';
import { pbkdf2, pbkdf2Steps } from '../../../src/crypto/kdf/pbkdf2.ts';
import { describeSample, inDepth } from '../../support/depth.ts';
import {
  checkAll,
  describeVectors,
  hex,
  parseRsp,
  parseWycheproof,
  readPublished,
} from '../../support/vectors.ts';
import { HASHES, hashNamed, nodeName, withoutResume } from '../hash/algorithms.ts';

interface Published {
  readonly hash: string;
  readonly password: string;
  readonly salt: string;
  readonly iterations: number;
  readonly lengthBytes: number;
  readonly derivedKey: string;
}

/** RFC 6070 has a test of 16,777,216 iterations, which adds nothing to the others. */
const MOST_ITERATIONS = inDepth(100_000, 5000);
/** Of vectors of thousands of iterations in `npm test`. */
const NTH = 5;

const SALT = utf8('salt');

describe('PBKDF2', () => {
  it('gives the keys of RFC 6070 and RFC 7914', async () => {
    const { vectors } = readPublished('pbkdf2.json') as { vectors: Published[] };
    expect(vectors).to.have.length(7);
    const affordable = vectors.filter(({ iterations }) => iterations <= MOST_ITERATIONS);
    await checkAll('pbkdf2.json', affordable, (vector) => {
      const { password, salt, iterations, lengthBytes, derivedKey } = vector;
      const hash = hashNamed(vector.hash);
      const key = pbkdf2(hash, utf8(password), utf8(salt), iterations, lengthBytes);
      expect(toHex(key)).to.equal(derivedKey);
    });
  });

  describeVectors(
    'cryptography_vectors/KDF/rfc-6070-PBKDF2-SHA1.txt',
    (text) => parseRsp(text).filter((fields) => Number(fields['iterations']) <= MOST_ITERATIONS),
    (vector) => {
      const [password, salt] = [vector['password']!, vector['salt']!].map((text) =>
        utf8(text.replaceAll('\\0', '\0')),
      );
      const { iterations, length } = vector;
      const key = pbkdf2(hashNamed('sha1'), password!, salt!, Number(iterations), Number(length));
      expect(toHex(key)).to.equal(vector['derived_key']);
    },
  );

  const holds = (vector: Record<string, string>) => {
    const { passphrase, iterations, output } = vector;
    const hash = hashNamed(vector['hash']!);
    const password = utf8(passphrase ?? '');
    const length = output!.length / 2;
    const key = pbkdf2(hash, password, hex(vector, 'salt'), Number(iterations), length);
    expect(toHex(key)).to.equal(output!.toLowerCase());
  };
  describeSample('vectors/libraries/botan-pbkdf2.vec', parseBotan, holds, NTH);

  for (const name of ['sha1', 'sha256', 'sha512']) {
    describeSample(
      `vectors/wycheproof/pbkdf2_hmac${name}_test.json`,
      parseWycheproof,
      (vector) => {
        const { iterationCount, dkLen } = vector as unknown as Record<string, number>;
        const [password, salt] = [hex(vector, 'password'), hex(vector, 'salt')];
        const key = pbkdf2(hashNamed(name), password, salt, iterationCount!, dkLen!);
        expect(toHex(key) === vector['dk']).to.equal(vector.result === 'valid');
      },
      NTH,
    );
  }

  for (const hash of HASHES) {
    it(`agrees with node:crypto: ${hash.name}`, () => {
      const data = fc.uint8Array({ maxLength: 200 });
      const count = fc.integer({ min: 1, max: 5 });
      const length = fc.integer({ min: 1, max: 200 });
      fc.assert(
        fc.property(data, data, count, length, (password, salt, iterations, lengthBytes) => {
          const key = pbkdf2(hash, password, salt, iterations, lengthBytes);
          const expected = pbkdf2Sync(password, salt, iterations, lengthBytes, nodeName(hash));
          expect(toHex(key)).to.equal(expected.toString('hex'));
        }),
      );
    });
  }

  it('gives the same with a hash that can only clone', () => {
    const key = pbkdf2(withoutResume(SHA256), SALT, SALT, 10, 50);
    expect(toHex(key)).to.equal(toHex(pbkdf2(SHA256, SALT, SALT, 10, 50)));
  });

  it('gives one key on both sides of a progress step', () => {
    for (const iterations of [4095, 4096, 4097, 8193]) {
      const expected = pbkdf2Sync('salt', 'salt', iterations, 40, 'sha256').toString('hex');
      expect(toHex(pbkdf2(SHA256, SALT, SALT, iterations, 40))).to.equal(expected);
    }
  });

  it('reports progress from 0 to 1', () => {
    const steps = pbkdf2Steps(SHA256, SALT, SALT, 10_000, 64);
    const shares: number[] = [];
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) shares.push(step.value);
    expect(shares).to.have.length(6);
    expect(shares).to.deep.equal([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).to.equal(1);
    expect(toHex(step.value)).to.equal(toHex(pbkdf2(SHA256, SALT, SALT, 10_000, 64)));
  });

  it('can be stopped half-way', () => {
    const steps = pbkdf2Steps(SHA256, SALT, SALT, 1_000_000_000, 64);
    expect(steps.next().done).to.equal(false);
    steps.return(new Uint8Array(0));
    expect(steps.next()).to.deep.equal({ done: true, value: undefined });
  });

  it('refuses invalid arguments at once, and never returns zeros', () => {
    const ask = (...args: unknown[]): (() => unknown) => {
      const [password, salt, iterations, length] = args as [Uint8Array, Uint8Array, number, number];
      return () => pbkdf2Steps(SHA256, password, salt, iterations, length);
    };
    expect(ask('password', SALT, 1, 32)).to.throw(TypeError, 'password');
    expect(ask(SALT, undefined, 1, 32)).to.throw(TypeError, 'salt');
    for (const wrong of [0, -1]) {
      expect(ask(SALT, SALT, wrong, 32)).to.throw(RangeError, 'iterations');
      expect(ask(SALT, SALT, 1, wrong)).to.throw(RangeError, 'lengthBytes');
    }
    for (const wrong of [NaN, 1.5, Infinity, '1000', undefined, null, 2 ** 53]) {
      expect(ask(SALT, SALT, wrong, 32)).to.throw(TypeError, 'iterations');
      expect(ask(SALT, SALT, 1, wrong)).to.throw(TypeError, 'lengthBytes');
    }
    expect(ask(SALT, SALT, 1, 0xffff_ffff * 32 + 1)).to.throw(RangeError, 'lengthBytes');
  });
});

/** The sections headed [PBKDF2(HMAC(SHA-…))]; the others have other MACs. */
function parseBotan(text: string): Record<string, string>[] {
  return parseRsp(text).flatMap((fields) => {
    const hash = /^PBKDF2\(HMAC\((SHA-\d+)\)\)$/.exec(fields['section'] ?? '')?.[1];
    return hash === undefined ? [] : [{ ...fields, hash }];
  });
}
