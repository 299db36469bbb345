/*
 * The steps to add a recipient type with a key pair: a row of src/format/wire/recipient-table.ts and a KEM. Here
 * the test adds both, and the whole format supports the type without another change.
 */
import { expect } from 'chai';
import { dhkemX25519 } from '../../src/engine/kem/dhkem-x25519.ts';
import type { Kem } from '../../src/engine/kem/kem.ts';
import { NATIVE_X25519 } from '../../src/engine/kem/native-x25519.ts';
import { inspect } from '../../src/format/wire/inspect.ts';
import { openMessage, sealMessage } from '../../src/format/message.ts';
import { NATIVE_CRYPTO, NATIVE_RANDOM } from '../../src/format/native-crypto.ts';
import { allKems } from '../../src/format/recipients/kems.ts';
import { RECIPIENT_TYPES, recipientTypes } from '../../src/format/recipients/recipient-types.ts';
import { KEY_PAIR_TYPES, recipientTypeOf } from '../../src/format/wire/recipient-table.ts';
import type { KeyPairType } from '../../src/format/wire/recipient-table.ts';
import { parsePublicKey, publicKeyCodec } from '../../src/format/wire/public-key.ts';
import { entryBytes, recipientsBytes, sealedLength } from '../../src/format/wire/sealed-length.ts';
import { randomBytes } from '../support/random-bytes.ts';
import { outcome } from './support.ts';

/** X25519 with 8 bytes before the encapsulation, so that its lengths are unique. */
const X25519 = dhkemX25519(() => Promise.resolve(NATIVE_X25519));
const FIXTURE_KEM: Kem = {
  ...X25519,
  id: 0xfffe,
  publicKeyBytes: 33,
  encapsulatedBytes: 40,
  publicKey: async (key) => Uint8Array.of(0, ...(await X25519.publicKey(key))),
  async encapsulate(key, randomness) {
    const made = await X25519.encapsulate(key.subarray(1), randomness);
    return { ...made, encapsulated: Uint8Array.of(...Buffer.alloc(8), ...made.encapsulated) };
  },
  decapsulate: (key, encapsulated) => X25519.decapsulate(key, encapsulated.subarray(8)),
};
const FIXTURE = { type: 77, name: 'Fixture', publicKeyBytes: 33, encapsulatedBytes: 40 } as const;
const ROWS = [...KEY_PAIR_TYPES, FIXTURE] as const;
const TYPES = recipientTypes({
  kems: { ...allKems(() => Promise.resolve(NATIVE_X25519)), Fixture: FIXTURE_KEM },
  crypto: NATIVE_CRYPTO,
  random: NATIVE_RANDOM,
  rows: ROWS,
});

const MESSAGE = Buffer.from('meet at noon');
const SEAL = { purpose: 'page', recipientTypes: TYPES } as const;
const OPEN = { purpose: 'page', accept: 'shared', recipientTypes: TYPES } as const;

async function fixturePair() {
  const key = randomBytes(32);
  const shown = await FIXTURE_KEM.publicKey(key);
  return { own: { type: FIXTURE.type, key }, shown: { type: FIXTURE.type, key: shown } };
}

describe('a recipient type that is registered by a row and a KEM', () => {
  it('is sealed to, inspected and opened, alone and with other types', async () => {
    const { own, shown } = await fixturePair();
    const seed = randomBytes(32);
    const other = { type: recipientTypeOf('X25519'), key: await X25519.publicKey(seed) };
    for (const recipients of [[shown], [other, shown]]) {
      const sealed = await sealMessage({ ...SEAL, recipients }, MESSAGE);
      const types = recipients.map(({ type }) => type);
      expect(inspect(sealed).recipients).to.equal(types.length);
      const bytes = types.reduce((sum, type) => sum + entryBytes(type, ROWS), 0);
      const length = sealedLength(MESSAGE.length, { recipientsBytes: bytes });
      expect(sealed.length).to.equal(length);
      const opened = await openMessage({ ...OPEN, identities: [own] }, sealed);
      expect(Buffer.from(opened).toString()).to.equal('meet at noon');
    }
  });

  it('has a text of its public key, and a known entry length', async () => {
    const codec = publicKeyCodec(ROWS);
    const { shown } = await fixturePair();
    const text = codec.text({ type: 'Fixture', bytes: shown.key });
    expect(codec.parse(text)).to.deep.equal({ type: 'Fixture', bytes: shown.key });
    expect(recipientsBytes([text], ROWS)).to.equal(entryBytes(FIXTURE.type, ROWS));
  });

  it('is refused if it is not registered', async () => {
    const { own, shown } = await fixturePair();
    const sealed = await sealMessage({ ...SEAL, recipients: [shown] }, MESSAGE);
    const sealing = sealMessage(
      { ...SEAL, recipients: [shown], recipientTypes: RECIPIENT_TYPES },
      MESSAGE,
    );
    expect(await outcome(sealing)).to.equal('UNSUPPORTED');
    const opening = openMessage(
      { ...OPEN, identities: [own], recipientTypes: RECIPIENT_TYPES },
      sealed,
    );
    expect(await outcome(opening)).to.match(
      /^TypeError: identities\[0\]: type \d+ is not supported/,
    );
    const text = publicKeyCodec(ROWS).text({ type: 'Fixture', bytes: shown.key });
    expect(() => parsePublicKey(text)).to.throw(RangeError);
    expect(() => recipientsBytes([text])).to.throw(RangeError);
    expect(() => entryBytes(FIXTURE.type)).to.throw(RangeError);
    for (const name of ['Fixture', 'toString', undefined]) {
      expect(() => recipientTypeOf(name), String(name)).to.throw(RangeError);
    }
  });

  it('must have a unique type byte, and a KEM with the lengths of its row', () => {
    const twice: KeyPairType = { ...FIXTURE, type: 0x11 };
    expect(() => publicKeyCodec([twice])).to.throw(RangeError, 'twice');
    const deps = { crypto: NATIVE_CRYPTO, random: NATIVE_RANDOM, rows: ROWS };
    expect(() => recipientTypes({ ...deps, kems: { Fixture: X25519 } })).to.throw(RangeError);
  });
});
