import { expect } from 'chai';
import { SHA256 } from '../../../src/crypto/hash/sha256.ts';
import { hkdf } from '../../../src/crypto/kdf/hkdf.ts';
import type { ParamsOf, ResultOf } from '../../../src/rpc/methods/methods.ts';
import { recordParts } from '../../../src/rpc/methods/sync-record.ts';
import { unpacked } from '../../../src/rpc/transport/byte-list.ts';
import { chooser } from '../../keys/stress.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { encryptedRecord, packedOf, plainRecord } from '../../support/packed.ts';
import { pageCaller, settled } from '../../support/service-fakes.ts';
import { World } from '../../support/service-world.ts';
import { inThread } from '../../../src/workshop/in-thread.ts';
import { nodeOpen } from '../../sync/node-weave.ts';
import type { NodeBundle } from '../../sync/node-weave.ts';
import { WEAVE } from '../../sync/weave/weave-vectors.ts';
import { codeOf, errorOf } from '../../support/outcomes.ts';

const A = pageCaller();
const B = pageCaller({ origin: 'https://b.example', documentId: 'doc-b' });
const [, , CHAIN] = WEAVE.chains;
const KB = CHAIN!.kB!;
const encoded = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const SYNC = { capabilities: ['sync' as const] };
const syncKey = (...collections: string[]) => ({ kind: 'sync' as const, collections });

interface Rec {
  readonly id: string;
  readonly payload: unknown;
  readonly generation?: number;
}
type Outcome = { readonly payload: unknown; readonly generation?: number } | string;

function openedIn(record: Uint8Array): Outcome {
  const [generation, payload] = (['generation', 'payload'] as const).map((part) =>
    Buffer.from(recordParts(record)![part]).toString(),
  );
  const opened = { payload: JSON.parse(payload!) as unknown };
  return generation === '' ? opened : { ...opened, generation: Number(generation) };
}

/** What a page would see of the results: texts or JSON, and codes. */
function outcomes(
  { items, failures }: ResultOf<'sync.decryptRecords'>,
  read: (bytes: Uint8Array) => Outcome,
): Outcome[] {
  const results = unpacked(items);
  const codes = new Map(failures.map(({ at, error }) => [at, error.code as string]));
  return results.map((bytes, at) => codes.get(at) ?? read(bytes));
}

async function encrypt(
  world: World,
  collection: string,
  records: readonly Rec[],
  more: { key?: string } = {},
  caller = A,
  id?: string,
) {
  const params = { collection, records: packedOf(...records.map(plainRecord)), ...more };
  return outcomes(await world.call('sync.encryptRecords', params, caller, id), (bytes) => ({
    payload: Buffer.from(bytes).toString(),
  }));
}

async function decrypt(
  world: World,
  collection: string,
  records: readonly Rec[],
  more: { key?: string } = {},
  caller = A,
) {
  const params = { collection, records: packedOf(...records.map(encryptedRecord)), ...more };
  const result = await world.call('sync.decryptRecords', params, caller);
  return outcomes(result, openedIn);
}

const textOf = (outcome: Outcome | undefined): string => (outcome as { payload: string }).payload;

/** A sealed record without its last byte. */
function cutOff(armored: string): string {
  const sealed = Buffer.from(armored.slice(4), 'base64url');
  return `sw1.${sealed.subarray(0, -1).toString('base64url')}`;
}

/** A sealed record with one bit changed. */
function flipped(armored: string, choose: (n: number) => number): string {
  const sealed = Buffer.from(armored.slice(4), 'base64url');
  sealed[choose(sealed.length)]! ^= 1 << choose(8);
  return `sw1.${sealed.toString('base64url')}`;
}

const oneOf = <T>(choose: (n: number) => number, of: readonly T[]): T => of[choose(of.length)]!;

