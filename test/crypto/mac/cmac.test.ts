import { expect } from 'chai';
import { equal, toHex } from '../../../src/crypto/bytes.ts';
import { cmac, Cmac } from '../../../src/crypto/mac/cmac.ts';
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
          const tag = cmac(cipherOf(hex({ key: rfc4493.key }, 'key')), hex(vector, 'message'));
          expect(toHex(tag)).to.equal(vector['tag']);
        }
      });

      const check38b = (vector: Fields) => {
        const tag = cmac(cipherOf(hex(vector, 'key')), hex(vector, 'message'));
        expect(toHex(tag)).to.equal(vector['output']);
      };
      describeVectors('mac_kdf/nist-800-38b-aes128.txt', parseRsp, check38b);
      describeVectors('mac_kdf/nist-800-38b-aes256.txt', parseRsp, check38b);

      const checkCavp = (vector: Fields) => {
        const message = hex(vector, 'msg').subarray(0, Number(vector['mlen']));
        const mac = hex(vector, 'mac');
        const tag = cmac(cipherOf(hex(vector, 'key')), message).subarray(0, mac.length);
        const passes = vector['result']!.startsWith('P');
        expect(equal(tag, mac)).to.equal(passes);
      };
      describeVectors('mac_kdf/cavp_aes128_cmac_tests.txt', parseRsp, checkCavp);
      describeVectors('mac_kdf/cavp_aes256_cmac_tests.txt', parseRsp, checkCavp);

      describeVectors('wycheproof/aes_cmac_test.json', parseWycheproof, (vector) => {
        const key = hex(vector, 'key');
        if (![16, 24, 32].includes(key.length)) {
          expect(vector.result).to.equal('invalid');
          expect(() => cipherOf(key)).to.throw(RangeError, 'key');
          return;
        }
        const tag = cmac(cipherOf(key), hex(vector, 'msg'));
        const same = equal(tag.subarray(0, Number(vector['tagSize']) / 8), hex(vector, 'tag'));
        expect(same).to.equal(vector.result === 'valid');
      });
    });
  }

  it('gives one tag wherever the message is cut', () => {
    const cipher = CIPHERS[0]![1](randomBytes(16));
    for (const length of EDGE_LENGTHS.filter((bytes) => bytes <= 1025)) {
      const message = randomBytes(length);
      const whole = cmac(cipher, message);
      for (const piece of [1, 7, 15, 16, 17, 33]) {
        const mac = new Cmac(cipher);
        for (let at = 0; at < length; at += piece) mac.update(message.subarray(at, at + piece));
        expect(mac.digest(), `${length} in pieces of ${piece}`).to.deep.equal(whole);
      }
    }
  });

  it('ends once, and cannot be used after wipe()', () => {
    const mac = new Cmac(CIPHERS[0]![1](new Uint8Array(16)));
    mac.digest();
    expect(() => mac.digest()).to.throw('CMAC has ended');
    expect(() => mac.update(new Uint8Array(1))).to.throw('CMAC has ended');
    const wiped = new Cmac(CIPHERS[0]![1](new Uint8Array(16)));
    wiped.wipe();
    expect(() => wiped.digest()).to.throw('CMAC has ended');
  });
});
