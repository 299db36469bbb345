import { expect } from 'chai';
import fc from 'fast-check';
import {
  load32be,
  load32le,
  rotateLeft32,
  rotateRight32,
  store32be,
  store32le,
  store64be,
  swap32,
} from '../../src/crypto/words.ts';

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

describe('words', () => {
  it('load and store as DataView does, at any offset', () => {
    fc.assert(
      fc.property(word, fc.integer({ min: 0, max: 7 }), (value, offset) => {
        const bytes = new Uint8Array(16);
        const view = new DataView(bytes.buffer);
        store32be(bytes, offset, value);
        expect(view.getInt32(offset)).to.equal(value);
        expect(load32be(bytes, offset)).to.equal(value);
        expect(load32le(bytes, offset)).to.equal(view.getInt32(offset, true));
        store32le(bytes, offset, value);
        expect(view.getInt32(offset, true)).to.equal(value);
        expect(swap32(swap32(value))).to.equal(value);
        expect(load32be(bytes, offset)).to.equal(swap32(value));
      }),
    );
  });

  it('store 64 bits of any safe integer', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const bytes = new Uint8Array(8);
        store64be(bytes, 0, value);
        expect(new DataView(bytes.buffer).getBigUint64(0)).to.equal(BigInt(value));
      }),
    );
  });

  it('rotate left and right back', () => {
    fc.assert(
      fc.property(word, fc.integer({ min: 1, max: 31 }), (value, count) => {
        expect(rotateRight32(rotateLeft32(value, count), count)).to.equal(value);
        expect(rotateLeft32(1, count)).to.equal((2 ** count) | 0);
      }),
    );
  });
});
