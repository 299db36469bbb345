import { expect } from 'chai';
import fc from 'fast-check';
import { fromBase64url } from '../../../src/crypto/bytes.ts';
import { unarmor } from '../../../src/format/wire/armor.ts';
import { inspect } from '../../../src/format/wire/inspect.ts';
import { openMessage } from '../../../src/format/message.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { sealwrightCodec } from '../../../src/sync/sealwright/codec.ts';
import { sealwrightContext, sealwrightKeyId } from '../../../src/sync/sealwright/record.ts';
import type { PlainRecord } from '../../../src/sync/codec.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { oneRecordOf } from '../one-record.ts';
import { errorNameOf } from '../../support/outcomes.ts';

const KEY = new Uint8Array(32).fill(1);
const NEWER = new Uint8Array(32).fill(2);
const salt = { salt: () => systemRandom.bytes(24) };
const cryptoFor = () => Promise.resolve(NATIVE_CRYPTO);
const codecOf = (collection: string, ...keys: Uint8Array[]) =>
  oneRecordOf(sealwrightCodec({ collection, keys, salt, cryptoFor }));
const textOf = async (collection: string, record: PlainRecord, ...keys: Uint8Array[]) =>
  Buffer.from(await codecOf(collection, ...keys).encrypt(record)).toString();

describe('sync/the format of Sealwright', () => {
  it('is a sealed message of purpose 6, as armor', async () => {
    const payload = await textOf('notes', { id: 'a', payload: { title: 'x' }, generation: 3 }, KEY);
    const sealed = unarmor(payload);
    const info = inspect(sealed);
    expect(info).to.include({ version: 1, purpose: 'sync', recipients: 0 });
    expect(fromBase64url(info.headerKeyId!)).to.deep.equal(
      new Uint8Array(sealwrightKeyId(KEY, 'notes')),
    );
    const content = await openMessage(
      { key: KEY, purpose: 'sync', associatedData: sealwrightContext('notes', 'a') },
      sealed,
    );
    expect(Buffer.from(content.slice(0, 8)).readBigUInt64BE()).to.equal(3n);
    expect(Buffer.from(content.slice(8)).toString()).to.equal('{"title":"x"}');
  });

  it('restores any JSON, and the generation', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1 }),
        fc.jsonValue(),
        fc.nat(),
        async (id, json, generation) => {
          const payload = JSON.parse(JSON.stringify(json)) as unknown;
          const sealed = await textOf('notes', { id, payload, generation }, KEY);
          const opened = await codecOf('notes', KEY).decrypt({ id, payload: sealed });
          expect(opened).to.deep.equal(generation === 0 ? { payload } : { payload, generation });
        },
      ),
      { numRuns: 60 },
    );
  });

  it('binds collection and id: swapped records are refused', async () => {
    const sealed = await textOf('notes', { id: 'a', payload: 1 }, KEY);
    const open = (collection: string, id: string) =>
      errorNameOf(codecOf(collection, KEY).decrypt({ id, payload: sealed }));
    expect(await open('notes', 'a')).to.equal('none');
    expect(await open('notes', 'b')).to.equal('AuthenticationError');
    // Another collection has another key id, so it is not tried.
    expect(await open('tabs', 'a')).to.equal('OtherKeyError');
    // There are lengths between the names: no two pairs have the same encoding.
    expect(sealwrightContext('ab', 'c')).to.not.deep.equal(sealwrightContext('a', 'bc'));
  });

  it('refuses records that are older than the newest the caller has seen', async () => {
    const codec = codecOf('notes', KEY);
    const old = await textOf('notes', { id: 'a', payload: 'old', generation: 4 }, KEY);
    const seen = (generation: number) =>
      errorNameOf(codec.decrypt({ id: 'a', payload: old, generation }));
    expect(await seen(3)).to.equal('none');
    expect(await seen(4)).to.equal('none');
    expect(await seen(5)).to.equal('AuthenticationError');
  });

  it('opens under every generation of the key, and seals under the newest', async () => {
    const before = await textOf('notes', { id: 'a', payload: 1 }, KEY);
    const after = await textOf('notes', { id: 'a', payload: 2 }, NEWER, KEY);
    const both = codecOf('notes', NEWER, KEY);
    expect(await both.decrypt({ id: 'a', payload: before })).to.deep.equal({ payload: 1 });
    expect(await both.decrypt({ id: 'a', payload: after })).to.deep.equal({ payload: 2 });
    const error = (await codecOf('notes', KEY)
      .decrypt({ id: 'a', payload: after })
      .catch((reason: unknown) => reason)) as { name: string; keyId: string };
    expect(error.name).to.equal('OtherKeyError');
    expect(error.keyId).to.equal(inspect(unarmor(after)).headerKeyId);
  });

  it('the key id is the same on other devices, and differs in other collections', () => {
    expect(sealwrightKeyId(KEY, 'notes')).to.deep.equal(sealwrightKeyId(KEY.slice(), 'notes'));
    expect(sealwrightKeyId(KEY, 'notes')).to.not.deep.equal(sealwrightKeyId(KEY, 'tabs'));
    expect(sealwrightKeyId(KEY, 'notes')).to.not.deep.equal(sealwrightKeyId(NEWER, 'notes'));
  });

  it('a changed byte anywhere is detected', async () => {
    const sealed = unarmor(await textOf('notes', { id: 'a', payload: 'x' }, KEY));
    const codec = codecOf('notes', KEY);
    for (let i = 0; i < sealed.length; i++) {
      const altered = Buffer.from(sealed.with(i, sealed[i]! ^ 1)).toString('base64url');
      const outcome = await errorNameOf(codec.decrypt({ id: 'a', payload: `sw1.${altered}` }));
      expect(outcome, `byte ${i}`).to.match(/^(AuthenticationError|EnvelopeError|OtherKeyError)$/);
    }
    for (const text of ['', 'sw1.', '{}', 'sw1.AAAA']) {
      expect(await errorNameOf(codec.decrypt({ id: 'a', payload: text }))).to.equal(
        'EnvelopeError',
      );
    }
  });

  it('a generation that is not a whole number is refused', async () => {
    const codec = codecOf('notes', KEY);
    for (const generation of [-1, 0.5, '1', null, 2 ** 53]) {
      expect(await errorNameOf(codec.encrypt({ id: 'a', payload: 1, generation }))).to.equal(
        'SyncError',
      );
    }
    expect(await errorNameOf(codec.encrypt({ id: 'a', payload: undefined }))).to.equal('SyncError');
  });
});
