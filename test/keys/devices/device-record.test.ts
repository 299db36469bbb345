import { expect } from 'chai';
import { CIRCLE, DEVICE } from '../../../src/keys/annotations/deletions.ts';
import { annotateKeyIn, deleteKeyIn } from '../../../src/keys/annotations/key-details.ts';
import { deviceOf, deviceRecord, MERGED_LINES } from '../../../src/keys/devices/device-record.ts';
import { EMPTY_STATE } from '../../../src/keys/devices/shared-state.ts';
import { APP } from '../../../src/keys/ring/key-records.ts';
import { syncListPartRecord, syncListRecord } from '../../../src/keys/ring/sync-list.ts';
import { Faults } from '../../support/stores/faults.ts';
import { PASSPHRASE, TestBrowser } from '../world.ts';
import { Device, exchange, schemasIn } from './device.ts';

const [A, B] = ['https://a.example', 'https://b.example'] as const;

const idOf = async ({ vault }: Device): Promise<string | null> =>
  deviceOf((await vault.read(DEVICE))!).id;

/** A device in a browser that has exchanged all with another one: each had a root, and now both have a key. */
async function twoWithKey() {
  const world = new TestBrowser();
  const vault = world.vault();
  await vault.create(PASSPHRASE);
  const [one, other] = [new Device(1, { vault }), new Device(2)];
  const { ref } = await one.ring.createSealingKey('Letters');
  await one.seal(ref, A);
  await other.seal(APP, B);
  await exchange(one, other);
  return { world, one, other, ref };
}

/** The device of a browser whose storage was copied or put back. @param number of the id that it would draw */
async function copied(world: TestBrowser, number: number): Promise<Device> {
  const vault = world.clone().vault();
  await vault.unlock(PASSPHRASE);
  return new Device(number, { vault });
}

