import { expect } from 'chai';
import sinon from 'sinon';
import { CacheStore } from '../../../../extension/platform/storage/cache-store.ts';
import { STORE_TIMEOUT_MS, StoreTimeout } from '../../../../extension/platform/storage/in-time.ts';
import {
  IndexedDbStore,
  StoreError,
} from '../../../../extension/platform/storage/indexed-db-store.ts';
import { StorageAreaStore } from '../../../../extension/platform/storage/storage-area-store.ts';
import type { KeyValueStore } from '../../../../src/keys/storage/key-value-store.ts';
import { FakeIndexedDb } from '../../../support/stores/fake-indexed-db.ts';
import { FakeStorageArea } from '../../../support/stores/fake-storage-area.ts';
import { outcomeOf } from '../../../support/outcomes.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const operations = (store: KeyValueStore) => [
  outcomeOf(store.get('a')),
  outcomeOf(store.keys()),
  outcomeOf(store.write(new Map([['a', new Uint8Array(1)]]))),
  outcomeOf(store.write(new Map([['b', new Uint8Array(1)]]), ['a'])),
];

describe('A store that does not answer', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => (clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })));
  afterEach(() => clock.restore());

  /** Whether all of them are still open just before the limit, and how they end at it. */
  async function atTheLimit(work: Promise<unknown>[]): Promise<unknown[]> {
    let ended = 0;
    for (const one of work) void one.then(() => ended++);
    await clock.tickAsync(STORE_TIMEOUT_MS - 1);
    expect(ended).to.equal(0);
    await clock.tickAsync(1);
    return Promise.all(work);
  }

  it('is given up in time: IndexedDB that neither opens nor fails', async () => {
    const silent = { open: () => ({}) } as unknown as IDBFactory;
    for (const end of await atTheLimit(operations(new IndexedDbStore(silent, 'x')))) {
      expect(end).to.be.instanceOf(StoreError);
      expect((end as Error).cause).to.be.instanceOf(StoreTimeout);
    }
  });

  it('is tried anew by the next operation', async () => {
    const working = new FakeIndexedDb();
    const open = sinon.stub();
    open.onFirstCall().returns({});
    open.callsFake(() => working.factory.open('x', 1));
    const store = new IndexedDbStore({ open } as unknown as IDBFactory, 'x');
    await atTheLimit([outcomeOf(store.keys())]);
    expect(await store.keys()).to.deep.equal([]);
  });

  it('is given up in time: a storage area', async () => {
    const fake = Object.assign(new FakeStorageArea(), { get: never, set: never, remove: never });
    const ends = await atTheLimit(operations(new StorageAreaStore(fake.area, 'vault/')));
    for (const end of ends) expect(end).to.be.instanceOf(StoreTimeout);
  });

  it('is given up in time: a cache', async () => {
    const silent = { open: never };
    const store = new CacheStore({ caches: silent, prefix: 'vault/' });
    for (const end of await atTheLimit(operations(store))) {
      expect(end).to.be.instanceOf(StoreTimeout);
    }
  });

  it('leaves no timer behind where it does answer', async () => {
    const store = new StorageAreaStore(new FakeStorageArea().area, 'vault/');
    await Promise.all(operations(store));
    expect(clock.countTimers()).to.equal(0);
  });
});
