import { expect } from 'chai';
import fc from 'fast-check';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { fromHex } from '../../../src/crypto/bytes.ts';
import { checkpoint } from '../../../src/sync/sealwright/checkpoint.ts';
import {
  chunkId,
  decodeChunk,
  decodeHead,
  encodeChunk,
  encodeHead,
  headContext,
  headId,
  MAX_CHUNK_CHARACTERS,
  MAX_CHUNKS,
  MAX_ENTRIES,
  readHeadId,
} from '../../../src/sync/sealwright/head-layout.ts';
import { sealwrightMessages } from '../../../src/sync/sealwright/messages.ts';
import { DELETION_MS, emptyList, listOf, partsOf } from '../../../src/sync/sealwright/own-list.ts';
import { sealwrightContext } from '../../../src/sync/sealwright/record.ts';
import { chooser } from '../../keys/stress.ts';
import { codeOf, errorNameOf } from '../../support/outcomes.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';
import { digester, readHeadVectors } from './head-vectors.ts';
import { digestOfText, HeadsWorld, type Device } from './heads-world.ts';

const KEY = new Uint8Array(32).fill(1);
const messages = sealwrightMessages({
  collection: 'notes',
  keys: [KEY],
  salt: { salt: () => systemRandom.bytes(24) },
  cryptoFor: () => Promise.resolve(NATIVE_CRYPTO),
});
const CRYPTO = {
  digests: digester(Buffer.from(KEY).toString('hex'), 'notes'),
  seal: (id: string, content: Uint8Array) => messages.seal(headContext('notes', id), content),
};
const change = (name: string, generation = 1) => ({
  id: digestOfText(name),
  name,
  record: digestOfText(`${name} ${generation}`),
  generation,
});
const manyChanges = (length: number) => Array.from({ length }, (_, i) => change(`record ${i}`));
const bytesIn = (...items: readonly object[]): number => JSON.stringify(items).length;