describe('The id of a device', function () {
  this.timeout(20_000);

  it('stays, whatever it shares and takes', async () => {
    const { world, one, other, ref } = await twoWithKey();
    const id = await idOf(one);
    for (let count = 0; count < 3; count++) {
      await one.ring.relabel(ref, `Label ${count}`);
      await other.ring.relabel(ref, `Name ${count}`);
      expect(await one.take(await other.share())).to.include({ isForked: false });
      await other.take(await one.share());
    }
    const later = await copied(world, 9);
    expect(await later.take(await other.share())).to.include({ isForked: false });
    expect([await idOf(one), await idOf(later)]).to.deep.equal([id, id]);
  });

  it('is another one where an old state of the vault came back, and its changes count', async () => {
    const { world, one, other, ref } = await twoWithKey();
    const back = await copied(world, 9);
    await one.ring.relabel(ref, 'Told before');
    await other.take(await one.share());
    // A deletion that has seen the first change under the number has not seen the second.
    await back.vault.commit((draft) => back.ring.rotateIn(draft, ref, A));
    await back.seal(ref, A);
    await other.vault.commit((draft) => annotateKeyIn(draft, ref, { archived: 5 }));
    await other.deleteKey(ref);
    const id = await idOf(back);
    expect(await back.take(await other.share())).to.deep.equal({ removedKeys: [], isForked: true });
    expect(await idOf(back)).not.to.equal(id);
    await exchange(back, other);
    for (const device of [back, other]) {
      expect(await device.unopened([...one.sealed, ...back.sealed])).to.deep.equal([]);
    }
    expect(await back.take(await other.share())).to.include({ isForked: false });
  });

  it('is another one on one of two copies of a profile, once both have changed something', async () => {
    const { world, one, other } = await twoWithKey();
    const copy = await copied(world, 9);
    for (const device of [one, copy]) await device.ring.createSealingKey('Of one copy');
    await other.take(await one.share());
    await other.take(await copy.share());
    await one.ring.createSealingKey('Later');
    await other.take(await one.share());
    expect(await copy.take(await other.share())).to.include({ isForked: true });
    expect(await idOf(copy)).not.to.equal(await idOf(one));
    await exchange(one, other, copy);
    const refs = async (device: Device) =>
      (await device.ring.list()).map(({ ref: each }) => each).toSorted();
    expect(await refs(one)).to.have.length(5);
    for (const device of [other, copy]) expect(await refs(device)).to.deep.equal(await refs(one));
  });

  it('is another one after a join of two lines that have both shared, and nothing of either is lost', async () => {
    const { world, one, other } = await twoWithKey();
    const id = await idOf(one);
    const missing = new Set<string>();
    const on = async (lacking: 'primary' | 'copy' | undefined) => {
      missing.clear();
      if (lacking) missing.add(lacking);
      world.session = new TestBrowser().session;
      const faults = new Faults(undefined, 0, undefined, missing);
      const [primary, copy] = [faults.store(world.primary, true), faults.store(world.copy, true)];
      const vault = world.vault({ primary, copy });
      await vault.unlock(PASSPHRASE);
      return new Device(9, { vault });
    };
    for (const lacking of ['copy', 'primary'] as const) {
      const device = await on(lacking);
      await device.ring.createSealingKey(`Without ${lacking}`);
      await other.take(await device.share());
      expect(await idOf(device)).to.equal(id);
    }
    const device = await on(undefined);
    await device.ring.createSealingKey('Afterwards');
    await device.share();
    expect(await idOf(device)).not.to.equal(id);
    await exchange(device, other);
    const labels = async ({ ring }: Device) =>
      (await ring.list()).map(({ label }) => label).toSorted();
    expect(await labels(device)).to.include.members(['Without copy', 'Without primary']);
    expect(await labels(other)).to.deep.equal(await labels(device));
    expect(await device.unopened([...one.sealed, ...other.sealed])).to.deep.equal([]);
    expect(await device.rootCount()).to.equal(2);
    expect(schemasIn(world)).to.deep.equal([2, 2, 2, 2]);
  });

  it('is kept by a join of lines that do not differ in it, and by no other', () => {
    const device = deviceRecord({ id: 'x', state: EMPTY_STATE });
    const joined = (own: object[], other: object[]) =>
      MERGED_LINES.merge(own as never, other as never);
    expect(joined([device], [device])).to.deep.equal([device]);
    expect(joined([device], [])).to.deep.equal([device]);
    expect(joined([], [device])).to.deep.equal([device]);
    expect(joined([], [])).to.deep.equal([]);
    const later = deviceRecord({ id: 'x', state: { ...EMPTY_STATE, seen: { x: 1 } } });
    const expected = [deviceRecord({ id: null, state: { ...EMPTY_STATE, seen: { x: 1 } } })];
    expect(joined([device], [later])).to.deep.equal(expected);
    expect(joined([later], [device])).to.deep.equal(expected);
  });

  it('goes with a vault that is replaced by a backup', async () => {
    const { world, one, other, ref } = await twoWithKey();
    const backups = world.backups(one.vault);
    const file = await backups.make({ passphrase: PASSPHRASE }, { passphrase: 'of a file' });
    const contents = await backups.openWithOwn(file, 'of a file');
    await one.ring.createSealingKey('Of the old vault');
    await one.share();
    // A record of the type is enough: nothing reads it.
    await one.vault.commit((draft) => draft.put({ id: CIRCLE, type: CIRCLE, value: {} }));
    await one.vault.commit((draft) => backups.replaceIn(draft, contents));
    expect(await one.vault.read(DEVICE)).to.equal(undefined);
    expect(await one.vault.read(CIRCLE)).to.equal(undefined);
    // What the replaced vault had does not come back by the new one.
    const again = new Device(9, { vault: one.vault });
    const { entries } = await again.share();
    expect(Object.keys(entries).filter((name) => name.startsWith('sealing-key'))).to.deep.equal([
      `sealing-key ${ref}`,
    ]);
    await exchange(again, other);
    expect(await other.unopened(one.sealed)).to.deep.equal([]);
  });
});

describe('A key that another device has deleted', () => {
  it('goes with its lists of records, and is named, so that its permissions go in the same commit', async () => {
    const { one, other, ref } = await twoWithKey();
    const { ref: kept } = await one.ring.createSealingKey('Kept');
    await exchange(one, other);
    const lists = [ref, kept].map((each) => ({ ref: each, collection: 'notes' }));
    await other.vault.commit((draft) => {
      for (const list of lists) {
        draft.put(syncListRecord(list, 1, 'first'));
        draft.put(syncListPartRecord(list, 1, 'second'));
      }
    });
    await one.vault.commit((draft) => annotateKeyIn(draft, ref, { archived: 5 }));
    await one.deleteKey(ref);
    expect(await other.take(await one.share())).to.deep.equal({
      removedKeys: [ref],
      isForked: false,
    });
    const left = [
      ...(await other.vault.list('sync-list')),
      ...(await other.vault.list('sync-list-part')),
    ];
    expect(left.map(({ id }) => id.split(' ')[1])).to.deep.equal([kept, kept]);
    expect((await other.ring.list()).map((key) => key.ref)).to.have.members([APP, kept]);
  });

  it('was deleted here without a record of it, where the vault was no device', async () => {
    const one = new Device(1);
    const { ref } = await one.ring.createSealingKey('Letters');
    await one.vault.commit((draft) => annotateKeyIn(draft, ref, { archived: 5 }));
    await one.vault.commit((draft) => deleteKeyIn(draft, ref, 7));
    expect(await one.records()).to.deep.equal([]);
  });
});
