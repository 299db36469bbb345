import * as Automerge from '@automerge/automerge';
import { Repo } from '@automerge/automerge-repo';
import { expect } from 'chai';
import { automergeStorage } from '../../../../src/client/adapters/crdt/automerge-storage.ts';
import type {
  AutomergeStorage,
  AutomergeStorageKey,
} from '../../../../src/client/adapters/crdt/automerge-storage.ts';
import { automergeDocument } from '../../../../src/client/adapters/crdt/automerge.ts';
import { testPage, type TestPage } from '../test-page.ts';
import { errorOf } from '../../../support/outcomes.ts';

interface List extends Record<string, unknown> {
  items: string[];
}
const SECRET = 'the river bends';

/* The real libraries over the extension in memory. */
describe('automergeDocument', () => {
  let test: TestPage;
  const list = (document = 'list 7') => automergeDocument(Automerge, test.page, { document });
  const start = () => Automerge.from<List>({ items: [] });
  const empty = () => Automerge.init<List>();
  const add = (doc: Automerge.Doc<List>, item: string) =>
    Automerge.change(Automerge.clone(doc), (draft) => void draft.items.push(item));

  beforeEach(async () => {
    test = await testPage();
  });

  it('seals changes in one call, and applies them in one, in any order and again', async () => {
    const doc = ['milk', 'bread', SECRET].reduce(add, start());
    const sealed = await list().sealChanges(Automerge.getChanges(empty(), doc));
    expect(sealed).to.have.length(4);
    for (const one of sealed) {
      expect(Buffer.from(one).toString('latin1')).to.not.match(/milk|river/);
    }
    const late = await list().apply(empty(), { updates: sealed.slice(2) });
    expect(late.doc.items).to.equal(undefined);
    const stored = { updates: [...sealed].reverse().concat(sealed) };
    const { doc: read, applied, quarantined } = await list().apply(empty(), stored);
    expect(read.items).to.deep.equal(['milk', 'bread', SECRET]);
    expect({ applied, quarantined }).to.deep.equal({ applied: 8, quarantined: [] });
    expect(test.batches).to.deep.equal({ seal: [4], open: [2, 8] });
  });

  it('merges a snapshot and changes to one snapshot, and keeps changes that wait for others', async () => {
    const base = add(start(), 'milk');
    const [next, other] = [add(base, 'bread'), add(base, 'salt')];
    const waiting = add(add(next, 'missing'), 'waits');
    const [, last] = Automerge.getChanges(next, waiting);
    const changes = [
      ...Automerge.getChanges(base, next),
      ...Automerge.getChanges(base, other),
      last!,
    ];
    const stored = {
      snapshots: [await list().sealSnapshot(base)],
      updates: await list().sealChanges(changes),
    };
    const { stored: less } = await list().compact(stored);
    expect(less.snapshots).to.have.length(1);
    expect(less.updates).to.deep.equal([stored.updates[2]]);
    const { doc } = await list().apply(empty(), less);
    expect([...doc.items].sort()).to.deep.equal(['bread', 'milk', 'salt']);
    const [between] = Automerge.getChanges(next, waiting);
    const all = { ...less, updates: [...less.updates, ...(await list().sealChanges([between!]))] };
    expect((await list().apply(empty(), all)).doc.items).to.include.members(['missing', 'waits']);
  });

  it('keeps and reports what does not open, and refuses what is of another document or kind', async () => {
    const doc = add(start(), 'milk');
    const good = await list().sealChanges(Automerge.getAllChanges(doc));
    const [foreign] = await list('list 8').sealChanges(Automerge.getAllChanges(doc));
    const snapshot = await list().sealSnapshot(doc);
    const foreignSnapshot = await list('list 8').sealSnapshot(doc);
    const [noChange] = await list().sealChanges([Uint8Array.of(1, 2, 3)]);
    const stored = {
      snapshots: [foreignSnapshot, good[0]!],
      updates: [foreign!, snapshot, noChange!, ...good],
    };
    const { doc: read, quarantined } = await list().apply(empty(), stored);
    expect(read.items).to.deep.equal(['milk']);
    expect(quarantined.map(({ kind, code }) => `${kind} ${code}`)).to.deep.equal([
      'snapshot AUTH_FAILED',
      'snapshot AUTH_FAILED',
      'update AUTH_FAILED',
      'update AUTH_FAILED',
      'update BAD_RECORD',
    ]);
    const { stored: less } = await list().compact(stored);
    expect(less.snapshots).to.have.length(3);
    expect(less.snapshots.slice(0, 2)).to.deep.equal(stored.snapshots);
    expect(less.updates).to.deep.equal(stored.updates.slice(0, 3));
  });

  it('changes nothing while the vault is locked', async () => {
    const sealed = await list().sealChanges(Automerge.getAllChanges(start()));
    await test.user.lock();
    expect(await errorOf(list().apply(empty(), { updates: sealed }))).to.include({
      code: 'LOCKED',
    });
    expect(await errorOf(list().sealSnapshot(start()))).to.include({ code: 'LOCKED' });
  });
});

