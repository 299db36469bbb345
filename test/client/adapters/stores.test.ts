import { expect } from 'chai';
import sinon from 'sinon';
import { sealedCollection } from '../../../src/client/adapters/collection.ts';
import { firefoxSyncCodec } from '../../../src/client/adapters/firefox-sync.ts';
import { indexedDbSealedStore } from '../../../src/client/adapters/indexed-db.ts';
import type { SealedStore } from '../../../src/client/adapters/indexed-db.ts';
import { quarantineOf } from '../../../src/client/adapters/quarantine.ts';
import { remoteStorageClient } from '../../../src/client/adapters/remote-storage.ts';
import type { SealedRemoteStorage } from '../../../src/client/adapters/remote-storage.ts';
import { FakeBaseClient } from '../fake-base-client.ts';
import { FakeProvider } from '../fake-provider.ts';
import { MemoryIndexedDb } from '../memory-indexed-db.ts';
import { errorOf } from '../../support/outcomes.ts';

describe('remoteStorageClient', () => {
  let provider: FakeProvider;
  let base: FakeBaseClient;
  let notes: SealedRemoteStorage;

  beforeEach(() => {
    provider = new FakeProvider();
    base = new FakeBaseClient();
    notes = remoteStorageClient(base, sealedCollection(provider.api, 'notes'));
  });

  it('stores only the path in the clear, and returns the file', async () => {
    expect(await notes.storeObject('a/n1', { text: 'Meet me' })).to.equal('revision 1');
    const [mimeType, body] = base.files.get('a/n1')!;
    expect(mimeType).to.equal('application/vnd.sealwright.record');
    expect(body).to.not.include('Meet');
    expect(await notes.getObject('a/n1')).to.deep.equal({ text: 'Meet me' });
    expect(await notes.getObject('a/n2')).to.equal(undefined);
  });

  it('opens the files of a folder in one call, and quarantines those that do not open', async () => {
    for (const name of ['n1', 'n2', 'n3']) await notes.storeObject(`a/${name}`, { name });
    await notes.storeObject('a/deep/n4', { name: 'n4' });
    base.files.set('a/n2', base.files.get('a/n1')!);
    base.files.set('a/n5', ['application/json', '{"text":"not sealed"}']);
    provider.calls.length = 0;
    const all = await notes.getAll('a/');
    expect(Object.keys(all)).to.deep.equal(['n1', 'n2', 'n3', 'n5']);
    expect(provider.calls).to.deep.equal([4]);
    expect(all['n1']).to.deep.equal({ name: 'n1' });
    expect(all['n3']).to.deep.equal({ name: 'n3' });
    expect(quarantineOf(all['n2']!)).to.have.property('code', 'AUTH_FAILED');
    expect(quarantineOf(all['n5']!)).to.have.property('sealed', '{"text":"not sealed"}');
    expect(await errorOf(notes.getObject('a/n2'))).to.include({ code: 'AUTH_FAILED' });
  });

  it('has a removal announced before it, by a collection with heads', async () => {
    const announced: [string, boolean][] = [];
    const deleting = (path: string): Promise<void> => {
      announced.push([path, base.files.has(path)]);
      return Promise.resolve();
    };
    const collection = { ...sealedCollection(provider.api, 'notes'), deleting };
    await notes.storeObject('n1', {});
    await remoteStorageClient(base, collection).remove('n1');
    expect(announced).to.deep.equal([['n1', true]]);
    expect(base.files.has('n1')).to.equal(false);
  });

  it('lists and removes with the client below it', async () => {
    await notes.storeObject('n1', {});
    expect(await notes.getListing('')).to.deep.equal({ n1: true });
    await notes.remove('n1');
    expect(base.files.size).to.equal(0);
  });
});

