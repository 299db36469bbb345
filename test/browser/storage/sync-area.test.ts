import { expect } from 'chai';
import { ITEM_NAMES } from '../../../src/keys/media/items.ts';
import { mediumChanges, openItems, stateOf } from '../../../src/keys/media/medium.ts';
import { EMPTY_STATE } from '../../../src/keys/devices/shared-state.ts';
import { firstEpoch, syncKeyOf } from '../../../src/keys/circle/changes.ts';
import { newDevice, PARTS } from '../../keys/circle/circle.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';

/** Of `storage.sync`, of which getBytesInUse says what the browser counts. */
const QUOTA_BYTES = 102_400;

interface SyncArea {
  set(items: Record<string, string>): Promise<void>;
  get(names: null): Promise<Record<string, string>>;
  getBytesInUse(names: null): Promise<number>;
}

for (const browser of BROWSERS) {
  describe(`the sync area, in ${browser}`, function () {
    this.timeout(120_000);
    let scene: Scene;
    before(async () => {
      scene = await openVaultScene(browser);
    });
    after(() => closeScene(scene));

    it('takes all items of a medium, counts them as they are, and gives them back', async () => {
      const { member, pair } = await newDevice('Laptop');
      const epoch = await firstEpoch([member], pair, PARTS);
      const syncKey = await syncKeyOf(epoch, pair, PARTS);
      const contents = { epoch, syncKey, links: [], present: [], state: EMPTY_STATE };
      const key = { ...epoch, syncKey };
      const none = await openItems(new Map(), key);
      const { writes } = await mediumChanges(contents, new Map(), none, PARTS.random);
      const own = await scene.session.newTab(scene.session.extensionUrl('manager.html#about'));
      const { bytes, items } = await own.evaluate(async (all: Record<string, string>) => {
        const { browser: one, chrome: two } = globalThis as unknown as Record<
          string,
          { storage: { sync: SyncArea } } | undefined
        >;
        const { sync } = (one ?? two)!.storage;
        await sync.set(all);
        return { bytes: await sync.getBytesInUse(null), items: await sync.get(null) };
      }, Object.fromEntries(writes));
      const expected = [...writes].map(([name, text]) => name.length + text.length + 2);
      expect(bytes).to.equal(expected.reduce((a, b) => a + b));
      expect(bytes).to.be.at.most(QUOTA_BYTES);
      expect(Object.keys(items).sort()).to.deep.equal(ITEM_NAMES);
      expect(items).to.deep.equal(Object.fromEntries(writes));
      const opened = await openItems(new Map(Object.entries(items)), key);
      expect(opened.every((item) => item !== undefined)).to.equal(true);
      expect(stateOf(opened)).to.deep.equal(EMPTY_STATE);
    });
  });
}
