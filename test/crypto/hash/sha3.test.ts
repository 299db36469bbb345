import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { HashAlgorithm } from '../../../src/crypto/contracts.ts';
import { ROTATIONS, ROUND_CONSTANTS } from '../../../src/crypto/hash/keccak.ts';
import { SHA3_256, SHA3_384, SHA3_512 } from '../../../src/crypto/hash/sha3.ts';
import { readPublished } from '../../support/vectors.ts';
import { describeHash } from './hash-suite.ts';
import type { Published } from './hash-suite.ts';

const { vectors } = readPublished('sha3.json') as { readonly vectors: readonly Published[] };

for (const algorithm of [SHA3_256, SHA3_384, SHA3_512] as readonly HashAlgorithm[]) {
  const oneShot = (...parts: readonly Uint8Array[]): Uint8Array =>
    parts.reduce((hash, part) => hash.update(part), algorithm.create()).digest();
  describeHash(algorithm, oneShot, {
    vectors,
    reference: (data) => createHash(algorithm.name.toLowerCase()).update(data).digest('hex'),
  });
}

describe('constants of Keccak', () => {
  it('equal the offsets of FIPS 202, table 2', () => {
    expect(ROTATIONS.slice(0, 5)).to.deep.equal([0, 1, 190 % 64, 28, 91 % 64]);
    expect(ROTATIONS.slice(20)).to.deep.equal([210 % 64, 66 % 64, 253 % 64, 120 % 64, 78 % 64]);
  });

  it('begin and end with the known round constants', () => {
    const word = (i: number): string =>
      [ROUND_CONSTANTS[2 * i + 1]!, ROUND_CONSTANTS[2 * i]!]
        .map((half) => (half >>> 0).toString(16).padStart(8, '0'))
        .join('');
    expect(word(0)).to.equal('0000000000000001');
    expect(word(1)).to.equal('0000000000008082');
    expect(word(2)).to.equal('800000000000808a');
    expect(word(23)).to.equal('8000000080008008');
  });
});
