import { createCipheriv } from 'node:crypto';
import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { cbcMac } from '../../../src/crypto/mac/cbc-mac.ts';
import { CIPHERS } from '../../support/plain-cipher.ts';
import { randomBytes } from '../../support/random-bytes.ts';

describe('CBC-MAC', () => {
  for (const [name, cipherOf] of CIPHERS) {
    it(`is the last block of CBC with a zero IV, over ${name}`, () => {
      for (const length of [16, 32, 160, 8192, 8208, 16_400]) {
        const [key, message] = [randomBytes(16), randomBytes(length)];
        const cbc = createCipheriv('aes-128-cbc', key, new Uint8Array(16)).setAutoPadding(false);
        const expected = cbc.update(message).subarray(-16).toString('hex');
        expect(toHex(cbcMac(cipherOf(key), message)), `${length}`).to.equal(expected);
      }
    });
  }

  it('refuses the empty message and incomplete blocks', () => {
    for (const length of [0, 1, 17]) {
      const run = () => cbcMac(CIPHERS[0]![1](new Uint8Array(16)), new Uint8Array(length));
      expect(run).to.throw(RangeError, 'message');
    }
  });
});