async function sealwrightWorld(...collections: string[]): Promise<World> {
  const world = await World.unlocked();
  await world.connect({ ...SYNC, key: syncKey(...collections) }, A, { newKeyLabel: 'Sync' });
  return world;
}

type Source = ParamsOf<'ui.importSyncKey'>['source'];

/** A vault with a foreign key, granted for `collections`. */
async function foreignWorld(
  format: ParamsOf<'ui.importSyncKey'>['format'],
  source: Source,
  ...collections: string[]
) {
  const world = await World.unlocked();
  const { ref } = await world.surface('ui.importSyncKey', { label: 'Firefox', format, source });
  await world.connect({ ...SYNC, key: syncKey(...collections) }, A, { ref });
  return { world, ref };
}
const weaveWorld = (...collections: string[]) =>
  foreignWorld('weave-5', { accountKey: KB }, ...collections);
const loaded = async (...collections: string[]) => {
  const { world, ref } = await weaveWorld(...collections);
  const payload = encoded(CHAIN!.keys);
  await world.call('sync.loadCollectionKeys', { payload });
  return { world, ref };
};

function halves(bytes: Uint8Array): NodeBundle {
  return { encryptionKey: bytes.subarray(0, 32), hmacKey: bytes.subarray(32) };
}
const pairOf = ([encryptionKey, hmacKey]: readonly string[]): NodeBundle => ({
  encryptionKey: Buffer.from(encryptionKey!, 'base64'),
  hmacKey: Buffer.from(hmacKey!, 'base64'),
});
const DEFAULT = pairOf(CHAIN!.defaultKeys);
const KSYNC = halves(
  hkdf(
    SHA256,
    Buffer.from(KB, 'hex'),
    new Uint8Array(32),
    Buffer.from('identity.mozilla.com/picl/v1/oldsync'),
    64,
  ),
);

