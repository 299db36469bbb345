import { expect } from 'chai';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { concat, fromHex, toHex } from '../../src/crypto/bytes.ts';
import { wrapContext } from '../../src/format/wire/context.ts';
import { openDataKey } from '../../src/format/keys/data-key.ts';
import type { Identity } from '../../src/format/keys/data-key.ts';
import { parsePrefix } from '../../src/format/wire/envelope.ts';
import { inspect } from '../../src/format/wire/inspect.ts';
import { openMessage, sealMessage } from '../../src/format/message.ts';
import type { SealMessageOptions } from '../../src/format/message.ts';
import { encodeRecipients } from '../../src/format/wire/recipients.ts';
import { RECIPIENT_TYPES } from '../../src/format/recipients/recipient-types.ts';
import { NAMED_KEY_RECIPIENT, recipientTypeOf } from '../../src/format/wire/recipient-table.ts';
import { entryBytes, sealedLength } from '../../src/format/wire/sealed-length.ts';
import { NATIVE_X25519 } from '../../src/engine/kem/native-x25519.ts';
import { xWingKem } from '../../src/engine/kem/x-wing-kem.ts';
import { inDepth } from '../support/depth.ts';
import { randomBytes } from '../support/random-bytes.ts';
import {
  allTypes,
  readSharedVectors,
  sharedOpenOptions,
  sharedSealOptions,
} from './shared-vectors.ts';
import { KEY, KEY_ID, ORIGIN, outcome } from './support.ts';

const X25519_RECIPIENT = recipientTypeOf('X25519');
const X_WING_RECIPIENT = recipientTypeOf('X-Wing');
const MESSAGE = Buffer.from('meet at noon');
const TYPES = allTypes();
const SEAL: SealMessageOptions = { purpose: 'page', recipientTypes: TYPES };
const OPEN = { purpose: 'page', accept: 'shared', recipientTypes: TYPES } as const;

interface Pair {
  readonly own: Identity;
  readonly shown: Identity;
}

async function pair(type: number): Promise<Pair> {
  const key = randomBytes(32);
  if (type === NAMED_KEY_RECIPIENT) return { own: { type, key }, shown: { type, key } };
  const kem = type === X25519_RECIPIENT ? NATIVE_X25519 : xWingKem(() => NATIVE_X25519);
  return { own: { type, key }, shown: { type, key: await kem.publicKey(key) } };
}

describe('shared vectors', () => {
  const { opened, refused } = readSharedVectors();
  const words = readSharedVectors('passphrase');

  for (const vector of [...opened, ...words.opened]) {
    it(`${vector.id}: ${vector.comment}`, async () => {
      const sealed = await sealMessage(sharedSealOptions(vector), fromHex(vector.message));
      expect(toHex(sealed)).to.equal(vector.sealed);
      expect(inspect(sealed)).to.deep.equal(vector.info);
      for (const identity of vector.identities) {
        const options = sharedOpenOptions({ ...vector, identities: [identity] });
        expect(toHex(await openMessage(options, sealed))).to.equal(vector.message);
      }
    });
  }

  for (const vector of [...refused, ...words.refused]) {
    it(`${vector.id}: ${vector.comment} → ${vector.error}`, async () => {
      const opening = openMessage(sharedOpenOptions(vector), fromHex(vector.sealed));
      expect(await outcome(opening)).to.equal(vector.error);
    });
  }
});

