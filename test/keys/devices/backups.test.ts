import { expect } from 'chai';
import { toBase64url, utf8 } from '../../../src/crypto/bytes.ts';
import { encodeContents, parseContents } from '../../../src/keys/backup/backup-contents.ts';
import type { BackupContents } from '../../../src/keys/backup/backup-contents.ts';
import { APP, KEY_ROOT, KEY_USE, keyUseOf, rootIdOf } from '../../../src/keys/ring/key-records.ts';
import { HEADS } from '../../../src/keys/values/value-names.ts';
import { PASSPHRASE, TestBrowser } from '../world.ts';
import { Device, exchange, schemasIn } from './device.ts';

const [A, B, C] = ['https://a.example', 'https://b.example', 'https://c.example'] as const;
const BY = { passphrase: PASSPHRASE };
const LOCK = { passphrase: 'of the backup alone' };

/** A device whose vault is in stores. */
async function stored(number: number, at = 0) {
  const world = new TestBrowser();
  const vault = world.vault();
  await vault.create(PASSPHRASE);
  const device = new Device(number, { vault });
  device.now += at;
  const backups = world.backups(vault);
  const file = () => backups.make(BY, LOCK);
  const restore = (bytes: Uint8Array) => backups.restore(bytes, LOCK.passphrase);
  const contents = async () => backups.openWithOwn(await file(), LOCK.passphrase);
  return { world, vault, device, backups, file, restore, contents };
}

/** Two devices that have used a site each, and have joined. The root of the first is the older one. */
async function joined() {
  const [one, other] = [await stored(1), await stored(2, 5)];
  const { ref } = await other.device.ring.createSealingKey('Letters');
  await one.device.seal(APP, A);
  for (const used of [APP, ref]) await other.device.seal(used, B);
  const before = { one: await one.file(), other: await other.file() };
  const seen = [await one.device.seenBy(A, [APP]), await other.device.seenBy(B, [APP, ref])];
  await exchange(one.device, other.device);
  const sealed = [...one.device.sealed, ...other.device.sealed];
  const expectAll = async (device: Device) => {
    expect(await device.seenBy(A, [APP])).to.deep.equal(seen[0]);
    expect(await device.seenBy(B, [APP, ref])).to.deep.equal(seen[1]);
    expect(await device.unopened(sealed)).to.deep.equal([]);
  };
  return { one, other, before, ref, expectAll };
}

