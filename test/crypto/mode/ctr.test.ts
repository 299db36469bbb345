import { createCipheriv } from 'node:crypto';
import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { ctr } from '../../../src/crypto/mode/ctr.ts';
import { EDGE_LENGTHS, unaligned } from '../../support/edge-lengths.ts';
import { CIPHERS } from '../../support/plain-cipher.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import type { Fields } from '../../support/vectors.ts';
import { describeVectors, hex, parseRsp, parseSjcl, readPublished } from '../../support/vectors.ts';

const { vectors } = readPublished('sp800-38a.json') as { vectors: Fields[] };

function openssl(key: Uint8Array, counter: Uint8Array, source: Uint8Array): Uint8Array {
  return Uint8Array.from(createCipheriv(`aes-${8 * key.length}-ctr`, key, counter).update(source));
}

/** CTR by its definition: single counter blocks, counted as a number of `bits` bits. */
function byDefinition(key: Uint8Array, counter: Uint8Array, bits: number, source: Uint8Array) {
  const start = BigInt(`0x${toHex(counter)}`);
  const width = 1n << BigInt(bits);
  const blocks = Array.from({ length: Math.ceil(source.length / 16) }, (_, i) => {
    const value = start - (start % width) + ((start + BigInt(i)) % width);
    return Buffer.from(value.toString(16).padStart(32, '0'), 'hex');
  });
  const ecb = createCipheriv(`aes-${8 * key.length}-ecb`, key, null).setAutoPadding(false);
  const keyStream = ecb.update(Buffer.concat(blocks));
  return source.map((byte, i) => byte ^ keyStream[i]!);
}

describe('CTR', () => {
  for (const [name, cipherOf] of CIPHERS) {
    describe(`over ${name}`, () => {
      const check = (vector: Fields, iv = 'iv', p = 'plaintext', c = 'ciphertext') => {
        const cipher = cipherOf(hex(vector, 'key'));
        const result = ctr(cipher, hex(vector, iv), 128, hex(vector, p));
        expect(toHex(result)).to.equal(toHex(hex(vector, c)));
      };

      it('answers SP 800-38A, F.5', () => {
        for (const vector of vectors.filter(({ mode }) => mode === 'CTR')) check(vector);
      });
      describeVectors('cryptography_vectors/ciphers/AES/CTR/aes-128-ctr.txt', parseRsp, (v) =>
        check(v),
      );
      describeVectors('cryptography_vectors/ciphers/AES/CTR/aes-192-ctr.txt', parseRsp, (v) =>
        check(v),
      );
      describeVectors('cryptography_vectors/ciphers/AES/CTR/aes-256-ctr.txt', parseRsp, (v) =>
        check(v),
      );
      describeVectors('sjcl/ctr_vectors.js', parseSjcl, (v) => check(v, 'iv', 'pt', 'ct'));

      it('agrees with OpenSSL at edge lengths, aligned or not, in place or not', () => {
        for (const length of EDGE_LENGTHS) {
          const key = randomBytes(16);
          const counter = randomBytes(16);
          const source = randomBytes(length);
          const expected = openssl(key, counter, source);
          const cipher = cipherOf(key);
          expect(ctr(cipher, counter, 128, source), `${length}`).to.deep.equal(expected);
          const view = unaligned(source, 3);
          expect(ctr(cipher, counter, 128, view, view), `${length} in place`).to.equal(view);
          expect(view).to.deep.equal(expected);
        }
      });

      it('carries at every edge of 2^8, 2^32, 2^64 and 2^128', () => {
        const key = randomBytes(24);
        for (const ones of [1, 4, 8, 12, 16]) {
          const counter = randomBytes(16);
          counter.fill(0xff, 16 - ones);
          counter[15] = 0xfd;
          const source = randomBytes(16 * 600 + 5);
          const result = ctr(cipherOf(key), counter, 128, source);
          expect(result, `${ones} bytes of ones`).to.deep.equal(openssl(key, counter, source));
        }
      });

      it('wraps only within the counting bits, for every width', () => {
        const key = randomBytes(16);
        for (let bits = 1; bits <= 128; bits++) {
          const counter = new Uint8Array(16).fill(0xff);
          counter[15] = 0xfe;
          const blocks = Math.min(2 ** bits, 5);
          const source = randomBytes(16 * blocks - (bits > 2 ? 3 : 0));
          const result = ctr(cipherOf(key), counter, bits, source);
          expect(result, `${bits} bits`).to.deep.equal(byDefinition(key, counter, bits, source));
        }
      });
    });
  }

  const [, cipherOf] = CIPHERS[0]!;

  it('refuses a message that would repeat a counter block, by one block', () => {
    const cipher = cipherOf(new Uint8Array(16));
    for (const bits of [1, 4, 8]) {
      const most = 16 * 2 ** bits;
      expect(ctr(cipher, new Uint8Array(16), bits, new Uint8Array(most)).length).to.equal(most);
      expect(() => ctr(cipher, new Uint8Array(16), bits, new Uint8Array(most + 1))).to.throw(
        RangeError,
        'source',
      );
    }
  });

  it('names the wrong argument', () => {
    const cipher = cipherOf(new Uint8Array(16));
    const block = new Uint8Array(16);
    expect(() => ctr(cipher, block.subarray(1), 128, block)).to.throw(RangeError, 'initialCounter');
    expect(() => ctr(cipher, block, 0, block)).to.throw(RangeError, 'counterBits');
    expect(() => ctr(cipher, block, 129, block)).to.throw(RangeError, 'counterBits');
    expect(() => ctr(cipher, block, 1.5, block)).to.throw(TypeError, 'counterBits');
    expect(() => ctr(cipher, block, 128, block, block.subarray(1))).to.throw(RangeError, 'target');
  });

  it('does not change counter and source', () => {
    const counter = randomBytes(16);
    const source = randomBytes(100);
    const kept = [counter.slice(), source.slice()];
    ctr(cipherOf(randomBytes(32)), counter, 128, source);
    expect([counter, source]).to.deep.equal(kept);
  });
});
