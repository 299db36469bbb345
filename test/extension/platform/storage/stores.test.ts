import { expect } from 'chai';
import sinon from 'sinon';
import { CacheStore } from '../../../../extension/platform/storage/cache-store.ts';
import { JsonValues } from '../../../../extension/platform/storage/json-values.ts';
import { AreaSessionStore } from '../../../../extension/platform/storage/session-store.ts';
import { StorageAreaStore } from '../../../../extension/platform/storage/storage-area-store.ts';
import { CachedSession } from '../../../../src/keys/unlock/cached-session.ts';
import { FakeCaches } from '../../../support/stores/fake-caches.ts';
import { FakeStorageArea } from '../../../support/stores/fake-storage-area.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('The store over a storage area', () => {
  let fake: FakeStorageArea;
  let store: StorageAreaStore;

  beforeEach(() => {
    fake = new FakeStorageArea();
    store = new StorageAreaStore(fake.area, 'vault/');
  });

  it('keeps bytes as text, under its own prefix', async () => {
    await fake.set({ 'note/x': 1, x: 2 });
    await store.write(
      new Map([
        ['a', bytes(0, 255)],
        ['b', bytes()],
      ]),
    );
    expect(JSON.parse(fake.values.get('vault/a')!)).to.equal('AP8');
    expect(await store.get('a')).to.deep.equal(bytes(0, 255));
    expect(await store.get('b')).to.deep.equal(bytes());
    expect(await store.get('x')).to.equal(undefined);
    expect((await store.keys()).sort()).to.deep.equal(['a', 'b']);
    await store.write(new Map([['c', bytes(1)]]), ['a']);
    expect((await store.keys()).sort()).to.deep.equal(['b', 'c']);
    expect(fake.values.has('note/x')).to.equal(true);
  });

  it('does not take damage for bytes, nor for absence', async () => {
    for (const damage of ['not base64url!', 7, null, ['AP8']]) {
      await fake.set({ 'vault/a': damage });
      const read = store.get('a').then(
        () => 'read',
        (error: unknown) => error,
      );
      expect(await read).to.be.instanceOf(TypeError);
    }
  });
});

describe('The store in a cache', () => {
  let fake: FakeCaches;
  let store: CacheStore;

  const rejection = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'done',
      (error: unknown) => error,
    );

  beforeEach(() => {
    fake = new FakeCaches();
    store = new CacheStore({ caches: fake.storage, prefix: 'vault/' });
  });

  it('keeps bytes under any names, apart from other prefixes', async () => {
    const other = new CacheStore({ caches: fake.storage, prefix: 'note/' });
    await other.write(new Map([['a', bytes(9)]]));
    const names = ['a', 'head/a', 'lent sites', 'ä?#%2F', '..'];
    await store.write(new Map(names.map((name, i) => [name, bytes(0, 255, i)])));
    await store.write(new Map([['empty', bytes()]]));
    for (const [i, name] of names.entries()) {
      expect(await store.get(name), name).to.deep.equal(bytes(0, 255, i));
    }
    expect(await store.get('empty')).to.deep.equal(bytes());
    expect(await store.get('b')).to.equal(undefined);
    expect((await store.keys()).sort()).to.deep.equal([...names, 'empty'].sort());
    await store.write(new Map([['b', bytes(1)]]), ['a', 'not there']);
    expect(await store.get('a')).to.equal(undefined);
    expect(await store.get('b')).to.deep.equal(bytes(1));
    expect(await other.keys()).to.deep.equal(['a']);
  });

  it('does not take damage for bytes, nor for absence', async () => {
    for (const header of ['not base64url!', undefined]) {
      await store.write(new Map([['a', bytes(1)]]));
      const [address] = fake.values.keys();
      fake.values.set(address!, header === undefined ? [] : [['x-value', header]]);
      expect(await rejection(store.get('a'))).to.be.instanceOf(TypeError);
    }
  });

  it('reports a failed write after all other values have been written', async () => {
    const error = new DOMException('no space', 'QuotaExceededError');
    fake.failPut = { end: 'b', error };
    const puts = new Map(['b', 'c', 'd'].map((name) => [name, bytes(1)] as const));
    expect(await rejection(store.write(puts, ['a']))).to.equal(error);
    expect((await store.keys()).sort()).to.deep.equal(['c', 'd']);
  });

  it('opens the cache once, and again after a failure', async () => {
    await Promise.all([store.get('a'), store.get('b'), store.keys()]);
    expect(fake.opened).to.equal(1);
    fake.failPut = { end: 'b', error: new Error('gone') };
    await rejection(store.write(new Map([['b', bytes(1)]])));
    await store.get('a');
    expect(fake.opened).to.equal(2);
  });

  it('is not there where the browser gives the extension no cache', async () => {
    expect(await store.isThere()).to.equal(true);
    const other = () => new CacheStore({ caches: fake.storage, prefix: '' });
    fake.failOpen = new DOMException('insecure', 'SecurityError');
    expect(await other().isThere()).to.equal(false);
    fake.failOpen = new Error('for this time');
    expect(await other().isThere()).to.equal(true);
  });

  it('keeps JSON', async () => {
    const values = new JsonValues(store);
    expect(await values.get('a')).to.equal(undefined);
    for (const value of [{ b: [1, 'ü'] }, null, false, 'text']) {
      await values.set('a', value);
      expect(await values.get('a')).to.deep.equal(value);
    }
    await values.remove('a');
    expect(await values.get('a')).to.equal(undefined);
  });
});

describe('The session store', () => {
  it('keeps JSON, and tells of changes to its own keys', async () => {
    const fake = new FakeStorageArea();
    const store = new AreaSessionStore(fake.area, 'note/');
    const seen: string[] = [];
    store.watch((key) => void seen.push(key));
    await store.set('a', { b: [1] });
    await fake.set({ other: 1 });
    expect(await store.get('a')).to.deep.equal({ b: [1] });
    await store.remove('a');
    expect(await store.get('a')).to.equal(undefined);
    expect(seen).to.deep.equal(['a', 'a']);
  });

  it('answers the vault from memory until any context changes a value', async () => {
    const fake = new FakeStorageArea();
    const get = sinon.spy(fake, 'get');
    const cached = new CachedSession(new AreaSessionStore(fake.area, ''));
    const other = new CachedSession(new AreaSessionStore(fake.area, ''));
    await cached.set('vault/key', 'k1');
    for (const value of ['k1', 'k2', undefined, 'k3']) {
      if (value === undefined) await other.remove('vault/key');
      else await other.set('vault/key', value);
      const before = get.callCount;
      expect(await cached.get('vault/key')).to.equal(value);
      expect(await cached.get('vault/key')).to.equal(value);
      expect(get.callCount - before, 'reads').to.equal(1);
    }
    await fake.set({ other: 1 });
    const before = get.callCount;
    expect(await cached.get('vault/key')).to.equal('k3');
    expect(get.callCount, 'another key').to.equal(before);
  });

  it('keeps no value that another context changed while it was being read', async () => {
    const fake = new FakeStorageArea();
    const cached = new CachedSession(new AreaSessionStore(fake.area, ''));
    await fake.set({ 'vault/key': 'old' });
    const get = sinon.stub(fake, 'get');
    let answer!: (values: Record<string, unknown>) => void;
    get.onFirstCall().returns(new Promise((resolve) => (answer = resolve)));
    get.callThrough();
    const reading = cached.get('vault/key');
    await fake.remove('vault/key'); // locked elsewhere
    answer({ 'vault/key': 'old' });
    await reading;
    expect(await cached.get('vault/key')).to.equal(undefined);
  });
});
