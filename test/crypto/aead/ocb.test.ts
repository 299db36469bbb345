import { expect } from 'chai';
import { Ocb } from '../../../src/crypto/aead/ocb.ts';
import { Aes } from '../../../src/crypto/aes/block.ts';
import { concat, fromHex, toHex, u32be } from '../../../src/crypto/bytes.ts';
import { CIPHERS } from '../../support/plain-cipher.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import type { Fields } from '../../support/vectors.ts';
import { checkAll, describeVectors, hex, parseRsp, readPublished } from '../../support/vectors.ts';
import { describeAeadClass, openssl } from './aead-suite.ts';

const rfc7253 = readPublished('rfc7253.json') as {
  key: string;
  vectors: Fields[];
  tag96: Fields;
  wider: { keyBits: number; tagBits: number; output: string }[];
};

describe('OCB', () => {
  describeAeadClass({
    name: 'ocb',
    nonces: [12, 1, 2, 7, 8, 13, 15],
    badNonces: [0, 16],
    tags: [16, 12, 8],
    badTags: [0, 4, 10, 15, 17],
    create: (cipher, options) => new Ocb(cipher, options),
  });

  const check = (vector: Fields, key: string, tagBytes = 16) => {
    const mode = new Ocb(new Aes(fromHex(key)), { tagBytes });
    const [nonce, data] = [hex(vector, 'nonce'), hex(vector, 'associatedData')];
    const sealed = mode.seal(nonce, hex(vector, 'plaintext'), data);
    expect(toHex(sealed)).to.equal(vector['sealed']);
    expect(mode.open(nonce, sealed, data)).to.deep.equal(hex(vector, 'plaintext'));
  };

  it('gives the vectors of RFC 7253, appendix A', async () => {
    await checkAll('rfc7253.json', rfc7253.vectors, (vector) => check(vector, rfc7253.key));
    check(rfc7253.tag96, rfc7253.tag96['key']!, 12);
  });

  for (const [name, cipherOf] of CIPHERS) {
    it(`gives the "wider variety" of RFC 7253, appendix A, over ${name}`, () => {
      for (const { keyBits, tagBits, output } of rfc7253.wider) {
        // K = zeros(KEYLEN-8) || num2str(TAGLEN,8)
        const key = new Uint8Array(keyBits / 8);
        key[key.length - 1] = tagBits;
        const mode = new Ocb(cipherOf(key), { tagBytes: tagBits / 8 });
        const nonce = (number: number) => concat(new Uint8Array(8), u32be(number));
        const none = new Uint8Array(0);
        const parts: Uint8Array[] = [];
        for (let i = 0; i < 128; i++) {
          const s = new Uint8Array(i);
          parts.push(
            mode.seal(nonce(3 * i + 1), s, s),
            mode.seal(nonce(3 * i + 2), s, none),
            mode.seal(nonce(3 * i + 3), none, s),
          );
        }
        const result = mode.seal(nonce(385), none, concat(...parts));
        expect(toHex(result), `${keyBits}, ${tagBits}`).to.equal(output);
      }
    });
  }

  const checkFile = (vector: Fields) => {
    const key = hex(vector, 'key');
    const sealed = hex(vector, 'ciphertext');
    const plaintext = hex(vector, 'plaintext');
    const mode = new Ocb(new Aes(key), { tagBytes: sealed.length - plaintext.length });
    const [nonce, data] = [hex(vector, 'nonce'), hex(vector, 'aad')];
    expect(mode.seal(nonce, plaintext, data)).to.deep.equal(sealed);
    expect(mode.open(nonce, sealed, data)).to.deep.equal(plaintext);
  };
  describeVectors('cryptography_vectors/ciphers/AES/OCB3/rfc7253.txt', parseRsp, checkFile);
  describeVectors('cryptography_vectors/ciphers/AES/OCB3/openssl.txt', parseRsp, checkFile);
  describeVectors(
    'cryptography_vectors/ciphers/AES/OCB3/test-vector-1-nonce104.txt',
    parseRsp,
    checkFile,
  );

  it('shifts the stretch by every bottom from 0 to 63 as OpenSSL does', () => {
    const key = randomBytes(16);
    const mode = new Ocb(new Aes(key));
    for (let bottom = 0; bottom < 64; bottom++) {
      const nonce = randomBytes(12);
      nonce[11] = (nonce[11]! & 0xc0) | bottom;
      const plaintext = randomBytes(40);
      const expected = openssl('ocb', key, nonce, plaintext, plaintext, 16);
      expect(toHex(mode.seal(nonce, plaintext, plaintext)), `${bottom}`).to.equal(toHex(expected));
    }
  });
});