describe('sync.encryptRecords and decryptRecords', function () {
  this.timeout(60_000);

  it('with a key made here: the house format, back as they were, with their generations', async () => {
    const world = await sealwrightWorld('notes');
    const records = [
      { id: 'a', payload: { title: 'x' } },
      { id: 'b', payload: null, generation: 7 },
      { id: 'ü'.repeat(100), payload: 'text' },
    ];
    const encrypted = await encrypt(world, 'notes', records);
    for (const one of encrypted) expect(textOf(one)).to.match(/^sw1\.[\w-]+$/);
    const stored = encrypted.map((one, i) => ({ id: records[i]!.id, payload: textOf(one) }));
    expect(await decrypt(world, 'notes', stored)).to.deep.equal(
      records.map(({ payload, generation }) => ({ payload, ...(generation && { generation }) })),
    );
  });

  it('an adversary who swaps, renames, rolls back or cuts gets nothing through; the others stay', async () => {
    const world = await sealwrightWorld('notes', 'tabs');
    const [a, b, old] = await encrypt(world, 'notes', [
      { id: 'a', payload: 1 },
      { id: 'b', payload: 2 },
      { id: 'c', payload: 'old', generation: 1 },
    ]);
    const [tab] = await encrypt(world, 'tabs', [{ id: 'a', payload: 3 }]);
    const stored = [
      { id: 'a', payload: textOf(b) },
      { id: 'b', payload: textOf(a) },
      { id: 'a', payload: textOf(tab) },
      { id: 'c', payload: textOf(old), generation: 2 },
      { id: 'c', payload: cutOff(textOf(old)) },
      { id: 'a', payload: '{"title":"in clear"}' },
      { id: 'a', payload: textOf(a) },
    ];
    expect(await decrypt(world, 'notes', stored)).to.deep.equal([
      ...['AUTH_FAILED', 'AUTH_FAILED', 'NEEDS_KEY', 'AUTH_FAILED', 'AUTH_FAILED', 'BAD_ENVELOPE'],
      { payload: 1 },
    ]);
  });

  it('an adversary with any history of the server gets a client to take only what was written there', async () => {
    const world = await sealwrightWorld('notes', 'tabs');
    const seed = Math.floor(Math.random() * 2 ** 32);
    const choose = chooser(seed);
    const ids = ['a', 'b', 'c', 'ü'];
    /** All that the server ever got, and what the client has seen last of each record. */
    const history: { collection: string; id: string; generation: number; text: string }[] = [];
    const seen = new Map<string, number>();
    const payloadOf = (collection: string, id: string, generation: number) => ({
      of: `${collection}/${id}`,
      generation,
    });
    const outcomesSeen = new Set<string>();
    for (let round = 0; round < (IS_NIGHTLY ? 2_000 : 60); round++) {
      for (const collection of ['notes', 'tabs']) {
        const writes = ids.filter(() => choose(3) === 0);
        const records = writes.map((id) => {
          const generation = (seen.get(`${collection}/${id}`) ?? 0) + 1;
          seen.set(`${collection}/${id}`, generation);
          return { id, generation, payload: payloadOf(collection, id, generation) };
        });
        const made = records.length > 0 ? await encrypt(world, collection, records) : [];
        for (const [i, { id, generation }] of records.entries()) {
          history.push({ collection, id, generation, text: textOf(made[i]) });
        }
      }
      const served = ids.flatMap((id) => {
        if (history.length === 0) return [];
        // Every fourth is the newest that was written there.
        const newest = history.findLast((one) => one.collection === 'notes' && one.id === id);
        const any = history[choose(history.length)]!;
        const { collection, id: of, generation, text } = (choose(4) === 0 && newest) || any;
        const [payload, what] = oneOf(choose, [
          [text, `${collection}/${of}/${generation}`],
          [text, `${collection}/${of}/${generation}`],
          [cutOff(text), undefined],
          [flipped(text, choose), undefined],
          [text + text.slice(4), undefined],
        ]);
        return [{ id, payload, generation: seen.get(`notes/${id}`) ?? 0, what }];
      });
      const stored = served.map(({ id, payload, generation }) => ({ id, payload, generation }));
      const opened = stored.length > 0 ? await decrypt(world, 'notes', stored) : [];
      for (const [i, { id, generation, what }] of served.entries()) {
        const expected = payloadOf('notes', id, generation);
        const isIt = what === `notes/${id}/${generation}`;
        const outcome = opened[i]!;
        outcomesSeen.add(typeof outcome === 'string' ? outcome : 'opened');
        if (isIt) expect(outcome, `seed ${seed}`).to.deep.equal({ payload: expected, generation });
        else expect(outcome, `seed ${seed}, ${what}`).to.be.a('string');
      }
    }
    expect([...outcomesSeen]).to.include.members(['opened', 'AUTH_FAILED']);
  });

  it('one bad record among 10,000: 9,999 answers and one typed error', async () => {
    const { world } = await loaded('notes');
    const records = Array.from({ length: 10_000 }, (_, i) => ({ id: `r${i}`, payload: { n: i } }));
    const encrypted = await encrypt(world, 'notes', records);
    const stored = encrypted.map((one, i) => ({ id: `r${i}`, payload: textOf(one) }));
    stored[7777] = {
      ...stored[7777]!,
      payload: stored[7777]!.payload.replace('"hmac":"', '"hmac":"0'),
    };
    const opened = await decrypt(world, 'notes', stored);
    const wrong = opened.flatMap((one, i) => (typeof one === 'string' ? [`${i} ${one}`] : []));
    expect(wrong).to.deep.equal(['7777 AUTH_FAILED']);
    expect(opened[9999]).to.deep.equal({ payload: { id: 'r9999', n: 9999 } });
    const ivs = new Set(stored.map(({ payload }) => (JSON.parse(payload) as { IV: string }).IV));
    expect(ivs.size).to.equal(10_000);
  });

  it('with a Firefox account: v5 records of the whole chain, and new ones that node:crypto reads', async () => {
    const { world } = await loaded('history');
    const record = { id: CHAIN!.id, payload: JSON.stringify(CHAIN!.record) };
    const [opened] = await decrypt(world, 'history', [record]);
    expect((opened as { payload: { title: string } }).payload.title).to.equal(CHAIN!.member[1]);
    const made = await encrypt(world, 'history', [
      { id: 'new', payload: { title: 'ü' } },
      { id: 'gone', payload: { deleted: true } },
      { id: 'no', payload: 'text' },
      { id: 'no', payload: { id: 'other' } },
    ]);
    expect(nodeOpen(DEFAULT, textOf(made[0]))).to.equal('{"id":"new","title":"ü"}');
    expect(nodeOpen(DEFAULT, textOf(made[1]))).to.equal('{"id":"gone","deleted":true}');
    expect(made.slice(2)).to.deep.equal(['INVALID_ARGUMENT', 'INVALID_ARGUMENT']);
  });

  it('with Kinto and Notes keys: their formats, and the id of the key where records name it', async () => {
    const kinto = await foreignWorld('kinto', { accountKey: KB }, 'items');
    const [one] = await encrypt(kinto.world, 'items', [{ id: 'key-a', payload: { data: 1 } }]);
    const bound = (iv: string): string => `key-a${iv}`;
    expect(nodeOpen(KSYNC, textOf(one), bound)).to.equal('{"id":"key-a","data":1}');
    const jwk = { kty: 'oct', k: WEAVE.scopedKeys[0]!.k, kid: WEAVE.scopedKeys[0]!.kid };
    const notes = await foreignWorld('notes', { text: JSON.stringify(jwk) }, 'notes');
    const records = packedOf(plainRecord({ id: 'n', payload: { text: 'x' } }));
    const result = await notes.world.call('sync.encryptRecords', { collection: 'notes', records });
    expect(result.kid).to.equal(jwk.kid);
    const payload = Buffer.from(unpacked(result.items)[0]!).toString();
    expect(await decrypt(notes.world, 'notes', [{ id: 'n', payload }])).to.deep.equal([
      { payload: { text: 'x' } },
    ]);
    const other = Buffer.from('{"alg":"A256KW","kid":"zz","enc":"A128CBC-HS256"}').toString(
      'base64url',
    );
    expect(
      await decrypt(notes.world, 'notes', [{ id: 'n', payload: `${other}....` }]),
    ).to.deep.equal(['NEEDS_KEY']);
  });

  it('take no word of what is no record: each its own typed error', async () => {
    const world = await sealwrightWorld('notes');
    const heads = [[], [0], [0, 1], [0, 2, 0, 0x61], [0, 1, 1, 0x61], [127, 127, 0, 0x61]];
    const ids = ['', 'x'.repeat(513)].map((id) => plainRecord({ id, payload: 1 }));
    const noUtf8 = [0, 1, 0, 0xff, 0x31];
    const generation = [0, 1, 1, 0x61, 0x7b, 0x31];
    const wrong = [...heads, noUtf8, generation].map((bytes) => Uint8Array.from(bytes));
    const empty = Uint8Array.of(0, 1, 0, 0x61);
    const records = packedOf(...ids, ...wrong, empty);
    for (const method of ['sync.encryptRecords', 'sync.decryptRecords'] as const) {
      const { failures } = await world.call(method, { collection: 'notes', records });
      const codes = failures.map(({ error }) => error.code);
      const last = method === 'sync.encryptRecords' ? 'INVALID_ARGUMENT' : 'BAD_ENVELOPE';
      expect(codes).to.deep.equal([...Array<string>(10).fill('INVALID_ARGUMENT'), last]);
    }
    const { world: weave } = await loaded('notes');
    const large = [{ id: 'a', payload: { x: 'y'.repeat(2.5 * 2 ** 20) } }];
    expect(await encrypt(weave, 'notes', large)).to.deep.equal(['TOO_LARGE']);
  });

  it('are one use for each record, charged once, and not beyond', async () => {
    const world = await World.unlocked();
    const requested = { ...SYNC, key: syncKey('notes'), maxUses: 5 };
    await world.connect(requested, A, { newKeyLabel: 'Sync' });
    const records = ['a', 'b', 'c'].map((id) => ({ id, payload: id }));
    for (let i = 0; i < 2; i++) await encrypt(world, 'notes', records, {}, A, 'batch');
    expect((await world.call('grants', {}))[0]!.usesLeft).to.equal(2);
    const again = await encrypt(world, 'notes', records);
    expect(again.map((one) => (typeof one === 'string' ? one : 'ok'))).to.deep.equal([
      ...['ok', 'ok', 'EXPIRED'],
    ]);
    expect(await codeOf(encrypt(world, 'notes', records))).to.equal('EXPIRED');
  });

  it('are done in the workshop of their origin, one call for a batch, with the keys of the collection alone', async () => {
    const { world } = await loaded('notes');
    const { workshop } = world;
    const calls: string[] = [];
    world.workshop = {
      call(owner, operation, input, options) {
        calls.push(`${owner} ${operation} ${Object.keys(input.secrets).join()}`);
        return workshop.call(owner, operation, input, options);
      },
    };
    const many = Array.from({ length: 1000 }, (_, i) => ({ id: `${i}`, payload: { i } }));
    const made = await encrypt(world, 'notes', many);
    await decrypt(
      world,
      'notes',
      made.map((one, i) => ({ id: `${i}`, payload: textOf(one) })),
    );
    const { origin } = A as { origin: string };
    expect(calls).to.deep.equal([
      `origin ${origin} sync.encryptRecords keys,seed`,
      `origin ${origin} sync.decryptRecords keys`,
    ]);
  });

  it('say so where no worker can be started, or it loses records', async () => {
    const world = await sealwrightWorld('notes');
    const one = [{ id: 'a', payload: 1 }];
    world.workshop = inThread({});
    expect(await codeOf(encrypt(world, 'notes', one))).to.equal('UNSUPPORTED');
    const none = { items: packedOf(), failures: [] };
    world.workshop = inThread({ 'sync.encryptRecords': () => Promise.resolve(none) });
    expect(await codeOf(encrypt(world, 'notes', one))).to.equal('INTERNAL');
  });

  it('end when the grant is revoked, and answer no other site', async () => {
    const world = await sealwrightWorld('notes');
    const many = Array.from({ length: 3 }, (_, i) => ({ id: `${i}`, payload: i }));
    world.workshop = { call: () => new Promise(() => undefined) };
    const code = codeOf(encrypt(world, 'notes', many));
    await settled();
    await world.call('revoke', {});
    expect(await code).to.equal('NOT_GRANTED');
    expect(await codeOf(encrypt(world, 'notes', many.slice(0, 1), {}, B))).to.equal('NOT_GRANTED');
  });
});

