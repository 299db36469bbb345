import { createCipheriv } from 'node:crypto';
import { expect } from 'chai';
import { ForwardAes } from '../../../src/crypto/aes/forward.ts';
import { EDGE_LENGTHS } from '../../support/edge-lengths.ts';
import { randomBytes } from '../../support/random-bytes.ts';

const WHOLE = EDGE_LENGTHS.filter((length) => length % 16 === 0);

describe('AES, forward only', () => {
  for (const keyBytes of [16, 24, 32]) {
    it(`encrypts as OpenSSL does under ${8 * keyBytes} bits, at edge lengths, also in place`, () => {
      for (const length of WHOLE) {
        const [key, source] = [randomBytes(keyBytes), randomBytes(length)];
        const theirs = createCipheriv(`aes-${8 * keyBytes}-ecb`, key, null).setAutoPadding(false);
        const expected = theirs.update(source);
        const target = new Uint8Array(length);
        const aes = new ForwardAes(key);
        aes.encryptBlocks(source, target);
        expect(Buffer.compare(target, expected)).to.equal(0);
        aes.encryptBlocks(source, source);
        expect(Buffer.compare(source, expected)).to.equal(0);
      }
    });
  }

  it('clears its key when it is wiped', () => {
    const [key, source] = [randomBytes(32), randomBytes(16)];
    const [before, after, wiped] = [new Uint8Array(16), new Uint8Array(16), new Uint8Array(16)];
    const aes = new ForwardAes(key);
    aes.encryptBlocks(source, before);
    aes.wipe();
    aes.encryptBlocks(source, after);
    expect(after).to.not.deep.equal(before);
    const other = new ForwardAes(randomBytes(32));
    other.wipe();
    other.encryptBlocks(source, wiped);
    expect(after, 'nothing of the key is left').to.deep.equal(wiped);
  });
});