for (const type of [X25519_RECIPIENT, X_WING_RECIPIENT, NAMED_KEY_RECIPIENT]) {
  describe(`a recipient of type ${type}`, () => {
    it('opens its messages; other keys, and options without shared messages, do not', async () => {
      const [{ own, shown }, stranger] = [await pair(type), await pair(type)];
      const sealed = await sealMessage({ ...SEAL, recipients: [shown] }, MESSAGE);
      const opened = await openMessage({ ...OPEN, identities: [stranger.own, own] }, sealed);
      expect(opened).to.deep.equal(new Uint8Array(MESSAGE));
      const refused = [
        { ...OPEN, identities: [stranger.own] },
        { ...OPEN, identities: [] },
        { ...OPEN, identities: [own], accept: 'own', key: KEY },
        { ...OPEN, identities: [own], purpose: 'stream' },
      ] as const;
      for (const options of refused) {
        expect(await outcome(openMessage(options, sealed))).to.equal('AUTH_FAILED');
      }
    });

    it('fails for one bit flipped in any byte of the message', async () => {
      const { own, shown } = await pair(type);
      const bound = { origin: ORIGIN, associatedData: KEY };
      const sealed = await sealMessage({ ...SEAL, ...bound, recipients: [shown] }, MESSAGE);
      const opening = { ...OPEN, ...bound, identities: [own] };
      expect(await outcome(openMessage(opening, sealed))).to.equal('resolved');
      // Every byte, except that the long middle of X-Wing's ciphertext is sampled at every 16th, and in `npm test` what
      // follows it at every fourth.
      const [middle, end] = [inDepth(16, 64), inDepth(1, 4)];
      const step = (at: number) =>
        at <= 60 || sealed.length <= 1200 ? 1 : at < 1100 ? middle : end;
      for (let at = 0; at < sealed.length; at += step(at)) {
        const altered = sealed.slice();
        altered[at]! ^= 0x10;
        const result = await outcome(openMessage(opening, altered));
        expect(result, `byte ${at}`).to.match(/^(AUTH_FAILED|BAD_ENVELOPE)$/);
      }
    }).timeout(60_000);

    it('refuses keys of other lengths on both sides', async () => {
      const { own, shown } = await pair(type);
      const sealed = await sealMessage({ ...SEAL, recipients: [shown] }, MESSAGE);
      for (const key of [new Uint8Array(0), shown.key.slice(1), concat(shown.key, KEY)]) {
        const sealing = sealMessage({ ...SEAL, recipients: [{ type, key }] }, MESSAGE);
        expect(await outcome(sealing)).to.match(/^RangeError/);
      }
      const identities = [{ type, key: own.key.slice(1) }];
      expect(await outcome(openMessage({ ...OPEN, identities }, sealed))).to.match(/^RangeError/);
    });

    it('adds the declared number of bytes', async () => {
      const { shown } = await pair(type);
      const sealed = await sealMessage({ ...SEAL, recipients: [shown, shown] }, MESSAGE);
      const recipientsBytes = 2 * entryBytes(type);
      expect(sealed.length).to.equal(sealedLength(MESSAGE.length, { recipientsBytes }));
    });

    it('works with 15 others of all types: each opens the message', async () => {
      const pairs = await Promise.all(Array.from({ length: 16 }, (_, i) => pair((i % 3) + 1)));
      const recipients = pairs.map(({ shown }) => shown);
      const sealed = await sealMessage({ ...SEAL, recipients, keyId: KEY_ID }, MESSAGE);
      for (const { own } of pairs.filter(({ own }) => own.type === type)) {
        const opened = await openMessage({ ...OPEN, identities: [own] }, sealed);
        expect(opened).to.deep.equal(new Uint8Array(MESSAGE));
      }
      const one = pairs.find(({ own }) => own.type === type)!.shown;
      const tooMany = { ...SEAL, recipients: [...recipients, one] };
      expect(await outcome(sealMessage(tooMany, MESSAGE))).to.equal('TOO_LARGE');
    });
  });
}

