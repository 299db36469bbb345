import { expect } from 'chai';
import sinon from 'sinon';
import { SyncMedium } from '../../../../extension/platform/storage/sync-medium.ts';
import { ITEM_NAMES } from '../../../../src/keys/media/items.ts';
import { ForbiddenMediumError, MediumError } from '../../../../src/keys/media/medium.ts';
import { FakeStorageArea } from '../../../support/stores/fake-storage-area.ts';

const [FIRST, SECOND] = ITEM_NAMES as [string, string];

const allowed = (): Promise<boolean> => Promise.resolve(true);

describe('The medium over storage.sync', () => {
  let fake: FakeStorageArea;
  let medium: SyncMedium;

  beforeEach(() => {
    fake = new FakeStorageArea();
    medium = new SyncMedium(fake.area, allowed);
  });

  it('reads and writes its items, and takes no other value for one', async () => {
    await fake.set({ other: 'not an item', [SECOND]: 7 });
    await medium.write(FIRST, 'text');
    expect([...(await medium.read())]).to.deep.equal([[FIRST, 'text']]);
    await medium.write(SECOND, 'more');
    expect((await medium.read()).size).to.equal(2);
  });

  it('removes its items, and nothing else of the area', async () => {
    await fake.set({ other: 1 });
    for (const name of ITEM_NAMES) await medium.write(name, 'text');
    await medium.clear();
    expect([...fake.values.keys()]).to.deep.equal(['other']);
  });

  it('is closed to content scripts where the browser can do that', async () => {
    expect(fake.accessLevels).to.deep.equal([{ accessLevel: 'TRUSTED_CONTEXTS' }]);
    const refuse = sinon.stub().rejects(new Error('refused'));
    for (const setAccessLevel of [undefined, refuse]) {
      const area = Object.assign(new FakeStorageArea(), { setAccessLevel });
      const other = new SyncMedium(area as never, allowed);
      await other.write(FIRST, 'text');
      expect((await other.read()).size).to.equal(1);
    }
    sinon.assert.calledOnce(refuse);
  });

  it('writes nothing that the person does not allow to leave the device, and removes it all the same', async () => {
    let mayWrite = true;
    medium = new SyncMedium(fake.area, () => Promise.resolve(mayWrite));
    await medium.write(FIRST, 'text');
    mayWrite = false;
    const error: unknown = await medium.write(FIRST, 'more').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ForbiddenMediumError);
    expect([...(await medium.read()).values()]).to.deep.equal(['text']);
    await medium.clear();
    expect(await medium.read()).to.deep.equal(new Map());
  });

  it('tells of changes of its items, and of no others', async () => {
    const listener = sinon.spy();
    medium.onChanged(listener);
    await fake.set({ other: 1 });
    sinon.assert.notCalled(listener);
    await fake.set({ other: 2, [SECOND]: 'text' });
    sinon.assert.calledOnce(listener);
  });

  it('fails with a MediumError, whatever the browser throws', async () => {
    const failures = {
      get: () => Promise.reject(new Error('sync is off')),
      set: () => Promise.reject(new Error('MAX_WRITE_OPERATIONS_PER_MINUTE')),
      remove: () => {
        throw new Error('Extension context invalidated');
      },
    };
    medium = new SyncMedium(Object.assign(new FakeStorageArea(), failures) as never, allowed);
    for (const work of [medium.read(), medium.write(FIRST, 'text'), medium.clear()]) {
      const error: unknown = await work.catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(MediumError);
      expect((error as Error).cause).to.be.instanceOf(Error);
    }
  });

  it('fails where the browser does not answer', async () => {
    const clock = sinon.useFakeTimers();
    try {
      fake.get = () => new Promise(() => undefined);
      const read = medium.read().catch((error: unknown) => error);
      await clock.tickAsync(60_000);
      expect(await read).to.be.instanceOf(MediumError);
    } finally {
      clock.restore();
    }
  });
});