describe('sync/heads: layout', () => {
  const digest = fc.stringMatching(/^[1-9a-f][0-9a-f]{15}$/);
  const count = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });

  it('heads and chunks come back as they were', () => {
    fc.assert(
      fc.property(count, fc.array(digest, { maxLength: 112 }), digest, (at, chunks, one) => {
        const head = { count: at, before: Array(Math.min(64, at - 1)).fill(one), chunks };
        expect(decodeHead(encodeHead(head))).to.deep.equal(head);
      }),
    );
    const entry = fc.record({ id: digest, record: fc.option(digest), generation: fc.nat() });
    fc.assert(
      fc.property(
        count,
        fc.array(digest, { maxLength: 8 }),
        fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 180 }),
        (at, before, entries) => {
          entries.sort((a, b) => (a.id < b.id ? -1 : 1));
          const chunk = { count: at, before, entries };
          expect(decodeChunk(encodeChunk(chunk))).to.deep.equal(chunk);
        },
      ),
    );
  });

  it('refuses all other bytes with one error', () => {
    const head = encodeHead({ count: 3, before: ['1'.repeat(16), '2'.repeat(16)], chunks: [] });
    const chunk = encodeChunk({ count: 3, before: [], entries: [change('a'), change('b')] });
    const [one, two] = [chunk.subarray(0, 10), chunk.subarray(10, 34)];
    const wrong: (readonly [(content: Uint8Array) => unknown, Uint8Array])[] = [
      ...Array.from(head, (_, length) => [decodeHead, head.subarray(0, length)] as const),
      [decodeHead, Buffer.concat([head, new Uint8Array(1)])],
      [decodeHead, chunk],
      [decodeHead, head.with(8, 9)], // the heads before it are missing
      [decodeHead, head.with(1, 0xff)], // no safe integer
      [decodeHead, encodeHead({ count: 1, before: [], chunks: Array(113).fill('1'.repeat(16)) })],
      [decodeChunk, head],
      [decodeChunk, chunk.subarray(0, -1)],
      [decodeChunk, chunk.with(8, 0)], // no count
      [decodeChunk, chunk.with(9, 9)],
      [decodeChunk, Buffer.concat([one, two, two])], // an id twice
      [decodeChunk, Buffer.concat([one, ...Array<Uint8Array>(181).fill(two)])],
      [decodeChunk, new Uint8Array(0)],
    ];
    for (const [decode, content] of wrong) {
      expect(() => decode(content), Buffer.from(content).toString('hex'))
        .to.throw('heads: expected heads and chunks of this version')
        .with.property('name', 'SyncError');
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (content) => {
        for (const decode of [decodeHead, decodeChunk]) {
          try {
            decode(content);
          } catch (error) {
            expect((error as Error).name).to.equal('SyncError');
          }
        }
      }),
    );
  });

  it('has ids that every service takes, and no other text is one', () => {
    const device = '0123456789abcdef';
    expect(readHeadId(headId(device))).to.deep.equal({ device, number: undefined });
    expect(readHeadId(chunkId(device, 111))).to.deep.equal({ device, number: 111 });
    for (const id of ['', 'n1', 'sealwright-head-', `${headId(device)}-`, `${headId(device)}-01`]) {
      expect(readHeadId(id), id).to.equal(undefined);
    }
    expect(readHeadId(headId(device.toUpperCase()))).to.equal(undefined);
  });

  it('is that of the vectors', async () => {
    const { collection, device, keys, records, checkpoints } = readHeadVectors();
    const opener = sealwrightMessages({
      collection,
      keys: keys.map(fromHex),
      salt: { salt: () => new Uint8Array(24) },
      cryptoFor: () => Promise.resolve(NATIVE_CRYPTO),
    });
    const digests = digester(keys.at(-1)!, collection);
    let list = emptyList(device);
    for (const [i, { head, chunks }] of checkpoints.entries()) {
      const changes = records[i]!.map(({ id, payload, generation }) => {
        const [digest, record] = digests([Buffer.from(id), Buffer.from(payload ?? '')]);
        return { id: digest!, name: id, record: payload === null ? null : record!, generation };
      });
      // The seals are those of the file, and what is sealed has to be their content.
      const sealed = new Map([head, ...chunks].map(({ id, payload }) => [id, payload]));
      const seal = async (id: string, content: Uint8Array) => {
        const opened = await opener.open(headContext(collection, id), sealed.get(id)!);
        expect(content, id).to.deep.equal(new Uint8Array(opened));
        return Buffer.from(sealed.get(id)!);
      };
      ({ list } = await checkpoint(list, changes, 0, { seal, digests }));
    }
    expect(list).to.deep.include({ count: checkpoints.length });
  });

  it('a head does not open as a record, and a record not as a head', async () => {
    const id = headId('0123456789abcdef');
    const [head, record] = await Promise.all([
      messages.seal(headContext('notes', id), new Uint8Array(20)),
      messages.seal(sealwrightContext('notes', id), new Uint8Array(20)),
    ]);
    const open = (context: Uint8Array, text: Uint8Array) =>
      errorNameOf(messages.open(context, Buffer.from(text).toString()));
    expect(await open(headContext('notes', id), head)).to.equal('none');
    expect(await open(sealwrightContext('notes', id), head)).to.equal('AuthenticationError');
    expect(await open(headContext('notes', id), record)).to.equal('AuthenticationError');
    expect(await open(headContext('notes', `${id}-0`), head)).to.equal('AuthenticationError');
  });
});

