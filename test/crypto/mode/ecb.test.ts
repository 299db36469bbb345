import { expect } from 'chai';
import { Aes } from '../../../src/crypto/aes/block.ts';
import { toHex } from '../../../src/crypto/bytes.ts';
import { ecbDecrypt, ecbEncrypt } from '../../../src/crypto/mode/ecb.ts';
import type { Fields } from '../../support/vectors.ts';
import { hex, readPublished } from '../../support/vectors.ts';

const { vectors } = readPublished('sp800-38a.json') as { vectors: Fields[] };

describe('ECB', () => {
  it('answers SP 800-38A, F.1', () => {
    for (const vector of vectors.filter(({ mode }) => mode === 'ECB')) {
      const aes = new Aes(hex(vector, 'key'));
      const plaintext = hex(vector, 'plaintext');
      const ciphertext = ecbEncrypt(aes, plaintext);
      expect(toHex(ciphertext)).to.equal(vector['ciphertext']);
      expect(ecbDecrypt(aes, ciphertext, ciphertext)).to.equal(ciphertext);
      expect(ciphertext).to.deep.equal(plaintext);
    }
  });

  it('refuses partial blocks, and a target of another length', () => {
    const aes = new Aes(new Uint8Array(16));
    for (const run of [ecbEncrypt, ecbDecrypt]) {
      expect(() => run(aes, new Uint8Array(17))).to.throw(RangeError, 'source');
      expect(() => run(aes, new Uint8Array(16), new Uint8Array(32))).to.throw(RangeError, 'target');
    }
  });
});
