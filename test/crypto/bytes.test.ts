import { expect } from 'chai';
import fc from 'fast-check';
import {
  concat,
  equal,
  fromBase64url,
  fromHex,
  toBase64url,
  writeBase64url,
  toHex,
  u16be,
  u32be,
  u64be,
  utf8,
  wipe,
  xorInto,
} from '../../src/crypto/bytes.ts';

const anyBytes = fc.uint8Array({ maxLength: 80 });

describe('bytes', () => {
  it('concat joins its parts in a new array', () => {
    const a = Uint8Array.of(1, 2);
    expect([...concat(a, new Uint8Array(0), Uint8Array.of(3))]).to.deep.equal([1, 2, 3]);
    expect(concat(a)).to.not.equal(a);
    expect(concat().length).to.equal(0);
  });

  it('equal compares every byte and the length', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(equal(bytes, bytes.slice())).to.equal(true);
        expect(equal(bytes, concat(bytes, Uint8Array.of(0)))).to.equal(false);
        for (let i = 0; i < bytes.length; i++) {
          const other = bytes.slice();
          other[i]! ^= 0x80;
          expect(equal(bytes, other)).to.equal(false);
        }
      }),
    );
  });

  it('xorInto adds a mask to the beginning of its target', () => {
    const target = Uint8Array.of(1, 2, 3);
    xorInto(target, Uint8Array.of(3, 2));
    expect([...target]).to.deep.equal([2, 0, 3]);
  });

  it('wipe zeroes bytes and words', () => {
    const bytes = Uint8Array.of(1, 2);
    const words = Int32Array.of(-1);
    wipe(bytes, words);
    expect([...bytes, ...words]).to.deep.equal([0, 0, 0]);
  });

  it('hexadecimal and base64url round-trip and agree with Node', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(toHex(bytes)).to.equal(Buffer.from(bytes).toString('hex'));
        expect(fromHex(toHex(bytes).toUpperCase())).to.deep.equal(bytes);
        expect(toBase64url(bytes)).to.equal(Buffer.from(bytes).toString('base64url'));
        expect(fromBase64url(toBase64url(bytes))).to.deep.equal(bytes);
      }),
    );
  });

  it('base64url of many bytes is joined from pieces of 4096 characters', () => {
    for (const length of [3071, 3072, 3073, 6144, 10_000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 167) & 0xff);
      expect(toBase64url(bytes)).to.equal(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64url(toBase64url(bytes))).to.deep.equal(bytes);
    }
  });

  it('base64url is written only within its bounds', () => {
    for (const length of [0, 1, 2, 3, 4, 5]) {
      const target = new Uint8Array(9).fill(1);
      const bytes = new Uint8Array(length).fill(0xff);
      const end = writeBase64url(bytes, target, 1);
      const text = Buffer.from(bytes).toString('base64url');
      expect(end).to.equal(1 + text.length);
      const expected = [1, ...Buffer.from(text), ...Array<number>(8 - text.length).fill(1)];
      expect([...target]).to.deep.equal(expected);
    }
  });

  it('base64url has one text for each byte string: every accepted text is what the encoder writes', () => {
    const characters = fc.constantFrom(...Array.from('ABab019-_+/= \n'));
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 9 }), (text) => {
        try {
          expect(toBase64url(fromBase64url(text))).to.equal(text);
        } catch (error) {
          if (!(error instanceof TypeError)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
    for (const text of ['A', 'AB', 'AAB', 'AA=', 'A A', 'AA\n', 'AAAAA', '+A', '/A', 'é']) {
      expect(() => fromBase64url(text), text).to.throw(TypeError);
    }
  });

  it('hexadecimal refuses odd digits and other characters', () => {
    for (const text of ['0', 'abc', '0g', ' 00', '0x00']) {
      expect(() => fromHex(text), text).to.throw(TypeError);
    }
  });

  it('utf8 agrees with TextEncoder for every well-formed text and refuses lone surrogates', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(utf8(text)).to.deep.equal(Uint8Array.from(new TextEncoder().encode(text)));
      }),
    );
    for (const text of ['\u0000\u007f\u0080\u07ff\u0800\uffff', '\u{10000}\u{10ffff}']) {
      expect(utf8(text)).to.deep.equal(Uint8Array.from(new TextEncoder().encode(text)));
    }
    for (const text of ['\ud800', 'a\udc00', '\udc00\ud800', '\ud800a']) {
      expect(() => utf8(text)).to.throw(TypeError, 'lone surrogate');
    }
  });

  it('integers are big-endian, and refused if they do not fit', () => {
    expect(toHex(u16be(0x102))).to.equal('0102');
    expect(toHex(u32be(2 ** 32 - 1))).to.equal('ffffffff');
    expect(toHex(u64be(2 ** 53 - 1))).to.equal('001fffffffffffff');
    expect(toHex(u64be(2n ** 64n - 1n))).to.equal('ffffffffffffffff');
    expect(() => u16be(65_536)).to.throw(RangeError);
    expect(() => u32be(-1)).to.throw(RangeError);
    expect(() => u64be(2n ** 64n)).to.throw(RangeError);
    expect(() => u32be(0.5)).to.throw(TypeError);
    expect(() => u64be(2 ** 53)).to.throw(TypeError);
  });
});
