import { expect } from 'chai';
import sinon from 'sinon';
import {
  collectionWithHeads,
  type CollectionWithHeads,
  type HeadStore,
} from '../../../../src/client/adapters/heads/collection-with-heads.ts';
import { MAX_ENTRIES } from '../../../../src/sync/sealwright/head-layout.ts';
import { digestOfText } from '../../../sync/sealwright/heads-world.ts';
import { errorOf } from '../../../support/outcomes.ts';
import { FakeLocks } from '../../fake-locks.ts';
import { FakeSync, openedText } from './fake-sync.ts';
import { MemoryServer, MemoryStore } from './memory-store.ts';

const QUIET = { ok: true, missing: [], missingCount: 0, rolledBack: [], forked: false };

describe('collectionWithHeads', () => {
  let server: MemoryServer;
  let one: FakeSync;
  let other: FakeSync;
  let notes: CollectionWithHeads;
  let there: CollectionWithHeads;
  const nonces = { next: 0 };

  const page = (sync: FakeSync, store: HeadStore = new MemoryStore(server)) =>
    collectionWithHeads({ sync }, 'notes', store);
  const write = async (collection: CollectionWithHeads, id: string, generation?: number) => {
    const { payload } = await collection.seal({
      id,
      payload: {},
      ...(generation && { generation }),
    });
    await server.write(id, server.records.get(id), payload);
    return payload;
  };
  const remove = async (collection: CollectionWithHeads, id: string) => {
    await collection.deleting(id);
    await server.write(id, server.records.get(id), undefined);
  };

  beforeEach(() => {
    server = new MemoryServer();
    [one, other] = [new FakeSync(nonces), new FakeSync(nonces)];
    [notes, there] = [page(one), page(other)];
  });
  afterEach(() => sinon.restore());

  it('lists what was written once the server has it, and tells other devices of what is gone', async () => {
    const { payload } = await notes.seal({ id: 'a', payload: {} });
    expect(await notes.verify()).to.deep.include({ ...QUIET, pending: ['a'] });
    expect([...server.heads]).to.deep.equal([]);
    await server.write('a', undefined, payload);
    expect(await notes.verify()).to.deep.include({ ...QUIET, unconfirmed: 1, pending: [] });
    expect(await there.verify()).to.deep.include({ ...QUIET, unconfirmed: 0, pending: [] });
    server.records.delete('a');
    const report = { ok: false, missing: ['a'], missingCount: 1 };
    expect(await notes.verify()).to.deep.include(report);
    expect(await there.verify()).to.deep.include({ ...report, missing: [] });
  });

  it('writes nothing where nothing was written', async () => {
    await write(notes, 'a');
    await notes.verify();
    const heads = [...server.heads];
    await notes.verify();
    await there.verify();
    expect([...server.heads]).to.deep.equal(heads);
    expect(heads.map(([id]) => id)).to.have.length(2);
  });

  it('gives a record that is made again a generation above its deletion', async () => {
    await write(notes, 'a');
    await write(notes, 'a', server.time);
    await notes.verify();
    await remove(notes, 'a');
    await notes.verify();
    const payload = await write(there, 'a');
    expect(openedText('a', payload)!.generation).to.be.above(server.time - 2);
    expect(await there.verify()).to.deep.include(QUIET);
    expect(await notes.verify()).to.deep.include(QUIET);
  });

  it('tells of a record that was deleted and is back', async () => {
    const payload = await write(notes, 'a');
    await notes.verify();
    await remove(notes, 'a');
    await notes.verify();
    expect(await there.verify()).to.deep.include(QUIET);
    server.records.set('a', payload);
    for (const collection of [notes, there]) {
      expect(await collection.verify()).to.deep.include({ ok: false, rolledBack: ['a'] });
    }
  });

  it('announces a deletion, which may then be sent or not', async () => {
    await write(notes, 'a');
    await notes.verify();
    await there.deleting('a');
    expect(await notes.verify(), 'not sent').to.deep.include(QUIET);
    server.records.delete('a');
    expect(await page(one).verify(), 'sent, and the page was closed').to.deep.include(QUIET);
  });

  it('deletes what does not open, and then nothing is missing', async () => {
    await write(notes, 'a');
    await notes.verify();
    server.records.set('a', 'x');
    expect(await there.verify()).to.deep.include({ ok: false, missingCount: 1 });
    await remove(there, 'a');
    await there.verify();
    expect(await notes.verify()).to.deep.include(QUIET);
  });

  it('lists a version that was sealed again for another try', async () => {
    const first = await notes.seal({ id: 'a', payload: {}, generation: 1 });
    await notes.seal({ id: 'a', payload: {}, generation: 1 });
    const changed = await notes.seal({ id: 'a', payload: {}, generation: 2 });
    await server.write('a', undefined, first.payload);
    expect(await notes.verify()).to.deep.include({ ...QUIET, pending: ['a'] });
    await server.write('a', first.payload, changed.payload);
    expect(await notes.verify()).to.deep.include({ ...QUIET, pending: [] });
    server.records.set('a', first.payload);
    expect(await there.verify()).to.deep.include({ ok: false, rolledBack: ['a'] });
  });

  for (const [what, puts] of Object.entries({ 'the chunk': 0, 'the head': 1 })) {
    it(`is repaired by the next call where ${what} could not be stored`, async () => {
      const store = new MemoryStore(server);
      notes = page(one, store);
      await write(notes, 'a');
      store.putsLeft = puts;
      expect(await errorOf(notes.verify())).to.have.property('message', 'the connection is lost');
      expect(await there.verify()).to.deep.include(QUIET);
      expect(await notes.verify()).to.deep.include(QUIET);
      expect(await there.verify()).to.deep.include({ ...QUIET, unconfirmed: 0 });
    });

    it(`is repaired by a deletion, too, of another page where there are many records`, async () => {
      const store = new MemoryStore(server);
      notes = page(one, store);
      for (let i = 0; i <= MAX_ENTRIES; i++) await write(notes, `n${i}`);
      await notes.verify();
      await write(notes, 'n0', server.time);
      store.putsLeft = puts;
      await errorOf(notes.verify());
      // It is in the second chunk, and the first is not stored as this device has it.
      await remove(page(one), `n${MAX_ENTRIES}`);
      expect(await there.verify()).to.deep.include(QUIET);
    });
  }

  it('stores heads in their order, from all tabs of the site', async () => {
    // Answers overtake each other.
    let answers = 0;
    server = new MemoryServer(() => (answers++ * 7) % 23);
    const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    const locks = new FakeLocks();
    Object.defineProperty(globalThis, 'navigator', { value: { locks }, configurable: true });
    const tabs = [0, 1, 2, 3].map(() => page(one));
    delete (globalThis as { navigator?: unknown }).navigator;
    if (before) Object.defineProperty(globalThis, 'navigator', before);
    await Promise.all(
      tabs.map(async (tab, i) => {
        await write(tab, `n${i}`);
        await tab.verify();
        await write(tab, `n${i}`, server.time);
        await tab.verify();
        await remove(tab, `n${i}`);
      }),
    );
    const stored = server.history.get(`sealwright-head-${one.list.device}`)!;
    expect(stored.map(digestOfText)).to.deep.equal(one.list.heads.toReversed());
    expect(await page(other).verify()).to.deep.include(QUIET);
  });

  it('tells a fork once, also where a deletion met it first', async () => {
    await write(notes, 'a');
    await notes.verify();
    const copy = new FakeSync(nonces);
    copy.list = structuredClone(one.list);
    await write(notes, 'b');
    await notes.verify();
    await write(page(copy), 'c');
    const copied = page(copy);
    await copied.deleting('a');
    expect(await copied.verify()).to.deep.include({ ok: false, forked: true });
    expect(await copied.verify()).to.deep.include({ forked: false });
  });

  it('leaves other items that are stored among the heads as they are', async () => {
    server.heads.set('readme', 'x');
    server.heads.set('sealwright-head-1', 'x');
    await write(notes, 'a');
    expect(await notes.verify()).to.deep.include(QUIET);
    expect(await there.verify()).to.deep.include(QUIET);
  });

  it('seals nothing and deletes nothing where the server cannot be asked', async () => {
    const store = new MemoryStore(server);
    const failing = sinon.stub().rejects(new Error('offline'));
    Object.assign(store, { record: failing, heads: failing });
    await write(notes, 'a');
    const offline = page(other, store);
    expect(await errorOf(offline.deleting('a'))).to.have.property('message', 'offline');
    expect(await errorOf(offline.verify())).to.have.property('message', 'offline');
  });

  it('refuses options that are none, and another object in the place of the provider', () => {
    const store = new MemoryStore(server);
    const options = { heads: true } as object;
    expect(() => collectionWithHeads({ sync: one }, 'notes', store, options)).to.throw(TypeError);
    expect(() => collectionWithHeads({} as never, 'notes', store)).to.throw(TypeError);
  });
});
