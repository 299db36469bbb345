import { expect } from 'chai';
import { BLOCK_CIPHERS } from '../../../src/crypto/ciphers/block-cipher.ts';
import { Twofish } from '../../../src/crypto/ciphers/twofish.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import { writeOpenpgpModule } from '../../../bench/peers/openpgp-source.ts';

/* test/engine/block-ciphers.test.ts tests what they compute, in each engine. */
describe('the classes of the six ciphers', () => {
  for (const [name, { withKey }] of Object.entries(BLOCK_CIPHERS)) {
    it(`${name}.wipe leaves no round key`, () => {
      const cipher = withKey(randomBytes(16));
      const arrays = Object.values(cipher).filter((value) => value instanceof Int32Array);
      expect(arrays).to.not.be.empty;
      for (const words of arrays) expect(words.some((word) => word !== 0)).to.equal(true);
      cipher.wipe();
      for (const words of arrays) expect(words.every((word) => word === 0)).to.equal(true);
    });
  }

  it('Twofish encrypts as that of OpenPGP.js does', async () => {
    const { Twofish: Peer } = (await import(writeOpenpgpModule())) as {
      Twofish: new (key: Uint8Array) => { encrypt(block: Uint8Array): ArrayLike<number> };
    };
    for (let i = 0; i < 200; i++) {
      const [key, block] = [randomBytes(32), randomBytes(16)];
      const result = new Uint8Array(16);
      new Twofish(key).encryptBlocks(block, result);
      expect(result).to.deep.equal(Uint8Array.from(new Peer(key).encrypt(block)));
    }
  });
});