describe('Grants of sync keys', function () {
  this.timeout(60_000);
  const one = [{ id: 'a', payload: 1 }];

  it('are for the collections that they name, and for no others', async () => {
    const world = await sealwrightWorld('notes', 'tabs');
    expect(await codeOf(encrypt(world, 'tabs', one))).to.equal('ok');
    for (const other of ['passwords', 'note', 'Notes']) {
      expect(await codeOf(encrypt(world, other, one)), other).to.equal('NOT_GRANTED');
      expect(await codeOf(decrypt(world, other, one)), other).to.equal('NOT_GRANTED');
    }
  });

  it('add up, collection by collection, and the same question is not asked twice', async () => {
    const world = await sealwrightWorld('notes');
    const { ref } = (await world.surface('ui.keys', {})).at(-1)!;
    const shown = world.prompter.shown.length;
    await world.connect({ ...SYNC, key: syncKey('notes') });
    expect(world.prompter.shown.length).to.equal(shown);
    await world.connect({ ...SYNC, key: syncKey('tabs') }, A, { ref });
    expect(await codeOf(encrypt(world, 'notes', one))).to.equal('ok');
    expect(await codeOf(encrypt(world, 'tabs', one))).to.equal('ok');
    // A narrower answer about one collection leaves the other as it was.
    const requested = { ...SYNC, key: syncKey('tabs'), maxUses: 1 };
    await world.connect(requested, A, { ref });
    expect(await codeOf(encrypt(world, 'tabs', one))).to.equal('ok');
    expect(await codeOf(encrypt(world, 'tabs', one))).to.equal('EXPIRED');
    expect(await codeOf(encrypt(world, 'notes', one))).to.equal('ok');
  });

  it('tell the user which collections are meant', async () => {
    const world = await World.unlocked();
    const asking = world.call('connect', {
      purpose: 'p',
      ...SYNC,
      key: syncKey('tabs', 'notes', 'tabs'),
    });
    asking.catch(() => undefined);
    await settled();
    const promptId = world.prompter.shown[0]!;
    const { key } = await world.surface('ui.prompt', { promptId });
    expect(key).to.deep.equal({ kind: 'sync', collections: ['notes', 'tabs'] });
    await world.surface('ui.answerPrompt', { promptId, allow: false });
  });

  it('a sync key seals, opens and signs nothing, and other keys sync nothing', async () => {
    const world = await World.unlocked();
    for (const capability of ['seal', 'open', 'mac', 'sign', 'publicKey'] as const) {
      const asked = world.connect({ capabilities: [capability], key: syncKey('notes') });
      expect(await codeOf(asked), capability).to.equal('INVALID_ARGUMENT');
    }
    for (const key of ['app', { kind: 'sealing' }, { kind: 'signing' }] as const) {
      expect(await codeOf(world.connect({ ...SYNC, key }))).to.equal('INVALID_ARGUMENT');
    }
  });

  it('name in the error the collection that is not granted, and the key that the site has', async () => {
    const world = await sealwrightWorld('notes');
    const [{ keyId } = { keyId: '' }] = await world.call('grants', {});
    const refusal = async (collection: string, more: { key?: string }) => {
      const { code, data } = await errorOf(encrypt(world, collection, one, more));
      return { code, data };
    };
    const missing = { capability: 'sync', collection: 'nots' };
    const code = 'NOT_GRANTED';
    expect(await refusal('nots', {})).to.deep.equal({ code, data: missing });
    const named = { ...missing, keyId };
    expect(await refusal('nots', { key: keyId })).to.deep.equal({ code, data: named });
    expect(await refusal('nots', { key: 'unknown' })).to.deep.equal({ code, data: missing });
  });

  it('several keys: the page names one, or gets an error that says so', async () => {
    const world = await sealwrightWorld('notes');
    const [first] = await world.call('grants', {});
    const second = await world.connect({ ...SYNC, key: { ...syncKey('notes'), label: 'Two' } }, A, {
      newKeyLabel: 'Two',
    });
    expect(await codeOf(encrypt(world, 'notes', one))).to.equal('INVALID_ARGUMENT');
    const [made] = await encrypt(world, 'notes', one, { key: second[0]!.keyId });
    const stored = [{ id: 'a', payload: textOf(made) }];
    expect(await decrypt(world, 'notes', stored, { key: first!.keyId })).to.deep.equal([
      'NEEDS_KEY',
    ]);
    expect(await decrypt(world, 'notes', stored, { key: second[0]!.keyId })).to.deep.equal([
      { payload: 1 },
    ]);
  });

  it('a key that the site rotates still opens what it sealed', async () => {
    const world = await sealwrightWorld('notes');
    const [made] = await encrypt(world, 'notes', one);
    const [grant] = await world.call('grants', {});
    const rotating = world.call('rotateKey', { keyId: grant!.keyId });
    await settled();
    await world.surface('ui.answerPrompt', { promptId: world.prompter.shown.at(-1)!, allow: true });
    expect(await rotating).to.include({ kind: 'sync', generation: 2 });
    const [newer] = await encrypt(world, 'notes', one);
    const stored = [made, newer].map((each) => ({ id: 'a', payload: textOf(each) }));
    expect(await decrypt(world, 'notes', stored)).to.deep.equal([{ payload: 1 }, { payload: 1 }]);
    const { ref } = await (
      await weaveWorld('notes')
    ).world.surface('ui.importSyncKey', {
      label: 'F',
      format: 'kinto',
      source: { accountKey: KB },
    });
    expect(ref).to.be.a('string');
  });

  it('an imported key is not rotated', async () => {
    const { world } = await weaveWorld('notes');
    const [grant] = await world.call('grants', {});
    expect(await codeOf(world.call('rotateKey', { keyId: grant!.keyId }))).to.equal('UNSUPPORTED');
  });
});

