import { expect } from 'chai';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Aes } from '../../../src/crypto/aes/block.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import { unwrapKey, wrapKey } from '../../../src/crypto/mode/key-wrap.ts';
import { unaligned } from '../../support/edge-lengths.ts';
import { describeVectors, hex, parseRsp } from '../../support/vectors.ts';

const IV = Buffer.alloc(8, 0xa6);
const LENGTHS = [16, 24, 32, 40, 64, 128, 520, 4096];

describe('AES key wrap (RFC 3394)', () => {
  describeVectors('cryptography_vectors/keywrap/kwtestvectors/KW_AE_256.txt', parseRsp, (v) => {
    expect(wrapKey(new Aes(hex(v, 'k')), hex(v, 'p'))).to.deep.equal(hex(v, 'c'));
  });

  describeVectors('cryptography_vectors/keywrap/kwtestvectors/KW_AD_128.txt', parseRsp, (v) => {
    const unwrap = () => unwrapKey(new Aes(hex(v, 'k')), hex(v, 'c'));
    if ('fail' in v) expect(unwrap).to.throw(AuthenticationError);
    else expect(unwrap()).to.deep.equal(hex(v, 'p'));
  });

  for (const keyBytes of [16, 24, 32]) {
    it(`agrees with OpenSSL on keys of ${keyBytes} bytes, unaligned and in place`, () => {
      for (const length of LENGTHS) {
        const [key, plaintext] = [randomBytes(keyBytes), Uint8Array.from(randomBytes(length))];
        const cipher = new Aes(key);
        const openssl = createCipheriv(`aes${8 * keyBytes}-wrap`, key, IV);
        const expected = Uint8Array.from(
          Buffer.concat([openssl.update(plaintext), openssl.final()]),
        );
        const room = unaligned(new Uint8Array(length + 8), 3);
        room.set(plaintext);
        expect(wrapKey(cipher, unaligned(plaintext, 5))).to.deep.equal(expected);
        expect(wrapKey(cipher, room.subarray(0, length), room)).to.deep.equal(expected);
        expect(unwrapKey(cipher, room, room)).to.deep.equal(plaintext);
        const back = createDecipheriv(`aes${8 * keyBytes}-wrap`, key, IV).update(expected);
        expect(Uint8Array.from(back)).to.deep.equal(plaintext);
      }
    });
  }

  it('refuses every changed byte and does not write into', () => {
    const cipher = new Aes(new Uint8Array(16));
    const wrapped = wrapKey(cipher, new Uint8Array(24).fill(5));
    const into = new Uint8Array(24);
    for (let i = 0; i < wrapped.length; i++) {
      const forged = wrapped.slice();
      forged[i]! ^= 1 << (i % 8);
      expect(() => unwrapKey(cipher, forged, into)).to.throw(AuthenticationError);
      expect(into).to.deep.equal(new Uint8Array(24));
    }
  });

  it('refuses impossible lengths, with RangeError or AuthenticationError', () => {
    const cipher = new Aes(new Uint8Array(16));
    for (const length of [0, 8, 15, 17, 23]) {
      expect(() => wrapKey(cipher, new Uint8Array(length))).to.throw(RangeError, 'plaintext');
    }
    for (const length of [0, 8, 16, 25, 31]) {
      expect(() => unwrapKey(cipher, new Uint8Array(length))).to.throw(AuthenticationError);
    }
    const short = () => wrapKey(cipher, new Uint8Array(16), new Uint8Array(23));
    expect(short).to.throw(RangeError, 'into');
  });
});