describe('sync/heads: a checkpoint', function () {
  this.timeout(20_000);

  it('of one change among 10,000 records writes one chunk and the head, at most 9 kB', async () => {
    const first = await checkpoint(emptyList('0'.repeat(16)), manyChanges(10_000), 0, CRYPTO);
    expect(first.chunks).to.have.length(56);
    let { list } = first;
    const choose = chooser(1);
    // So many that the head lists as many heads before it, and the chunk as many chunks, as they have room for.
    for (let i = 0; i < 80; i++) {
      const name = i % 8 === 0 ? `new ${i}` : `record ${i % 3 === 0 ? 5 : choose(10_000)}`;
      const made = await checkpoint(list, [change(name, i + 2)], 0, CRYPTO);
      expect(made.chunks).to.have.length(1);
      expect(made.chunks[0]!.payload.length).to.be.at.most(MAX_CHUNK_CHARACTERS);
      expect(bytesIn(made.head, ...made.chunks)).to.be.at.most(9000);
      ({ list } = made);
    }
    expect(listOf(partsOf(list))).to.deep.equal(list);
  });

  it('lists as many records as chunks have room for, and no more', async () => {
    const all = MAX_CHUNKS * MAX_ENTRIES;
    const full = await checkpoint(emptyList('0'.repeat(16)), manyChanges(all), 0, CRYPTO);
    expect(full.head.payload.length).to.be.below(3000);
    expect(await errorNameOf(checkpoint(full.list, [change('record 7', 2)], 0, CRYPTO))).to.equal(
      'none',
    );
    expect(await errorNameOf(checkpoint(full.list, [change('one more')], 0, CRYPTO))).to.equal(
      'TooManyError',
    );
  });

  it('keeps the highest generation, and of one generation what was written last', async () => {
    const steps = [change('a', 3), change('a', 2), { ...change('a', 3), record: '5'.repeat(16) }];
    let list = emptyList('0'.repeat(16));
    for (const step of steps) ({ list } = await checkpoint(list, [step], 0, CRYPTO));
    expect(list.leaves[0]!.entries).to.deep.equal([steps[2]]);
  });

  it('keeps no id that is longer than 64 characters', async () => {
    const long = change('x'.repeat(65));
    const { list } = await checkpoint(emptyList('0'.repeat(16)), [long], 0, CRYPTO);
    expect(partsOf(list).join('')).to.not.include('xx');
  });

  it('lists a deletion for 400 days', async () => {
    const gone = { ...change('a', 2), record: null };
    const { list } = await checkpoint(emptyList('0'.repeat(16)), [gone], 5, CRYPTO);
    const listedAt = async (at: number) =>
      (await checkpoint(list, [change('b')], at, CRYPTO)).list.leaves[0]!.entries.length;
    expect(await listedAt(5 + DELETION_MS - 1)).to.equal(2);
    expect(await listedAt(5 + DELETION_MS)).to.equal(1);
  });
});