describe('sync.loadCollectionKeys and createCollectionKeys', function () {
  this.timeout(60_000);
  const one = [{ id: 'a', payload: { n: 1 } }];

  it('without them records of Weave want their keys, and no use is taken', async () => {
    const { world } = await weaveWorld('history');
    const error = await errorOf(encrypt(world, 'history', one));
    expect(error.code).to.equal('NEEDS_KEY');
    expect(error.data).to.deep.equal({ headerKeyId: 'crypto/keys' });
  });

  it('refuse a record of another account, an altered one, and bytes that are no record', async () => {
    const { world } = await weaveWorld('history');
    const stored = world.stored();
    const load = (value: unknown) =>
      codeOf(world.call('sync.loadCollectionKeys', { payload: encoded(value) }));
    expect(await load(WEAVE.chains[1]!.keys)).to.equal('AUTH_FAILED');
    const { ciphertext, ...rest } = CHAIN!.keys;
    expect(await load({ ...rest, ciphertext: ciphertext.replace('P', 'Q') })).to.equal(
      'AUTH_FAILED',
    );
    expect(await load({ ...rest })).to.equal('BAD_ENVELOPE');
    expect(await load(CHAIN!.record)).to.equal('AUTH_FAILED');
    const nothing = world.call('sync.loadCollectionKeys', { payload: Buffer.of(0xff) });
    expect(await codeOf(nothing)).to.equal('BAD_ENVELOPE');
    expect(world.stored()).to.equal(stored);
  });

  it('are those of the Weave key, where a page has several sync keys', async () => {
    const { world } = await weaveWorld('history');
    await world.connect({ ...SYNC, key: { ...syncKey('notes'), label: 'House' } }, A, {
      newKeyLabel: 'House',
    });
    const load = world.call('sync.loadCollectionKeys', { payload: encoded(CHAIN!.keys) });
    expect(await codeOf(load)).to.equal('ok');
    expect(await codeOf(encrypt(world, 'history', one))).to.equal('ok');
  });

  it('make a default bundle and those that are named, which only the account can read', async () => {
    const { world, ref } = await weaveWorld('notes', 'tabs');
    const payload = await world.call('sync.createCollectionKeys', { collections: ['notes'] });
    const record = JSON.parse(nodeOpen(KSYNC, Buffer.from(payload).toString())) as {
      id: string;
      default: [string, string];
      collections: Record<string, [string, string]>;
    };
    expect(record.id).to.equal('keys');
    expect(Object.keys(record.collections)).to.deep.equal(['notes']);
    const [note] = await encrypt(world, 'notes', one);
    const [tab] = await encrypt(world, 'tabs', one);
    expect(nodeOpen(pairOf(record.collections['notes']!), textOf(note))).to.equal(
      '{"id":"a","n":1}',
    );
    expect(nodeOpen(pairOf(record.default), textOf(tab))).to.equal('{"id":"a","n":1}');
    expect(await world.surface('ui.syncKey', { ref })).to.deep.include({
      format: 'weave-5',
      foreignId: WEAVE.accounts[1]!.clientState,
      hasKeys: true,
      collections: ['notes'],
    });
  });

  it('leave what others have: a second set keeps the default, and the first still decrypts', async () => {
    const { world } = await loaded('notes', 'tabs');
    const before = await encrypt(world, 'notes', one);
    const payload = await world.call('sync.createCollectionKeys', { collections: ['notes'] });
    const record = JSON.parse(nodeOpen(KSYNC, Buffer.from(payload).toString())) as {
      default: [string, string];
    };
    expect(record.default).to.deep.equal(CHAIN!.defaultKeys);
    const after = await encrypt(world, 'notes', one);
    expect(() => nodeOpen(DEFAULT, textOf(after[0]))).to.throw('another HMAC');
    const stored = [...before, ...after].map((each) => ({ id: 'a', payload: textOf(each) }));
    expect(await decrypt(world, 'notes', stored)).to.deep.equal([
      { payload: { id: 'a', n: 1 } },
      { payload: { id: 'a', n: 1 } },
    ]);
  });

  it('make keys for granted collections alone', async () => {
    const { world } = await weaveWorld('notes');
    const make = (...collections: string[]) =>
      codeOf(world.call('sync.createCollectionKeys', { collections }));
    expect(await make('passwords')).to.equal('NOT_GRANTED');
    expect(await make('notes', 'passwords')).to.equal('NOT_GRANTED');
    expect(await make('notes')).to.equal('ok');
    const sealwright = await sealwrightWorld('notes');
    expect(await codeOf(sealwright.call('sync.createCollectionKeys', {}))).to.equal('UNSUPPORTED');
    const load = sealwright.call('sync.loadCollectionKeys', { payload: encoded(CHAIN!.keys) });
    expect(await codeOf(load)).to.equal('UNSUPPORTED');
  });

  it('once for each call, however often it is replayed', async () => {
    const { world } = await weaveWorld('notes');
    const keysOf = (payload: Uint8Array) => nodeOpen(KSYNC, Buffer.from(payload).toString());
    const params = { collections: ['notes'] };
    const first = await world.call('sync.createCollectionKeys', params, A, 'make');
    world.restart();
    const again = await world.call('sync.createCollectionKeys', params, A, 'make');
    expect(keysOf(again)).to.equal(keysOf(first));
    const other = await world.call('sync.createCollectionKeys', params, A, 'make more');
    expect(keysOf(other)).to.not.equal(keysOf(first));
  });

  it('drop no set, and take no more than they may keep', async () => {
    const { world } = await weaveWorld('notes');
    const records: { id: string; payload: string }[] = [];
    for (let i = 0; i < 32; i++) {
      await world.call('sync.createCollectionKeys', { collections: ['notes'] });
      const [made] = await encrypt(world, 'notes', one);
      records.push({ id: 'a', payload: textOf(made) });
    }
    const more = world.call('sync.createCollectionKeys', { collections: ['notes'] });
    expect(await codeOf(more)).to.equal('INVALID_ARGUMENT');
    const opened = await decrypt(world, 'notes', records);
    expect(opened.every((each) => typeof each !== 'string')).to.equal(true);
  });

  it('nothing that leaves the background holds a key', async () => {
    const { world } = await loaded('history');
    const secrets = [KB, ...CHAIN!.defaultKeys];
    const told = JSON.stringify([
      await world.call('keys', {}),
      await world.call('grants', {}),
      await encrypt(world, 'history', one),
      await world.surface('ui.keys', {}),
      await world.surface('ui.activity', { offset: 0, limit: 100 }),
    ]);
    for (const secret of secrets) {
      expect(told).to.not.contain(secret);
      expect(world.stored()).to.not.contain(secret);
    }
  });
});
