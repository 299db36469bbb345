import { expect } from 'chai';
import { toHex, utf8 } from '../../../src/crypto/bytes.ts';
import { scrypt, scryptSteps } from '../../../src/crypto/kdf/scrypt.ts';
import type { ScryptCost } from '../../../src/crypto/kdf/scrypt.ts';
import { checkAll, readPublished } from '../../support/vectors.ts';
import { describeScryptFunction } from './scrypt-suite.ts';

describeScryptFunction('scrypt', () => ({ derive: scrypt, steps: scryptSteps }));

describe('scrypt of RFC 7914', () => {
  it('gives the keys of section 12 (without that of a gigabyte)', async () => {
    const { vectors } = readPublished('scrypt.json') as {
      readonly vectors: readonly (ScryptCost & {
        readonly password: string;
        readonly salt: string;
        readonly derivedKey: string;
      })[];
    };
    expect(vectors).to.have.length(3);
    await checkAll('scrypt.json', vectors, ({ password, salt, derivedKey, ...cost }) => {
      expect(toHex(scrypt(utf8(password), utf8(salt), cost, 64))).to.equal(derivedKey);
    });
  });
});
