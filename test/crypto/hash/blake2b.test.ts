import { createHash } from 'node:crypto';
import { blake2b as noble } from '@noble/hashes/blake2.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { toHex, utf8 } from '../../../src/crypto/bytes.ts';
import { BLAKE2B, Blake2b, blake2b } from '../../../src/crypto/hash/blake2b.ts';
import { readPublished } from '../../support/vectors.ts';
import { blake2bSelfTest } from './blake2b-self-test.ts';
import { describeHash } from './hash-suite.ts';

const published = readPublished('blake2b.json') as {
  readonly vectors: readonly { readonly text: string; readonly digest: string }[];
  readonly selfTest: string;
};

describeHash(BLAKE2B, blake2b, {
  vectors: published.vectors.map((vector) => ({ ...vector, hash: 'BLAKE2b', repeat: 1 })),
  reference: (data) => createHash('blake2b512').update(data).digest('hex'),
});

describe('BLAKE2b of other lengths and with keys', () => {
  it('passes the self-test of RFC 7693, appendix E', () => {
    expect(toHex(blake2bSelfTest((options) => new Blake2b(options)))).to.equal(published.selfTest);
  });

  it('agrees with noble-hashes', () => {
    const key = fc.uint8Array({ maxLength: 64 });
    const data = fc.uint8Array({ maxLength: 600 });
    fc.assert(
      fc.property(key, data, fc.integer({ min: 1, max: 64 }), (key, message, digestBytes) => {
        const expected = noble(
          message,
          key.length > 0 ? { dkLen: digestBytes, key } : { dkLen: digestBytes },
        );
        const digest = new Blake2b({ digestBytes, key }).update(message).digest();
        expect(toHex(digest)).to.equal(toHex(expected));
      }),
    );
  });

  it('refuses lengths that the standard does not allow', () => {
    for (const digestBytes of [0, 65, -1]) {
      expect(() => new Blake2b({ digestBytes })).to.throw(RangeError, 'digestBytes');
    }
    expect(() => new Blake2b({ key: new Uint8Array(65) })).to.throw(RangeError, 'key');
    expect(() => new Blake2b({ key: 'key' as unknown as Uint8Array })).to.throw(TypeError, 'key');
    expect(() => new Blake2b({ digestBytes: 1.5 })).to.throw(TypeError, 'digestBytes');
  });

  it('keeps the digest length of a clone', () => {
    const hash = new Blake2b({ digestBytes: 20 }).update(utf8('a'));
    expect(hash.clone().digest()).to.deep.equal(hash.digest());
  });
});
