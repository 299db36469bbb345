import { createCipheriv, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { SlicedKey } from '../../../src/engine/gpu/sliced-key.ts';

function oracle(key: Uint8Array, block: Uint8Array): Uint8Array {
  const cipher = createCipheriv(`aes-${8 * key.length}-ecb`, key, null).setAutoPadding(false);
  return Uint8Array.from(Buffer.concat([cipher.update(block), cipher.final()]));
}

describe('AES as the description of the shaders has it', () => {
  for (const bytes of [16, 24, 32]) {
    it(`agrees with node:crypto under 50 keys of ${8 * bytes} bits, both ways`, () => {
      for (let i = 0; i < 50; i++) {
        const [key, block] = [
          Uint8Array.from(randomBytes(bytes)),
          Uint8Array.from(randomBytes(16)),
        ];
        const sliced = new SlicedKey(key);
        const expected = oracle(key, block);
        const where = Buffer.from(key).toString('hex');
        expect(sliced.encrypt(block), where).to.deep.equal(expected);
        expect(sliced.decrypt(expected), where).to.deep.equal(block);
      }
    });
  }

  it('forgets its round keys', () => {
    const sliced = new SlicedKey(new Uint8Array(16).fill(1));
    sliced.wipe();
    expect(sliced.planes.every((plane) => plane === 0)).to.equal(true);
  });

  it('refuses keys of other lengths', () => {
    expect(() => new SlicedKey(new Uint8Array(20))).to.throw(RangeError);
  });
});