describe('sync/heads: a verification', () => {
  let world: HeadsWorld;
  let one: Device;
  let other: Device;
  const put = (device: Device, id: string, generation = 1, payload?: string | null) =>
    world.write(device, id, {
      generation,
      payload: payload === undefined ? world.sealed(id, generation) : payload,
    });
  const FINE = {
    ok: true,
    missing: [],
    missingCount: 0,
    rolledBack: [],
    forked: false,
    unconfirmed: 0,
  };

  beforeEach(async () => {
    world = new HeadsWorld(2);
    [one, other] = world.devices as [Device, Device];
    await put(one, 'a');
    await put(other, 'b');
  });

  it('finds nothing where all is there, and counts what no head knows', async () => {
    expect(await world.verify(one)).to.deep.equal(FINE);
    world.put('c', { generation: 1, payload: world.sealed('c', 1) });
    world.put('a', { generation: 2, payload: world.sealed('a', 2) });
    world.put('b', { generation: 1, payload: world.sealed('b', 1) });
    expect(await world.verify(one)).to.deep.equal({ ...FINE, unconfirmed: 3 });
  });

  it('names what this device wrote or the app knows, and counts the rest', async () => {
    world.server.records.clear();
    const missing = { ...FINE, ok: false, missingCount: 2 };
    expect(await world.verify(one)).to.deep.equal({ ...missing, missing: ['a'] });
    const named = await world.verify(one, world.server, ['a', 'b', 'unknown']);
    expect(named.missing).to.have.members(['a', 'b']);
    expect({ ...named, missing: [] }).to.deep.equal(missing);
  });

  it('knows what it wrote itself where the server hides its head', async () => {
    world.server.records.delete('a');
    world.server.heads = [];
    expect(await world.verify(one)).to.deep.equal({
      ...FINE,
      ok: false,
      missing: ['a'],
      missingCount: 1,
      unconfirmed: 1,
    });
  });

  it('tells older versions, of records and of heads', async () => {
    const before = world.copied();
    await put(one, 'a', 2);
    await world.verify(other);
    const report = await world.verify(other, before);
    // A later chunk with an earlier head is what a device leaves that was interrupted.
    expect(report).to.deep.equal({ ...FINE, ok: false, rolledBack: [headId(one.list.device)] });
    const shown = { ...world.copied(), records: before.records };
    expect(await world.verify(other, shown)).to.deep.equal({
      ...FINE,
      ok: false,
      rolledBack: ['a'],
    });
  });

  it('tells two that wrote at once from a lost record: both are honest, and one is there', async () => {
    const base = world.sealed('a', 2);
    await put(one, 'a', 2);
    await put(other, 'a', 2, base);
    expect(await world.verify(one)).to.deep.equal(FINE);
    world.server.records.set('a', world.history.get('a')!.at(-2)!.payload!);
    expect(await world.verify(one)).to.deep.equal(FINE);
  });

  it('learns of deletions, and still knows them when the other list has dropped them', async () => {
    await put(other, 'a', 2, null);
    expect(await world.verify(one)).to.deep.equal(FINE);
    await world.checkpoint(one, []);
    world.at += DELETION_MS - 1;
    await put(other, 'c');
    world.at += 1;
    await put(other, 'd');
    expect(await world.verify(one)).to.deep.equal(FINE);
  });

  it('takes another name where its profile was copied, and lists all it knew under it', async () => {
    const copy = structuredClone(one);
    await put(copy, 'c');
    const { device } = one.list;
    expect(await world.verify(one)).to.deep.equal({ ...FINE, forked: true, ok: false });
    expect(one.list.device).to.not.equal(device);
    await world.checkpoint(one, []);
    expect(await world.verify(one)).to.deep.equal(FINE);
    expect(await world.verify(copy)).to.deep.equal(FINE);
    expect(await world.verify(other)).to.deep.equal(FINE);
  });

  it('a later chunk before its head is no alarm, and one that the head does not lead to is', async () => {
    await world.write(one, 'a', { generation: 2, payload: world.sealed('a', 2) }, 'chunks');
    expect(await world.verify(other)).to.deep.equal(FINE);
    // Eight more heads are lost: the chunk does not say any more that it follows the one that the head lists.
    for (let i = 0; i < 8; i++) await world.checkpoint(one, [['a', world.current('a')!]], 'chunks');
    const lost = await world.verify(other);
    expect(lost).to.deep.include({ missing: [chunkId(one.list.device, 0)], missingCount: 1 });
  });

  it('refuses heads of more than 64 devices, and what is no head', async () => {
    const crowd = new HeadsWorld(65);
    for (const device of crowd.devices) await crowd.checkpoint(device, []);
    const shown = { ...world.copied(), heads: crowd.server.heads };
    expect(await errorNameOf(world.verify(one, shown))).to.equal('TooManyError');
    const record = { ...world.copied(), heads: [{ id: 'a', payload: 'sw1.' }] };
    expect(await codeOf(world.verify(one, record))).to.equal('BAD_CLEARTEXT');
  });

  it('opens no text that is longer than a chunk', async () => {
    const { heads } = world.copied();
    const long = heads.map((item) => ({ ...item, payload: item.payload + ' '.repeat(6000) }));
    const report = await world.verify(one, { ...world.copied(), heads: long });
    expect(report.missing).to.have.members([headId(one.list.device), headId(other.list.device)]);
  });
});
