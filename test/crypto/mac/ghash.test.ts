import { expect } from 'chai';
import { ghash } from '@noble/ciphers/_polyval.js';
import { fromHex, toHex } from '../../../src/crypto/bytes.ts';
import { Ghash } from '../../../src/crypto/mac/ghash.ts';
import { randomBytes } from '../../support/random-bytes.ts';

describe('GHASH', () => {
  it('gives the GCM specification, test case 2', () => {
    const h = fromHex('66e94bd4ef8a2c3b884cfa59ca342b2e');
    const c = fromHex('0388dace60b6a392f328c2b971b2fe78');
    const lengths = fromHex('00000000000000000000000000000080');
    const digest = new Ghash(h).absorb(c).absorb(lengths).digest();
    expect(toHex(digest)).to.equal('f38cbb1ad69223dcc3457ae5b6b0f885');
  });

  it('agrees with @noble/ciphers on random keys and on each single bit of a key', () => {
    const keys = Array.from({ length: 128 }, (_, bit) => {
      const key = new Uint8Array(16);
      key[bit >> 3] = 0x80 >> (bit & 7);
      return key;
    });
    for (const h of [...keys, ...Array.from({ length: 50 }, () => randomBytes(16))]) {
      const data = randomBytes(16 * 5);
      expect(new Ghash(h).absorb(data).digest()).to.deep.equal(Uint8Array.from(ghash(data, h)));
    }
  });

  it('pads each part to whole blocks, keeps keys separate and starts again after reset', () => {
    const hashes = [new Ghash(randomBytes(16)), new Ghash(randomBytes(16))];
    const data = randomBytes(37);
    const padded = new Uint8Array(48);
    padded.set(data);
    for (const hash of hashes) {
      const first = hash.reset().absorb(data).digest();
      expect(hash.digest()).to.deep.equal(first);
      expect(hash.reset().absorb(padded).digest()).to.deep.equal(first);
    }
    expect(hashes[0]!.digest()).to.not.deep.equal(hashes[1]!.digest());
  });
});