describe('firefoxSyncCodec', () => {
  it('seals and opens records of any collection, many per call', async () => {
    const provider = new FakeProvider();
    const codec = firefoxSyncCodec(provider.api);
    const bsos = await Promise.all(
      ['a', 'b'].map((id) => codec.encryptCollectionBSO('bookmarks', { id, title: id })),
    );
    expect(bsos.map(({ id }) => id)).to.deep.equal(['a', 'b']);
    const swapped = { ...bsos[0]!, payload: bsos[1]!.payload };
    const opened = await Promise.all(
      [bsos[0]!, swapped].map((bso) => codec.decryptCollectionBSO('bookmarks', bso)),
    );
    expect(provider.calls).to.deep.equal([2, 2]);
    expect(opened[0]).to.deep.equal({ bso: bsos[0], payload: { id: 'a', title: 'a' } });
    expect(quarantineOf(opened[1]!.payload)).to.have.property('code', 'AUTH_FAILED');
    const elsewhere = await codec.decryptCollectionBSO('history', bsos[0]!);
    expect(quarantineOf(elsewhere.payload)).to.have.property('code', 'AUTH_FAILED');
  });

  it('passes crypto/keys to the extension and returns none of it', async () => {
    const provider = new FakeProvider();
    const load = sinon.spy(provider.sync, 'loadCollectionKeys');
    const bso = { id: 'keys', payload: '{"ciphertext":"…"}', modified: 7 };
    const { payload } = await firefoxSyncCodec(provider.api, {
      key: 'key 1',
    }).decryptCollectionBSO('crypto', bso);
    expect(payload).to.deep.equal({ id: 'keys' });
    expect(load.args).to.deep.equal([[{ id: 'keys', payload: bso.payload }, { key: 'key 1' }]]);
  });
});

describe('indexedDbSealedStore', () => {
  let provider: FakeProvider;
  let disk: MemoryIndexedDb;
  let store: SealedStore;
  const open = (name = 'drafts') =>
    indexedDbSealedStore(provider.api, { name, indexedDB: disk.factory });

  beforeEach(async () => {
    provider = new FakeProvider();
    disk = new MemoryIndexedDb();
    store = await open();
  });
  const rows = () => disk.rows('drafts');

  it('stores any JSON, sealed', async () => {
    const letter = { to: 'Ada', lines: ['Dear …', null, 7] };
    await store.put('letter', letter);
    expect(await store.get('letter')).to.deep.equal(letter);
    expect(await store.get('other')).to.equal(undefined);
    expect(Buffer.from(rows().get('letter')!).toString()).to.not.include('Ada');
  });

  it('writes many values with one call of the provider, and reads them with one', async () => {
    await store.putAll(['a', 'b', 'c', 'd'].map((name) => [name, name.codePointAt(0)] as const));
    const all = await store.getAll();
    expect(provider.calls).to.deep.equal([4, 4]);
    expect([...all]).to.deep.include(['c', { ok: true, value: 99 }]);
    expect(await store.names()).to.deep.equal(['a', 'b', 'c', 'd']);
    await store.delete('b');
    expect(await store.names()).to.deep.equal(['a', 'c', 'd']);
  });

  it('detects a value under another name, and one of another store', async () => {
    await store.putAll([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    rows().set('a', rows().get('b')!);
    const other = await open('other');
    await other.put('c', 3);
    rows().set('c', disk.rows('other').get('c')!);
    expect(await errorOf(store.get('a'))).to.include({ code: 'WRONG_PLACE' });
    const all = await store.getAll();
    expect([...all.values()].map((one) => (one.ok ? one.value : one.error.code))).to.deep.equal([
      'WRONG_PLACE',
      2,
      'AUTH_FAILED',
    ]);
  });

  it('stores all or nothing, and nothing while the vault is locked', async () => {
    const error = await errorOf(
      store.putAll([
        ['a', 1],
        ['b', undefined],
      ]),
    );
    expect(error).to.be.instanceOf(TypeError);
    provider.locked = true;
    expect(await errorOf(store.put('a', 1))).to.include({ code: 'LOCKED' });
    expect(rows().size).to.equal(0);
    provider.locked = false;
    await store.put('a', 1);
    provider.locked = true;
    expect(await errorOf(store.getAll())).to.include({ code: 'LOCKED' });
  });

  it('reports a full disk', async () => {
    disk.failCommit = new DOMException('The disk is full', 'QuotaExceededError');
    expect((await errorOf(store.put('a', 1))).name).to.equal('QuotaExceededError');
  });

  it('closes its database', () => {
    store.close();
    expect(disk.closed).to.equal(1);
  });
});
