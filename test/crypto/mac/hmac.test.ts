import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { equal, toHex } from '../../../src/crypto/bytes.ts';
import { SHA256 } from '../../../src/crypto/hash/sha256.ts';
import { Hmac, hmac } from '../../../src/crypto/mac/hmac.ts';
import { EDGE_LENGTHS, unaligned } from '../../support/edge-lengths.ts';
import {
  checkAll,
  describeVectors,
  hex,
  parseRsp,
  parseSjcl,
  parseWycheproof,
  readPublished,
} from '../../support/vectors.ts';
import { HASHES, hashNamed, nodeName, withoutResume } from '../hash/algorithms.ts';

const bytes = (length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, i) => (i * 73 + 5) & 0xff);

describe('HMAC', () => {
  it('gives the tags of RFC 2202 and RFC 4231', async () => {
    const { vectors } = readPublished('hmac.json') as { vectors: Record<string, string>[] };
    expect(vectors.length).to.be.greaterThan(15);
    await checkAll('hmac.json', vectors, (vector) => {
      const tag = hmac(hashNamed(vector['hash']!), hex(vector, 'key'), hex(vector, 'message'));
      expect(toHex(tag).slice(0, vector['tag']!.length)).to.equal(vector['tag']);
    });
  });

  for (const [file, name] of [
    ['rfc-2202-sha1', 'SHA-1'],
    ['rfc-4231-sha256', 'SHA-256'],
    ['rfc-4231-sha512', 'SHA-512'],
  ] as const) {
    describeVectors(`cryptography_vectors/HMAC/${file}.txt`, parseRsp, (vector) => {
      const message = hex(vector, 'msg').subarray(0, Number(vector['len']) / 8);
      const tag = toHex(hmac(hashNamed(name), hex(vector, 'key'), message));
      expect(tag.slice(0, vector['md']!.length)).to.equal(vector['md']); // test 5 is truncated
    });
  }

  for (const name of ['sha1', 'sha256', 'sha512']) {
    describeVectors(`vectors/wycheproof/hmac_${name}_test.json`, parseWycheproof, (vector) => {
      const tag = hmac(hashNamed(name), hex(vector, 'key'), hex(vector, 'msg'));
      const cut = tag.subarray(0, (vector['tagSize'] as number) / 8);
      expect(equal(cut, hex(vector, 'tag'))).to.equal(vector.result === 'valid');
    });
  }

  describeVectors('sjcl/hmac_vectors.js', parseSjcl, (vector) => {
    const tag = toHex(hmac(SHA256, hex(vector, 'key'), hex(vector, 'data')));
    expect(tag.slice(0, vector['mac']!.length)).to.equal(vector['mac']);
  });

  for (const hash of HASHES) {
    const reference = (key: Uint8Array, message: Uint8Array): string =>
      createHmac(nodeName(hash), key).update(message).digest('hex');

    describe(hash.name, () => {
      it('agrees with node:crypto for keys around and above a block’s length', () => {
        for (let length = 0; length <= 2 * hash.blockBytes + 1; length++) {
          const key = bytes(length);
          expect(toHex(hmac(hash, key, bytes(50)))).to.equal(reference(key, bytes(50)));
        }
      });

      it('agrees with node:crypto at every edge length, unaligned, without changing its inputs', () => {
        for (const length of EDGE_LENGTHS) {
          const key = unaligned(bytes(33), 3);
          const message = unaligned(bytes(length), 5);
          expect(toHex(hmac(hash, key, message))).to.equal(reference(bytes(33), bytes(length)));
          expect(message).to.deep.equal(bytes(length));
          expect(key).to.deep.equal(bytes(33));
        }
      });

      it('gives one tag wherever a message is cut', () => {
        const message = bytes(2 * hash.blockBytes + 3);
        for (let cut = 0; cut <= message.length; cut++) {
          const mac = new Hmac(hash, bytes(20));
          mac.update(message.subarray(0, cut)).update(message.subarray(cut));
          expect(toHex(mac.digest())).to.equal(reference(bytes(20), message));
        }
      });

      for (const algorithm of [hash, withoutResume(hash)]) {
        const how = algorithm === hash ? 'in the same object' : 'by clones';
        it(`begins another message under the same key after reset(), ${how}`, () => {
          const mac = new Hmac(algorithm, bytes(40));
          for (const length of [0, 1, 63, 64, 65, 200]) {
            mac.update(bytes(length));
            expect(toHex(mac.digest())).to.equal(reference(bytes(40), bytes(length)));
            mac.reset();
          }
          mac.update(bytes(99)).reset().update(bytes(7));
          expect(toHex(mac.digest())).to.equal(reference(bytes(40), bytes(7)));
        });
      }
    });
  }

  it('ends with digest() until it is reset', () => {
    const mac = new Hmac(SHA256, bytes(4));
    mac.digest();
    expect(() => mac.update(bytes(1))).to.throw(Error, 'ended');
    expect(() => mac.digest()).to.throw(Error, 'ended');
  });

  it('copies the key and clears the copy on wipe()', () => {
    const key = bytes(32);
    const mac = new Hmac(SHA256, key);
    key.fill(0);
    expect(toHex(mac.digest())).to.equal(toHex(hmac(SHA256, bytes(32))));
    mac.wipe();
    expect(toHex(mac.reset().digest())).to.not.equal(toHex(hmac(SHA256, bytes(32))));
  });

  it('refuses keys that are not bytes', () => {
    for (const wrong of ['key', undefined, [1], new Float64Array(1)]) {
      expect(() => new Hmac(SHA256, wrong as unknown as Uint8Array)).to.throw(TypeError, 'key');
    }
  });
});
