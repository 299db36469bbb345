import { expect } from 'chai';
import fc from 'fast-check';
import { concat } from '../../../src/crypto/bytes.ts';
import { checkOrigin, messageContext, wrapContext } from '../../../src/format/wire/context.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import type { SealMessageOptions } from '../../../src/format/message.ts';
import { encodeRecipients, parseRecipients } from '../../../src/format/wire/recipients.ts';
import { SOLE_RECIPIENT } from '../../../src/format/wire/recipient-table.ts';
import { parseEnvelope } from '../../../src/format/wire/envelope.ts';
import { sealedLength } from '../../../src/format/wire/sealed-length.ts';
import { pattern } from '../message-vectors.ts';
import { KEY, KEY_ID, ORIGIN, nameOf, outcome, thrown } from '../support.ts';
import { TEST_TYPE, testRecipientTypes } from '../test-recipient.ts';

const keys = Array.from({ length: 17 }, (_, i) => new Uint8Array(32).fill(i + 1));
const to = (count: number) => keys.slice(0, count).map((key) => ({ type: TEST_TYPE, key }));
const SHARED: SealMessageOptions = { purpose: 'page', recipientTypes: testRecipientTypes() };
const OPEN = { purpose: 'page', accept: 'shared', recipientTypes: testRecipientTypes() } as const;

describe('recipients section', () => {
  const entry = fc.record({
    // A passphrase may not stand beside others: passphrase.json has such sections.
    type: fc.nat(255).filter((type) => type !== SOLE_RECIPIENT),
    id: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    body: fc.uint8Array({ maxLength: 300 }),
  });

  it('parses to the encoded entries, with exactly their bytes', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 16 }), (entries) => {
        const bytes = encodeRecipients(entries);
        const length = Uint8Array.of(bytes.length >> 8, bytes.length);
        const section = parseRecipients(concat(pattern(5), length, bytes, pattern(9)), 5);
        expect(section.entries).to.deep.equal(entries);
        expect(section.bytes).to.deep.equal(bytes);
      }),
    );
  });

  it('refuses invalid bytes with a typed error, and never hangs or reads beyond the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        try {
          expect(parseRecipients(bytes, 0).entries).not.to.have.length(0);
        } catch (error) {
          expect(nameOf(error)).to.match(/^(BAD_ENVELOPE|TOO_LARGE)$/);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('has at most 16 entries and 24,576 bytes', () => {
    const sized = (count: number, bodyBytes: number) =>
      Array.from({ length: count }, () => ({
        type: 1,
        id: pattern(16),
        body: new Uint8Array(bodyBytes),
      }));
    expect(encodeRecipients(sized(16, 1517)).length).to.equal(24_576);
    expect(thrown(() => encodeRecipients(sized(17, 1)))).to.equal('TOO_LARGE');
    expect(thrown(() => encodeRecipients(sized(16, 1518)))).to.equal('TOO_LARGE');
    expect(thrown(() => encodeRecipients(sized(1, 70_000)))).to.equal('TOO_LARGE');
  });
});

