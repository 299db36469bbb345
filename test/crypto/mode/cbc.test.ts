import { createCipheriv } from 'node:crypto';
import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import {
  cbcDecrypt,
  cbcDecryptRaw,
  cbcEncrypt,
  cbcEncryptRaw,
} from '../../../src/crypto/mode/cbc.ts';
import { EDGE_LENGTHS, unaligned } from '../../support/edge-lengths.ts';
import { CIPHERS } from '../../support/plain-cipher.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import type { Fields } from '../../support/vectors.ts';
import {
  describeVectors,
  hex,
  parseRsp,
  parseSjcl,
  parseWycheproof,
  readPublished,
} from '../../support/vectors.ts';

const { vectors } = readPublished('sp800-38a.json') as { vectors: Fields[] };

describe('CBC', () => {
  for (const [name, cipherOf] of CIPHERS) {
    describe(`over ${name}`, () => {
      const checkRaw = (vector: Fields) => {
        const cipher = cipherOf(hex(vector, 'key'));
        const iv = hex(vector, 'iv');
        const result = cbcEncryptRaw(cipher, iv, hex(vector, 'plaintext'));
        expect(toHex(result)).to.equal(vector['ciphertext']);
        expect(toHex(cbcDecryptRaw(cipher, iv, result))).to.equal(vector['plaintext']);
      };

      it('answers SP 800-38A, F.2', () => {
        for (const vector of vectors.filter(({ mode }) => mode === 'CBC')) checkRaw(vector);
      });
      describeVectors('cryptography_vectors/ciphers/AES/CBC/CBCGFSbox128.rsp', parseRsp, checkRaw);
      describeVectors('cryptography_vectors/ciphers/AES/CBC/CBCGFSbox256.rsp', parseRsp, checkRaw);
      describeVectors('cryptography_vectors/ciphers/AES/CBC/CBCMMT128.rsp', parseRsp, checkRaw);
      describeVectors('cryptography_vectors/ciphers/AES/CBC/CBCMMT256.rsp', parseRsp, checkRaw);

      describeVectors('sjcl/cbc_vectors.js', parseSjcl, (vector) => {
        const cipher = cipherOf(hex(vector, 'key'));
        const result = cbcEncrypt(cipher, hex(vector, 'iv'), hex(vector, 'pt'));
        expect(toHex(result)).to.equal(vector['ct']);
      });

      describeVectors('vectors/wycheproof/aes_cbc_pkcs5_test.json', parseWycheproof, (vector) => {
        const cipher = cipherOf(hex(vector, 'key'));
        const [iv, msg, ct] = [hex(vector, 'iv'), hex(vector, 'msg'), hex(vector, 'ct')];
        if (vector.result === 'invalid') {
          expect(() => cbcDecrypt(cipher, iv, ct)).to.throw(AuthenticationError);
          return;
        }
        expect(cbcEncrypt(cipher, iv, msg)).to.deep.equal(ct);
        expect(cbcDecrypt(cipher, iv, ct)).to.deep.equal(msg);
      });

      it('agrees with OpenSSL at edge lengths, and decrypts in place and unaligned', () => {
        for (const length of EDGE_LENGTHS) {
          const [key, iv, source] = [randomBytes(32), randomBytes(16), randomBytes(length)];
          const reference = createCipheriv('aes-256-cbc', key, iv);
          const expected = Buffer.concat([reference.update(source), reference.final()]);
          const cipher = cipherOf(key);
          const room = unaligned(new Uint8Array(length + 16), 1);
          room.set(source);
          const sealed = cbcEncrypt(cipher, iv, room.subarray(0, length), room);
          expect(toHex(sealed), `${length}`).to.equal(expected.toString('hex'));
          expect(cbcDecrypt(cipher, iv, sealed, sealed), `${length}`).to.deep.equal(source);
        }
      });

      it('refuses every wrong padding, all with the same error', () => {
        const [key, iv] = [randomBytes(16), randomBytes(16)];
        const cipher = cipherOf(key);
        const messages = new Set<string>();
        for (let last = 0; last < 256; last++) {
          for (const run of new Set([1, Math.min(Math.max(last, 1), 16)])) {
            const block = new Uint8Array(32).fill(0xee);
            block.fill(last, 32 - run);
            const right = last >= 1 && last <= 16 && run === last;
            const into = cbcEncryptRaw(cipher, iv, block);
            if (right) {
              expect(cbcDecrypt(cipher, iv, into).length).to.equal(32 - last);
              continue;
            }
            try {
              cbcDecrypt(cipher, iv, into, into);
              expect.fail(`accepted ${last}`);
            } catch (error) {
              if (!(error instanceof AuthenticationError)) throw error;
              messages.add(error.message);
            }
            expect([...into], 'wiped').to.deep.equal(Array(32).fill(0));
          }
        }
        expect(messages.size).to.equal(1);
      });
    });
  }

  it('refuses impossible lengths with the error of a wrong padding', () => {
    const cipher = CIPHERS[0]![1](new Uint8Array(16));
    for (const length of [0, 1, 15, 17]) {
      const run = () => cbcDecrypt(cipher, new Uint8Array(16), new Uint8Array(length));
      expect(run, `${length}`).to.throw(AuthenticationError, /^Authentication failed$/);
    }
  });

  it('names the wrong argument', () => {
    const cipher = CIPHERS[0]![1](new Uint8Array(16));
    const block = new Uint8Array(16);
    expect(() => cbcEncrypt(cipher, block.subarray(1), block)).to.throw(RangeError, 'iv');
    expect(() => cbcEncrypt(cipher, block, block, block)).to.throw(RangeError, 'into');
    expect(() => cbcEncryptRaw(cipher, block, new Uint8Array(8))).to.throw(RangeError, 'source');
    expect(() => cbcDecrypt(cipher, block, 'x' as unknown as Uint8Array)).to.throw(
      TypeError,
      'source',
    );
  });
});
