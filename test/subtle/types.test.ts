import { expect } from 'chai';
import type { Subtle } from '../../src/subtle/subtle.ts';
import { createSubtle } from '../../src/subtle/create-subtle.ts';

/* What the compiler has to accept: the test is that this file has no error of types. */
const asPlatform = (subtle: Subtle): SubtleCrypto => subtle;

describe('The types of a Subtle', () => {
  it('are those of a SubtleCrypto, and say which result is an ArrayBuffer', async () => {
    const subtle = await createSubtle({ engine: 'js' });
    expect(asPlatform(subtle)).to.equal(subtle);
    const usages = ['encrypt', 'decrypt'] as const;
    const key = await subtle.generateKey({ name: 'AES-OCB', length: 128 }, true, usages);
    const iv = new Uint8Array(12);
    const sealed: ArrayBuffer = await subtle.encrypt({ name: 'AES-OCB', iv }, key, iv);
    const into = new Uint8Array(64);
    const view: Uint8Array = await subtle.encrypt({ name: 'AES-OCB', iv, into }, key, iv);
    expect([...view]).to.deep.equal([...new Uint8Array(sealed)]);
    const raw: ArrayBuffer = await subtle.exportKey('raw', key);
    const jwk: JsonWebKey = await subtle.exportKey('jwk', key);
    expect([raw.byteLength, jwk.kty]).to.deep.equal([16, 'oct']);
  });
});