describe('recipients with key pairs', () => {
  it('of low order are refused as an invalid argument', async () => {
    const zero = { type: X25519_RECIPIENT, key: new Uint8Array(32) };
    expect(await outcome(sealMessage({ ...SEAL, recipients: [zero] }, MESSAGE))).to.match(
      /^RangeError: .*low order/,
    );
  });

  it('are compatible with HPKE: open messages of another implementation', async () => {
    const { own, shown } = await pair(X25519_RECIPIENT);
    const vector = await sealMessage({ ...SEAL, recipients: [shown] }, MESSAGE);
    const { recipients } = parsePrefix(vector);
    const { id, body } = recipients.entries[0]!;
    const header = vector.subarray(0, 24);
    const suite = hpke();
    const recipientKey = await suite.kem.importKey('raw', own.key.slice().buffer, false);
    const info = wrapContext(header, X25519_RECIPIENT, id).slice().buffer;
    const enc = body.slice(0, 32).buffer;
    const dataKey = await suite.open({ recipientKey, enc, info }, body.slice(32).buffer);
    const opened = await openMessage({ ...OPEN, dataKey: new Uint8Array(dataKey) }, vector);
    expect(opened).to.deep.equal(new Uint8Array(MESSAGE));
  });

  it('are compatible with HPKE: another implementation opens their messages', async () => {
    const { own, shown } = await pair(X25519_RECIPIENT);
    const suite = hpke();
    const recipientPublicKey = await suite.kem.importKey('raw', shown.key.slice().buffer, true);
    const [header, id, dataKey] = [randomBytes(24), randomBytes(16), randomBytes(32)];
    const info = wrapContext(header, X25519_RECIPIENT, id).slice().buffer;
    const { ct, enc } = await suite.seal({ recipientPublicKey, info }, dataKey.buffer);
    const body = concat(new Uint8Array(enc), new Uint8Array(ct));
    const entries = [{ type: X25519_RECIPIENT, id, body }];
    const opened = await openDataKey(entries, [own], header, TYPES);
    expect(opened.dataKey).to.deep.equal(dataKey);
    expect(opened.identity).to.equal(own);
  });

  it('need no library for type 1: the default types are all but X-Wing', async () => {
    expect([...RECIPIENT_TYPES.keys()].sort()).to.deep.equal([
      X25519_RECIPIENT,
      NAMED_KEY_RECIPIENT,
    ]);
    const { own, shown } = await pair(X25519_RECIPIENT);
    const sealed = await sealMessage({ purpose: 'page', recipients: [shown] }, MESSAGE);
    const opening = { purpose: 'page', accept: 'shared', identities: [own] } as const;
    expect(await openMessage(opening, sealed)).to.deep.equal(new Uint8Array(MESSAGE));
    const wing = await pair(X_WING_RECIPIENT);
    const sealing = sealMessage({ purpose: 'page', recipients: [wing.shown] }, MESSAGE);
    expect(await outcome(sealing)).to.equal('UNSUPPORTED');
  });
});

describe('a data key', () => {
  it('of another message opens nothing, although its entry verifies', async () => {
    const [one, two] = [await pair(X25519_RECIPIENT), await pair(X25519_RECIPIENT)];
    const sealed = await sealMessage({ ...SEAL, recipients: [one.shown] }, MESSAGE);
    const header = sealed.subarray(0, 24);
    // A sealer who gives another recipient another key: its body does not open under that key.
    const id = randomBytes(16);
    const wrapper = TYPES.get(X25519_RECIPIENT)!;
    const context = wrapContext(header, X25519_RECIPIENT, id);
    const body = await wrapper.wrap(two.shown.key, randomBytes(32), context);
    const entries = [
      ...parsePrefix(sealed).recipients.entries,
      { type: X25519_RECIPIENT, id, body },
    ];
    const section = encodeRecipients(entries);
    const length = Uint8Array.of(section.length >> 8, section.length);
    const rest = sealed.subarray(24 + 2 + parsePrefix(sealed).recipients.bytes.length);
    const forged = concat(header, length, section, rest);
    for (const { own } of [one, two]) {
      expect(await outcome(openMessage({ ...OPEN, identities: [own] }, forged))).to.equal(
        'AUTH_FAILED',
      );
    }
  });
});

function hpke(): CipherSuite {
  const [kem, kdf, aead] = [new DhkemX25519HkdfSha256(), new HkdfSha256(), new Aes256Gcm()];
  return new CipherSuite({ kem, kdf, aead });
}