describe('Backups of devices', function () {
  this.timeout(20_000);

  it('come back in a new vault, in which each site knows the person as before', async () => {
    const { one, expectAll } = await joined();
    const fresh = await stored(3);
    expect(await fresh.restore(await one.file())).to.include({ relation: 'first' });
    await expectAll(fresh.device);
  });

  it('are of the ninth format where there is more than one root, and only there', async () => {
    const { one, before } = await joined();
    const formatOf = (contents: BackupContents) =>
      (JSON.parse(new TextDecoder().decode(encodeContents(contents))) as { format: string }).format;
    const alone = await one.backups.openWithOwn(before.one, LOCK.passphrase);
    expect(formatOf(alone)).to.equal('sealwright-backup/1');
    expect(formatOf(await one.contents())).to.equal('sealwright-backup/9');
  });

  it('are the own of every device: of before and after the join, whichever made them', async () => {
    const { one, other, before, expectAll } = await joined();
    for (const { restore, vault, device } of [one, other]) {
      const root = await vault.read(KEY_ROOT);
      for (const file of [before.one, before.other, await one.file(), await other.file()]) {
        const { relation, brings } = await restore(file);
        expect(relation).to.equal('own');
        expect(Object.values(brings).every((count) => count === 0)).to.equal(true);
        expect(await vault.read(KEY_ROOT)).to.deep.equal(root);
      }
      await expectAll(device);
    }
  });

  it('of after the join bring a device of before it the roots, and its sites stay as they were', async () => {
    const { one, before, expectAll } = await joined();
    for (const first of [before.one, before.other]) {
      const heir = await stored(4);
      await heir.restore(first);
      const [own] = await heir.vault.list(KEY_ROOT);
      expect(await heir.restore(await one.file())).to.include({ relation: 'own' });
      const [root] = await heir.vault.list(KEY_ROOT);
      expect(root!.value).to.deep.include(own!.value);
      await expectAll(heir.device);
    }
  });

  it('of a vault with another root are foreign, and bring no root', async () => {
    const { one } = await joined();
    const stranger = await stored(5, 9);
    await stranger.device.seal(APP, C);
    const root = await stranger.vault.read(KEY_ROOT);
    expect(await stranger.restore(await one.file())).to.include({ relation: 'foreign' });
    expect(await stranger.vault.read(KEY_ROOT)).to.deep.equal(root);
    const uses = (await stranger.vault.list(KEY_USE)).map(keyUseOf);
    expect(uses.filter(({ ref }) => ref === APP).map(({ origin }) => origin)).to.deep.equal([C]);
  });

  it('are refused where a root has another id, or none has the id that a site names', async () => {
    const contents = await (await joined()).one.contents();
    const text = new TextDecoder().decode(encodeContents(contents));
    expect(parseContents(utf8(text)).keys).to.deep.equal(contents.keys);
    const { others, ...own } = contents.keys.root!;
    const [[id, other]] = Object.entries(others!) as [[string, object]];
    const { label: _, ...secrets } = own;
    const none = toBase64url(new Uint8Array(16));
    const changed = (
      change: (value: Record<string, unknown>, type: string) => object | undefined,
    ) => {
      const file = JSON.parse(text) as { records: { type: string; value: object }[] };
      for (const record of file.records) {
        Object.assign(record, { value: change({ ...record.value }, record.type) ?? record.value });
      }
      return utf8(JSON.stringify(file));
    };
    const withOthers = (all: unknown) =>
      changed((value, type) => (type === KEY_ROOT ? { ...value, others: all } : undefined));
    const withRoot = (isOfApp: boolean, root: unknown) =>
      changed((value, type) =>
        type === KEY_USE && (value['ref'] === APP) === isOfApp ? { ...value, root } : undefined,
      );
    for (const [title, bytes] of [
      ['none', withOthers({})],
      ['no object', withOthers([other])],
      ['under another id', withOthers({ [id]: other, [none]: other })],
      ['with a label', withOthers({ [id]: { ...other, label: 'x' } })],
      ['the own once more', withOthers({ [id]: other, [rootIdOf(own)]: secrets })],
      ['missing', withOthers(undefined)],
      ['unknown', withRoot(true, none)],
      ['of the prototype', withRoot(true, 'toString')],
      ['of a user key', withRoot(false, id)],
    ] as const) {
      expect(() => parseContents(bytes), title)
        .to.throw()
        .with.property('code', 'BAD_BACKUP');
    }
  });
});

describe('The schema of heads', function () {
  this.timeout(20_000);

  it('is raised when a vault first gets the root of another device, and never goes back', async () => {
    const [one, other] = [await stored(1), await stored(2, 5)];
    await one.device.seal(APP, A);
    await other.device.seal(APP, B);
    await one.device.share();
    await one.device.share();
    expect(schemasIn(one.world)).to.deep.equal([1, 1, 1, 1]);
    await one.device.take(await other.device.share());
    for (const value of [1, 2]) {
      await one.vault.commit((draft) => draft.put({ id: 'x', type: 'note', value }));
    }
    expect(schemasIn(one.world)).to.deep.equal([2, 2, 2, 2]);
    // Opened again by what only the stores say, also where the heads are lost.
    for (const isLost of [false, true]) {
      const again = one.world.clone();
      if (isLost) for (const name of HEADS) again.primary.values.set(name, utf8('x'));
      if (isLost) for (const name of HEADS) again.copy.values.set(name, utf8('x'));
      const vault = again.vault();
      await vault.unlock(PASSPHRASE);
      for (const value of [3, 4]) {
        await vault.commit((draft) => draft.put({ id: 'x', type: 'note', value }));
      }
      expect(schemasIn(again), String(isLost)).to.deep.equal([2, 2, 2, 2]);
    }
  });

  it('is raised by a restore that brings roots, and by no other', async () => {
    const { one, before } = await joined();
    const fresh = await stored(3);
    await fresh.restore(before.one);
    await fresh.vault.commit((draft) => draft.remove('none'));
    expect(schemasIn(fresh.world)).to.deep.equal([1, 1, 1, 1]);
    await fresh.restore(await one.file());
    await fresh.device.share();
    expect(schemasIn(fresh.world)).to.deep.equal([2, 2, 2, 2]);
  });
});