/** A storage as automerge-repo has them, in memory. */
class MemoryStorage implements AutomergeStorage {
  readonly values = new Map<string, Uint8Array>();
  readonly #name = (key: AutomergeStorageKey) => key.join('/');
  load(key: AutomergeStorageKey): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.values.get(this.#name(key)));
  }
  save(key: AutomergeStorageKey, data: Uint8Array): Promise<void> {
    this.values.set(this.#name(key), data.slice());
    return Promise.resolve();
  }
  remove(key: AutomergeStorageKey): Promise<void> {
    this.values.delete(this.#name(key));
    return Promise.resolve();
  }
  loadRange(prefix: AutomergeStorageKey): Promise<{ key: string[]; data: Uint8Array }[]> {
    const start = `${this.#name(prefix)}/`;
    const found = [...this.values].filter(([name]) => name.startsWith(start));
    return Promise.resolve(found.map(([name, data]) => ({ key: name.split('/'), data })));
  }
  async removeRange(prefix: AutomergeStorageKey): Promise<void> {
    for (const { key } of await this.loadRange(prefix)) await this.remove(key);
  }
}

describe('automergeStorage', () => {
  let test: TestPage;
  let disk: MemoryStorage;
  beforeEach(async () => {
    test = await testPage();
    disk = new MemoryStorage();
  });

  it('keeps the documents of a Repo sealed, and gives them back after a restart', async () => {
    const repo = new Repo({ storage: automergeStorage(disk, test.page) });
    const handle = repo.create<List>({ items: [] });
    for (const item of ['milk', SECRET]) handle.change((draft) => void draft.items.push(item));
    await repo.flush();
    await repo.shutdown();
    expect(disk.values.size).to.be.above(1);
    for (const value of disk.values.values()) {
      expect(Buffer.from(value).subarray(0, 3).toString('latin1')).to.equal('\xf5SW');
      expect(Buffer.from(value).toString('latin1')).to.not.match(/milk|river/);
    }
    const again = new Repo({ storage: automergeStorage(disk, test.page) });
    const found = await again.find<List>(handle.url);
    expect(found.doc().items).to.deep.equal(['milk', SECRET]);
    await again.shutdown();
  });

  it('gives documents to a new Repo after unlocking, and LOCKED to one before', async () => {
    const repo = new Repo({ storage: automergeStorage(disk, test.page) });
    const { url } = repo.create<List>({ items: ['milk'] });
    await repo.flush();
    await repo.shutdown();
    await test.user.lock();
    // automerge-repo reads in a task of its own too, and no caller gets its error.
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', (error) => expect(error).to.include({ code: 'LOCKED' }));
    try {
      const locked = new Repo({ storage: automergeStorage(disk, test.page) });
      expect(await errorOf(locked.find<List>(url))).to.include({ code: 'LOCKED' });
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of listeners) process.on('unhandledRejection', listener);
    }
    await test.user.unlock();
    const again = new Repo({ storage: automergeStorage(disk, test.page) });
    expect((await again.find<List>(url)).doc().items).to.deep.equal(['milk']);
    await again.shutdown();
  });

  it('leaves out and reports values of other keys, keeps them, and opens a range in one call', async () => {
    const reported: string[] = [];
    const onQuarantine = (id: string, { code }: { code: string }) => reported.push(`${id} ${code}`);
    const storage = automergeStorage(disk, test.page, { onQuarantine });
    const bytes = Uint8Array.of(1, 2, 3);
    for (const name of ['a', 'b', 'c']) await storage.save(['doc', 'incremental', name], bytes);
    await storage.save(['doc', 'snapshot', 's'], new Uint8Array(0));
    disk.values.set('doc/incremental/b', disk.values.get('doc/snapshot/s')!);
    disk.values.set('doc/incremental/d', bytes);
    const found = await storage.loadRange(['doc', 'incremental']);
    expect(found).to.deep.equal([
      { key: ['doc', 'incremental', 'a'], data: bytes },
      { key: ['doc', 'incremental', 'c'], data: bytes },
    ]);
    expect(test.batches.open).to.deep.equal([4]);
    expect(reported).to.have.members([
      'doc/incremental/b WRONG_PLACE',
      'doc/incremental/d BAD_ENVELOPE',
    ]);
    expect(disk.values.has('doc/incremental/b')).to.equal(true);
    // One value alone: its error, so that nobody takes it for missing and writes over it.
    const one = storage.load(['doc', 'incremental', 'b']);
    expect(await errorOf(one)).to.include({ code: 'WRONG_PLACE' });
    expect(await storage.load(['doc', 'incremental', 'x'])).to.equal(undefined);
    expect(await storage.load(['doc', 'snapshot', 's'])).to.deep.equal(new Uint8Array(0));
    await test.user.lock();
    expect(await errorOf(storage.loadRange(['doc']))).to.include({ code: 'LOCKED' });
    expect(await errorOf(storage.save(['doc', 'x'], bytes))).to.include({ code: 'LOCKED' });
    await storage.removeRange(['doc', 'incremental']);
    expect([...disk.values.keys()]).to.deep.equal(['doc/snapshot/s']);
  });
});
