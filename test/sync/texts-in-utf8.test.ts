import { expect } from 'chai';
import fc from 'fast-check';
import { textsInUtf8 } from '../../src/sync/texts-in-utf8.ts';

/** Texts with characters of one to four bytes and lone surrogates, short and long. */
const text = fc.string({ unit: 'binary', maxLength: 60 });
const rest = fc.option(fc.uint8Array({ maxLength: 60 }), { nil: undefined });
const texts = fc.array(fc.tuple(text, rest), { maxLength: 20 });
const begun = ([text, rest]: readonly [string, Uint8Array | undefined]) =>
  rest ? { text, rest } : { text };
const bytesOf = ([text, rest]: readonly [string, Uint8Array | undefined]) =>
  Uint8Array.from([...new TextEncoder().encode(text), ...(rest ?? [])]);

describe('sync/texts in UTF-8', () => {
  it('encodes each as if separately, with spare bytes behind it', () => {
    fc.assert(
      fc.property(texts, fc.nat({ max: 20 }), (all, spare) => {
        const encoded = textsInUtf8(all.map(begun), spare);
        expect(encoded.length).to.equal(all.length);
        for (const [i, text] of all.entries()) {
          const { bytes, room } = encoded[i]!;
          expect(bytes).to.deep.equal(bytesOf(text));
          expect(room!.length).to.equal(bytes.length + spare);
          expect(room!.subarray(0, bytes.length)).to.deep.equal(bytes);
          // Writing there does not affect other texts.
          room!.fill(0xff, bytes.length);
        }
        all.forEach((text, i) => {
          expect(encoded[i]!.bytes).to.deep.equal(bytesOf(text));
        });
      }),
    );
  });

  it('encodes long ones into separate arrays', () => {
    for (const length of [16_383, 16_384, 16_385, 100_000]) {
      const [first, long, last] = textsInUtf8(
        ['a', '\u20ac'.repeat(length), 'z'].map((text) => ({ text })),
        4,
      );
      expect(Buffer.from(long!.bytes).toString()).to.equal('\u20ac'.repeat(length));
      expect(long!.room === undefined).to.equal(length > 16_384);
      expect([first!.bytes[0], last!.bytes[0]]).to.deep.equal([0x61, 0x7a]);
    }
  });
});
