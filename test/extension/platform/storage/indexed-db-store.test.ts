import { expect } from 'chai';
import {
  IndexedDbStore,
  StoreError,
} from '../../../../extension/platform/storage/indexed-db-store.ts';
import { FakeIndexedDb } from '../../../support/stores/fake-indexed-db.ts';
import { errorOf } from '../../../support/outcomes.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('The IndexedDB store', () => {
  let fake: FakeIndexedDb;
  let store: IndexedDbStore;

  beforeEach(() => {
    fake = new FakeIndexedDb();
    store = new IndexedDbStore(fake.factory, 'test');
  });

  it('keeps bytes under names, and tells absent ones apart', async () => {
    await store.write(
      new Map([
        ['a', bytes(1)],
        ['b', bytes()],
      ]),
    );
    expect(await store.get('a')).to.deep.equal(bytes(1));
    expect(await store.get('b')).to.deep.equal(bytes());
    expect(await store.get('c')).to.equal(undefined);
    await store.write(new Map([['c', bytes(3)]]), ['a', 'not there']);
    expect((await store.keys()).sort()).to.deep.equal(['b', 'c']);
  });

  it('asks for strict durability on every transaction', async () => {
    await store.write(new Map([['a', bytes(1)]]));
    await store.get('a');
    expect(fake.durabilities).to.deep.equal(['strict', 'strict']);
  });

  it('writes all or nothing', async () => {
    await store.write(new Map([['a', bytes(1)]]));
    fake.failCommit = new DOMException('disk full', 'QuotaExceededError');
    const error = await errorOf(
      store.write(
        new Map([
          ['a', bytes(2)],
          ['b', bytes(2)],
        ]),
      ),
    );
    expect(error).to.be.instanceOf(StoreError);
    expect(error.message).to.match(/quota/i);
    expect(await store.get('a')).to.deep.equal(bytes(1));
    expect(await store.get('b')).to.equal(undefined);
  });

  it('opens once for many uses, and anew after the browser closed it', async () => {
    await Promise.all([store.get('a'), store.get('b'), store.keys()]);
    expect(fake.opened).to.have.length(1);
    fake.opened[0]!.onclose!();
    await store.get('a');
    fake.opened[1]!.onversionchange!();
    expect(fake.opened[1]!.isClosed).to.equal(true);
    await store.get('a');
    expect(fake.opened).to.have.length(3);
  });

  it('tries again after it could not be opened', async () => {
    fake.failOpen = new DOMException('a private window', 'InvalidStateError');
    expect(await errorOf(store.get('a'))).to.be.instanceOf(StoreError);
    expect(await store.get('a')).to.equal(undefined);
    fake.isBlocked = true;
    const other = new IndexedDbStore(fake.factory, 'test');
    expect((await errorOf(other.keys())).message).to.contain('another version');
  });

  it('is not there where the browser has none, or cannot open any database', async () => {
    expect(await store.isThere()).to.equal(true);
    for (const factory of [undefined, null]) {
      const none = new IndexedDbStore(factory, 'test');
      expect(await none.isThere()).to.equal(false);
      expect(await errorOf(none.get('a'))).to.be.instanceOf(StoreError);
    }
    const refused: Record<string, boolean> = {
      SecurityError: false,
      InvalidStateError: false,
      UnknownError: false,
      // These are there: a full disk, a database of a later version, one that was interrupted.
      QuotaExceededError: true,
      VersionError: true,
      AbortError: true,
    };
    for (const [name, isThere] of Object.entries(refused)) {
      fake.failOpen = new DOMException('refused', name);
      expect(await new IndexedDbStore(fake.factory, 'test').isThere(), name).to.equal(isThere);
    }
    const throwing = {
      open: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      },
    } as unknown as IDBFactory;
    expect(await new IndexedDbStore(throwing, 'test').isThere()).to.equal(false);
  });

  it('never takes something else for bytes', async () => {
    fake.values.set('a', 'text');
    expect(await errorOf(store.get('a'))).to.be.instanceOf(StoreError);
  });
});
