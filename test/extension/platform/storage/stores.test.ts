import { expect } from 'chai';
import sinon from 'sinon';
import { AreaSessionStore } from '../../../../extension/platform/storage/session-store.ts';
import { StorageAreaStore } from '../../../../extension/platform/storage/storage-area-store.ts';
import { CachedSession } from '../../../../src/keys/unlock/cached-session.ts';
import { FakeStorageArea } from '../../../support/fake-storage-area.ts';

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

  it('is closed to content scripts where the browser has a say in it', async () => {
    const fake = new FakeStorageArea();
    await new AreaSessionStore(fake.area, '').closeToContentScripts();
    expect(fake.accessLevels).to.deep.equal([{ accessLevel: 'TRUSTED_CONTEXTS' }]);
    const firefox = Object.assign(new FakeStorageArea(), { setAccessLevel: undefined });
    await new AreaSessionStore(firefox, '').closeToContentScripts();
  });
});
