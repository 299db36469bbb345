import { expect } from 'chai';
import { HEADS } from '../../../src/keys/values/value-names.ts';
import { forgedHead, forgedSlot } from '../../keys/forgeries.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { closeScene, openSiteScene } from '../scene.ts';
import type { TestServer } from '../server.ts';
import {
  connect,
  forgeValues,
  lockVault,
  openPopup,
  PASSPHRASE,
  refusal,
  spoilManifests,
  spoilSession,
  succeed,
  takeBack,
  unlockVault,
} from '../steps.ts';

/* A compromised content script has written into one of the vault's two stores. */
for (const browser of BROWSERS) {
  describe(`values that others wrote into one store, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSiteScene(browser));
      await connect(session, site);
    });
    after(() => closeScene({ session, server }));

    /** The head of a generation that never was, in both slots. */
    async function forgeHeads(schema: number): Promise<void> {
      const popup = await openPopup(session);
      await popup.waitFor('#unlock, #nav-site');
      await forgeValues(
        popup,
        HEADS.map((name) => [name, forgedHead(name, { schema })] as const),
      );
      await popup.close();
    }

    it('the right passphrase opens the vault, whatever its heads say', async () => {
      for (const schema of [1, 99]) {
        await lockVault(session);
        await forgeHeads(schema);
        await session.killBackground();
        await unlockVault(session);
        expect(await refusal(site, 'seal', 'text')).to.equal('none');
      }
    });

    it('the right passphrase opens the vault with twenty slots that take long', async () => {
      await lockVault(session);
      const popup = await openPopup(session);
      await popup.waitFor('#unlock');
      const slots = Array.from({ length: 20 }, () =>
        forgedSlot({ memoryKiB: 262_144, passes: 16 }),
      );
      await forgeValues(popup, slots);
      await popup.close();
      await session.killBackground();
      await unlockVault(session);
    });

    it('an open vault goes on: it is read, and changes are saved', async () => {
      for (const schema of [1, 99]) {
        await forgeHeads(schema);
        await session.killBackground();
        await succeed(site, 'open', await succeed(site, 'seal', 'text'));
        await forgeHeads(schema);
        const popup = await openPopup(session);
        await popup.click('#nav-keys');
        await popup.type('#new-key-label', `Key ${schema}`);
        await popup.click('#create-key');
        await popup.waitUntil(
          (label) => document.querySelector('#keys')?.textContent.includes(label) === true,
          {},
          `Key ${schema}`,
        );
        await popup.close();
      }
    });

    it('a permission can be taken back, and stays so', async () => {
      await forgeHeads(1);
      await takeBack(session, site);
      expect(await refusal(site, 'seal', 'text')).to.equal('NOT_GRANTED');
      await lockVault(session);
      await session.killBackground();
      await unlockVault(session);
      expect(await refusal(site, 'seal', 'text')).to.equal('NOT_GRANTED');
    });

    it('a background that answers with an error leaves locking and a backup in reach', async () => {
      const popup = await openPopup(session);
      await popup.waitFor('#nav-site');
      await spoilSession(popup);
      await session.killBackground();
      await popup.reload();
      await popup.waitFor('#broken-lock');
      await popup.waitFor('#open-restore');
      const manager = await session.newTab(session.extensionUrl('manager.html#backup'));
      await manager.waitFor('#broken-lock');
      await manager.waitFor('#restore-lost');
      await manager.close();
      await popup.click('#broken-lock');
      await popup.waitFor('#broken-locked');
      await session.killBackground(); // it remembers what it has read
      await popup.reload();
      await popup.waitFor('#unlock');
      expect(((await succeed(site, 'status')) as { locked: boolean }).locked).to.equal(true);
      await popup.close();
      await unlockVault(session);
    });

    it('a vault that is damaged in both stores while open can be locked, and then restored', async () => {
      const popup = await openPopup(session);
      await popup.waitFor('#nav-site');
      await spoilManifests(popup);
      await session.killBackground();
      await popup.reload();
      await popup.click('#lock-now');
      await popup.waitFor('#unlock');
      await popup.type('#passphrase', PASSPHRASE);
      await popup.click('#unlock');
      await popup.waitFor('#open-restore', 30_000);
      const manager = await session.newTab(session.extensionUrl('manager.html#backup'));
      await manager.waitFor('#restore-lost');
      await manager.close();
      await popup.close();
    });
  });
}
