import { expect } from 'chai';
import fc from 'fast-check';
import { toBase64url } from '../../../src/crypto/bytes.ts';
import { parsePublicKey, publicKeyText } from '../../../src/format/wire/public-key.ts';
import type { PublicKeyType } from '../../../src/format/wire/public-key.ts';

/** docs/keys.md, "Public keys": the type byte of each, and one of its lengths. */
const TYPES: Readonly<Record<PublicKeyType, readonly [number, number]>> = {
  X25519: [0x01, 32],
  'X-Wing': [0x02, 1216],
  Ed25519: [0x11, 32],
  DSA: [0x12, 860],
  'RSASSA-PKCS1-v1_5': [0x13, 294],
  'RSA-PSS': [0x14, 1062],
};

/** Of RFC 8032 section 7.1, test 1. */
const RFC_8032 = Buffer.from(
  'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
  'hex',
);

describe('The text of a public key', () => {
  it('is exactly as in docs/keys.md', () => {
    expect(publicKeyText({ type: 'Ed25519', bytes: RFC_8032 })).to.equal(
      `swp1.${Buffer.concat([Buffer.of(0x11), RFC_8032]).toString('base64url')}`,
    );
  });

  for (const [type, [byte, length]] of Object.entries(TYPES)) {
    it(`carries ${type}`, () => {
      const bytes = Uint8Array.from({ length }, (_, i) => (7 * i) & 0xff);
      const text = publicKeyText({ type: type as PublicKeyType, bytes });
      expect(Buffer.from(text.slice(5), 'base64url')[0]).to.equal(byte);
      expect(parsePublicKey(text)).to.deep.equal({ type, bytes });
    });
  }

  const refused = (text: string) => expect(() => parsePublicKey(text), text).to.throw(RangeError);
  const text = (...bytes: number[]) => `swp1.${toBase64url(Uint8Array.from(bytes))}`;

  it('is refused with another prefix, type, length or encoding', () => {
    const good = publicKeyText({ type: 'Ed25519', bytes: RFC_8032 });
    refused('');
    refused('swp1.');
    refused(good.toUpperCase());
    refused(good.replace('swp1.', 'sw1.'));
    refused(`${good} `);
    refused(`${good}=`);
    refused(`${good}A`);
    refused(good.slice(0, -1));
    // The last character of 2 or 5 bytes has unused bits: only one of its encodings is canonical.
    const spare = publicKeyText({ type: 'DSA', bytes: Uint8Array.of(0) });
    expect(spare).to.equal('swp1.EgA');
    refused('swp1.EgB');
    for (const type of [0x00, 0x03, 0x10, 0x15, 0xff]) refused(text(type, ...RFC_8032));
    refused(text(0x11));
    refused(text(0x11, ...RFC_8032.subarray(1)));
    refused(text(0x11, ...RFC_8032, 0));
    refused(text(0x02, ...RFC_8032));
    refused(text(0x12));
    refused(text(0x13, ...new Uint8Array(2049)));
    refused(`swp1.${'A'.repeat(2 ** 20)}`);
  });

  it('any text is the canonical text of a key, or a RangeError', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => text(...bytes)),
      fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => text(0x11, ...bytes)),
    );
    fc.assert(
      fc.property(anyText, (given) => {
        try {
          expect(publicKeyText(parsePublicKey(given))).to.equal(given);
        } catch (error) {
          expect(error).to.be.instanceOf(RangeError);
        }
      }),
    );
  });
});