describe('a message with recipients', () => {
  it('is opened by each of them and by no other key', async () => {
    const sealed = await sealMessage({ ...SHARED, recipients: to(16) }, KEY);
    for (const identity of to(16)) {
      expect(await openMessage({ ...OPEN, identities: [identity] }, sealed)).to.deep.equal(KEY);
    }
    const stranger = { type: TEST_TYPE, key: keys[16]! };
    expect(await outcome(openMessage({ ...OPEN, identities: [stranger] }, sealed))).to.equal(
      'AUTH_FAILED',
    );
    expect(await outcome(openMessage(OPEN, sealed))).to.equal('AUTH_FAILED');
  });

  it('is refused unless the caller accepts shared messages, also with the right key', async () => {
    const sealed = await sealMessage({ ...SHARED, recipients: to(1) }, KEY);
    const own = { ...OPEN, key: KEY, accept: 'own', identities: to(1) } as const;
    expect(await outcome(openMessage(own, sealed))).to.equal('AUTH_FAILED');
    const unsaid = { ...own, accept: undefined };
    expect(await outcome(openMessage(unsaid, sealed))).to.equal('AUTH_FAILED');
  });

  it('is bound to origin, context, padding and the whole list of recipients', async () => {
    const bound = { origin: ORIGIN, associatedData: pattern(4) };
    const options = { ...SHARED, ...bound, pad: true, recipients: to(2) };
    const sealed = await sealMessage(options, KEY);
    const opening = { ...OPEN, identities: to(2) };
    expect(await openMessage({ ...opening, ...bound }, sealed)).to.deep.equal(KEY);
    expect(await outcome(openMessage(opening, sealed))).to.equal('AUTH_FAILED');
    for (let at = 24; at < sealed.length; at++) {
      const altered = new Uint8Array(sealed);
      altered[at]! ^= 0x10;
      const result = await outcome(openMessage({ ...opening, ...bound }, altered));
      expect(result, `byte ${at}`).to.match(/^(AUTH_FAILED|BAD_ENVELOPE)$/);
    }
  });

  it('does not open with another header key id or with exchanged entries', async () => {
    const options = { ...SHARED, keyId: KEY_ID, recipients: to(2) };
    const [one, two] = [await sealMessage(options, KEY), await sealMessage(options, KEY)];
    const second = 24 + 2 + (3 + 16 + 104);
    const end = second + (3 + 16 + 104);
    const mixed = concat(one.subarray(0, second), two.subarray(second, end), one.subarray(end));
    const first = { ...OPEN, identities: to(1) };
    expect(await outcome(openMessage(first, one))).to.equal('resolved');
    expect(await outcome(openMessage(first, mixed))).to.equal('AUTH_FAILED');
  });

  it('shows their number, and no header key id by default', async () => {
    const shared = await sealMessage({ ...SHARED, recipients: to(3) }, KEY);
    expect(inspect(shared)).to.include({ recipients: 3, headerKeyId: null, plaintextBytes: 32 });
    const toSelf = await sealMessage({ ...SHARED, keyId: KEY_ID, recipients: to(3) }, KEY);
    expect(inspect(toSelf).headerKeyId).to.equal(Buffer.from(KEY_ID).toString('base64url'));
    const { recipients } = parseEnvelope(shared, shared.length);
    expect(shared.length).to.equal(sealedLength(32, { recipientsBytes: recipients.bytes.length }));
  });

  it('has different entry ids in each message', async () => {
    const ids = async () => {
      const sealed = await sealMessage({ ...SHARED, recipients: to(1) }, KEY);
      return Buffer.from(parseEnvelope(sealed, sealed.length).recipients.entries[0]!.id);
    };
    expect(await ids()).not.to.deep.equal(await ids());
  });

  it('is UNSUPPORTED for types that are not registered', async () => {
    const sealing = sealMessage({ purpose: 'page', recipients: to(1) }, KEY);
    expect(await outcome(sealing)).to.equal('UNSUPPORTED');
  });

  it('needs one recipient and accepts 16', async () => {
    expect(await outcome(sealMessage({ ...SHARED, recipients: [] }, KEY))).to.match(
      /^RangeError: recipients/,
    );
    expect(await outcome(sealMessage({ ...SHARED, recipients: to(17) }, KEY))).to.equal(
      'TOO_LARGE',
    );
  });
});

describe('contexts', () => {
  it('join their parts so that no two different lists of parts give the same bytes', () => {
    const part = fc.uint8Array({ maxLength: 6 });
    const origin = fc.constantFrom('', 'a://b', 'a://bc');
    const tuple = fc.tuple(part, origin, part);
    const context = ([recipients, place, associatedData]: [Uint8Array, string, Uint8Array]) =>
      Buffer.from(
        messageContext({ header: pattern(24), recipients, origin: place, associatedData }),
      );
    fc.assert(
      fc.property(tuple, tuple, (one, two) => {
        expect(context(one).equals(context(two))).to.equal(fc.stringify(one) === fc.stringify(two));
      }),
    );
  });

  it('are exactly as in docs/format.md', () => {
    const parts = {
      header: pattern(24),
      recipients: pattern(3),
      origin: 'a://b',
      associatedData: pattern(2),
    };
    const hex = Buffer.from(pattern(24)).toString('hex');
    const expected = `53574d31${hex}0003001f3e0005613a2f2f6200000002001f`;
    expect(Buffer.from(messageContext(parts)).toString('hex')).to.equal(expected);
    const wrap = Buffer.from(wrapContext(pattern(24), 255, pattern(16))).toString('hex');
    expect(wrap).to.equal(`53574d312077726170${hex}ff${hex.slice(0, 32)}`);
  });

  it('accept origins as browsers serialise them', () => {
    const good = [
      'https://example.org',
      'http://localhost:8080',
      'http://[::1]',
      'https://xn--bcher-kva.example',
      'moz-extension://0b2-c',
    ];
    for (const origin of good) {
      expect(
        thrown(() => checkOrigin(origin)),
        origin,
      ).to.equal('returned');
    }
    const bad = [
      'example.org',
      'https://',
      'https://a/b',
      'https://a?b',
      'https://u@a',
      'https://a b',
      'https://ä',
      `https://${'a'.repeat(1020)}`,
    ];
    for (const origin of bad) {
      expect(
        thrown(() => checkOrigin(origin)),
        origin,
      ).to.match(/^TypeError/);
    }
  });
});
