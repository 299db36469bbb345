import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { unarmor, unarmorLine } from '../../../src/format/wire/armor.ts';
import {
  WEB_ARMOR_BYTES_MAX,
  webArmor,
  webArmorDamage,
  webArmorDigits,
  webUnarmor,
} from '../../../src/format/wire/web-armor.ts';
import { thrown } from '../support.ts';

const ALPHABET = 'abcdefghjklmnopqrstuvwyz23456789';

/** Written from docs/format.md section 7.2 alone, with integers of any length. */
function asSpecified(message: Uint8Array): string {
  const length = Buffer.alloc(3);
  length.writeUIntBE(message.length, 0, 3);
  const checked = Buffer.concat([length, message]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(checked));
  const framed = Buffer.concat([checked, checksum]);
  const bits = [...framed].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = (bits.match(/.{1,5}/g) ?? []).map(
    (five) => ALPHABET[parseInt(five.padEnd(5, '0'), 2)],
  );
  return `swt1${digits.join('')}0`;
}

const message = fc.uint8Array({ maxLength: 300 });

describe('Web armor', () => {
  it('is what docs/format.md says, and reads back, in either case', () => {
    fc.assert(
      fc.property(message, (bytes) => {
        const text = webArmor(bytes);
        expect(text).to.equal(asSpecified(bytes));
        expect(text).to.have.length(Math.ceil((8 * (bytes.length + 7)) / 5) + 5);
        expect(webUnarmor(text)).to.deep.equal(bytes);
        expect(unarmor(` ${text.toUpperCase()}\n`)).to.deep.equal(bytes);
        expect(webArmorDamage(text)).to.equal(undefined);
        expect(webArmorDigits(text.slice(4, 9))).to.equal(text.length - 5);
      }),
    );
  });

  it('tells a text that is cut off from one that lacks digits or has others', () => {
    const cut = fc.nat();
    fc.assert(
      fc.property(
        message,
        cut,
        fc.nat(),
        fc.integer({ min: 1, max: 31 }),
        (bytes, at, count, by) => {
          const text = webArmor(bytes);
          const kept = 4 + (at % (text.length - 4));
          expect(webArmorDamage(text.slice(0, kept))).to.equal('cut');
          // Behind the length, which tells how many digits there are.
          const place = 9 + (at % (text.length - 11));
          const removed = 1 + (count % (text.length - 1 - place));
          expect(webArmorDamage(text.slice(0, place) + text.slice(place + removed))).to.equal(
            'missing',
          );
          const digit = ALPHABET[(ALPHABET.indexOf(text[place]!) + by) % 32]!;
          const altered = text.slice(0, place) + digit + text.slice(place + 1);
          expect(webArmorDamage(altered)).to.equal('altered');
          expect(webArmorDamage(text.slice(0, place) + digit + text.slice(place))).to.equal(
            'altered',
          );
          expect(thrown(() => webUnarmor(altered))).to.equal('BAD_ENVELOPE');
        },
      ),
    );
  });

  it('is not taken where formats promise one text for each message', () => {
    const text = webArmor(new Uint8Array(96));
    expect(thrown(() => unarmorLine(text))).to.equal('BAD_ENVELOPE');
  });

  it('is for messages whose length has three bytes', () => {
    const long = new Uint8Array(WEB_ARMOR_BYTES_MAX + 1);
    expect(thrown(() => webArmor(long))).to.equal('TOO_LARGE');
    const mebibyte = long.subarray(0, 2 ** 20);
    expect(webUnarmor(webArmor(mebibyte))).to.have.length(2 ** 20);
  });
});
