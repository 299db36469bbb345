import { expect } from 'chai';
import { fromHex, toHex } from '../../../src/crypto/bytes.ts';
import { messageDigest, MessageDigest } from '../../../src/format/chunks/message-digest.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { openAttributes, sealingAttributes } from '../../../src/format/recipients/attributes.ts';
import { senderTag } from '../../../src/format/recipients/sender.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { randomBytes } from '../../support/random-bytes.ts';
import {
  attributeSealOptions,
  attributesFor,
  publicOf,
  readAttributeVectors,
} from '../attribute-vectors.ts';
import { sharedOpenOptions } from '../shared-vectors.ts';

const HEADER = new Uint8Array(24);
const ID = new Uint8Array(16);
const UNBOUND = { origin: '', associatedData: new Uint8Array(0) };

describe('attributes of a message with recipients', () => {
  for (const vector of readAttributeVectors()) {
    it(`${vector.id}: ${vector.comment}`, async () => {
      const options = await attributeSealOptions(vector);
      const sealed = await sealMessage(options, fromHex(vector.message));
      expect(toHex(sealed)).to.equal(vector.sealed);
      expect(inspect(sealed)).to.deep.equal(vector.info);
      for (const [place, identity] of vector.identities.entries()) {
        // A reader that knows nothing of attributes skips them.
        const skipping = sharedOpenOptions({ ...vector, identities: [identity] });
        expect(toHex(await openMessage(skipping, sealed))).to.equal(vector.message);
        for (const { key, proven } of vector.from) {
          const { file, isFrom } = await attributesFor(vector, identity, key);
          expect(file).to.deep.equal(vector.file);
          expect(isFrom, `${place} ${key.type}`).to.equal(proven[place]);
        }
      }
    });
  }

  it('prove the sender to the recipient whom they are for alone', () => {
    const all = readAttributeVectors().map(({ id, from }) => [
      id,
      from.map(({ proven }) => proven.map(Number).join('')).join(' '),
    ]);
    // In each group the identities; groups for Alice, Carol, Mallory and the named key as the sender.
    expect(Object.fromEntries(all)).to.deep.equal({
      text: '1 0 0 0',
      'older-key': '11 00 00 00',
      'from-x25519': '0 1 0 0',
      file: '10 00 00 01',
      'own-file': '0 0 0 1',
      bound: '10 00 00 01',
      anonymous: '0 0 0 0',
      'long-name': '1 0 0 0',
      reused: '00 00 00 00',
    });
  });

  it('prove nothing when origin, context, recipients or message are others', async () => {
    const bound = readAttributeVectors().find(({ id }) => id === 'bound')!;
    const [bob] = bound.identities;
    const [{ key: alice }] = bound.from as [(typeof bound.from)[number]];
    const others = [
      { origin: 'https://example.com' },
      { associatedData: '00' },
      { message: '00' },
    ] as const;
    for (const other of others) {
      expect((await attributesFor({ ...bound, ...other }, bob!, alice)).isFrom).to.equal(false);
    }
    expect((await attributesFor(bound, bob!, alice)).isFrom).to.equal(true);
  });

  it('have one of three lengths, whatever is in them', async () => {
    const lengthOf = async (name: string, tags: number) => {
      const secret = new Uint8Array(32);
      const statics = Array.from({ length: tags }, () => ({ secret, from: secret, to: secret }));
      const seal = sealingAttributes({ file: { name, type: '' }, statics, digest: secret });
      const facts = { dataKey: secret, header: HEADER, id: ID, context: HEADER, ...UNBOUND };
      return (await seal({ ...facts, crypto: NATIVE_CRYPTO })).body.length - 16;
    };
    expect(await lengthOf('a', 1)).to.equal(128);
    expect(await lengthOf('a'.repeat(80), 1)).to.equal(128);
    expect(await lengthOf('a'.repeat(240), 4)).to.equal(512);
    expect(await lengthOf('a'.repeat(765), 15)).to.equal(2048);
    const tooLong = await lengthOf('a'.repeat(766), 1).catch((error: unknown) => error);
    expect(tooLong).to.be.instanceOf(RangeError);
  });

  it('are passed over when they are altered, or hold something else', async () => {
    const dataKey = randomBytes(32);
    const named = { file: { name: 'a', type: '' }, statics: [], digest: HEADER };
    const facts = {
      dataKey,
      header: HEADER,
      id: ID,
      context: HEADER,
      ...UNBOUND,
      crypto: NATIVE_CRYPTO,
    };
    const entry = await sealingAttributes(named)(facts);
    const read = (body: Uint8Array) =>
      openAttributes([{ ...entry, body }], dataKey, HEADER, NATIVE_CRYPTO);
    expect((await read(entry.body))?.file).to.deep.equal({ name: 'a', type: '' });
    for (const at of [0, 60, entry.body.length - 1]) {
      expect(await read(entry.body.with(at, entry.body[at]! ^ 1))).to.equal(undefined);
    }
    for (const length of [0, 15, 16]) {
      expect(await read(entry.body.slice(0, length))).to.equal(undefined);
    }
  });

  it('of a digest in pieces are those of the whole', async () => {
    const message = randomBytes(70_000);
    const whole = await messageDigest(message, 16_384);
    const pieces = new MessageDigest(16_384);
    for (let at = 0; at < message.length; at += 999) {
      await pieces.add(message.subarray(at, at + 999));
    }
    expect(await pieces.digest()).to.deep.equal(whole);
    expect(await messageDigest(message, 65_536)).to.not.deep.equal(whole);
  });

  it('have a tag that depends on each of its inputs', () => {
    const [a, b] = [new Uint8Array(32), new Uint8Array(32).fill(1)];
    const known = { secret: a, from: a, to: a };
    const statement = { dataKey: a, context: a, digest: a };
    const others = [
      senderTag({ ...known, secret: b }, statement),
      senderTag({ ...known, from: b }, statement),
      senderTag({ ...known, to: b }, statement),
      senderTag(known, { ...statement, dataKey: b }),
      senderTag(known, { ...statement, context: b }),
      senderTag(known, { ...statement, digest: b }),
    ].map(toHex);
    expect(new Set([...others, toHex(senderTag(known, statement))]).size).to.equal(7);
  });

  it('fit beside fifteen recipients, and not beside sixteen', async () => {
    const sender = { type: 1, key: '11'.repeat(32) };
    const { type, key } = await publicOf({ type: 2, key: '22'.repeat(32) });
    const seal = async (count: number) => {
      const vector = readAttributeVectors()[0]!;
      const recipients = Array.from({ length: count }, () => ({ type, key: toHex(key) }));
      const file = { name: 'a'.repeat(765), type: 'b'.repeat(255) };
      const options = await attributeSealOptions({ ...vector, recipients, sender, file });
      return inspect(await sealMessage(options, new Uint8Array(9))).recipients;
    };
    expect(await seal(15)).to.equal(15);
    const failure = await seal(16).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'TOO_LARGE');
  });
});
