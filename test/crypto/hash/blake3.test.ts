import { blake3 as noble } from '@noble/hashes/blake3.js';
import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import {
  BLAKE3,
  Blake3,
  blake3,
  blake3DeriveKey,
  blake3Keyed,
} from '../../../src/crypto/hash/blake3.ts';
import { checkBlake3Vectors } from './blake3-vectors.ts';
import { describeHash } from './hash-suite.ts';

describeHash(BLAKE3, blake3, {
  vectors: [],
  reference: (data) => toHex(noble(data)),
});

describe('BLAKE3 in its three modes', () => {
  it('gives the outputs of the official vectors', async () => {
    const count = await checkBlake3Vectors({
      create: () => new Blake3(),
      createKeyed: (key) => Blake3.keyed(key),
      createDeriveKey: (context) => Blake3.deriveKey(context),
    });
    expect(count).to.equal(35);
  });

  it('has plain functions for key and context', () => {
    const key = new Uint8Array(32).fill(3);
    const data = new Uint8Array(2000).fill(4);
    expect(toHex(blake3Keyed(key, data.subarray(0, 7), data.subarray(7)))).to.equal(
      toHex(noble(data, { key })),
    );
    const context = Buffer.from('sealwright test');
    expect(toHex(blake3DeriveKey('sealwright test', data, 77))).to.equal(
      toHex(noble(data, { context, dkLen: 77 })),
    );
  });

  it('clones keyed hashes with their key', () => {
    const hash = Blake3.keyed(new Uint8Array(32).fill(9)).update(new Uint8Array(3000));
    const clone = hash.clone();
    expect(toHex(clone.digest())).to.equal(toHex(hash.digest()));
  });

  it('refuses keys of other lengths than 32 bytes, and invalid lengths', () => {
    expect(() => Blake3.keyed(new Uint8Array(31))).to.throw(RangeError, 'key');
    expect(() => new Blake3().digest(-1)).to.throw(RangeError, 'lengthBytes');
    expect(() => new Blake3().digest(0.5)).to.throw(TypeError, 'lengthBytes');
    expect(() => Blake3.deriveKey('\ud800')).to.throw(TypeError, 'surrogate');
  });
});
