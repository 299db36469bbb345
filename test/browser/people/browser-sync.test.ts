import { expect } from 'chai';
import type Browser from 'webextension-polyfill';
import { ITEM_NAMES } from '../../../src/keys/media/items.ts';
import type { BrowserSession } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { chooseAction, confirmPassphrase, createVault } from '../steps.ts';
import { labelsIn, makeKey, openKeys, pairByText, PairingScreen } from './pairing-screen.ts';
import { PATIENCE_MS } from './person.ts';
import { itemsOf, Relay } from './sync-relay.ts';

async function deleteKey(session: BrowserSession, label: string): Promise<void> {
  const manager = await openKeys(session);
  await manager.waitFor('#keys > li', PATIENCE_MS);
  const place = await manager.evaluate(
    (name) =>
      [...document.querySelectorAll('#keys > li')].findIndex(({ textContent }) =>
        textContent.includes(name),
      ),
    label,
  );
  const row = `#keys > li:nth-child(${place + 1})`;
  await chooseAction(manager, row, 'archive');
  await manager.click('#keys .confirm .button-danger');
  await manager.waitFor('#archive', PATIENCE_MS);
  await chooseAction(manager, '#archive', 'delete');
  await confirmPassphrase(manager);
  await manager.waitUntil(() => document.querySelector('#archive') === null, {
    timeoutMs: PATIENCE_MS,
  });
  await manager.close();
}

for (const browser of BROWSERS) {
  describe(`devices that exchange through the sync of ${browser}`, function () {
    this.timeout(240_000);
    let sessions: readonly BrowserSession[];
    let screens: readonly PairingScreen[];
    let relay: Relay;

    before(async () => {
      sessions = await Promise.all([launch(browser), launch(browser)]);
      for (const session of sessions) await createVault(session);
      screens = await Promise.all(sessions.map((session) => PairingScreen.of(session)));
      const [from, to] = screens;
      await pairByText(from!, to!);
      relay = new Relay(screens.map(({ tab }) => tab));
    });

    after(async () => {
      for (const session of sessions) await session.close();
    });

    it('store nothing there before it is turned on', async () => {
      for (const { tab } of screens) expect(await itemsOf(tab)).to.deep.equal({});
      for (const { tab } of screens) {
        await tab.reload();
        await tab.click('#browser-sync-on');
        await tab.waitFor('#browser-sync-state', PATIENCE_MS);
        await relay.carry();
      }
      for (const { tab } of screens) {
        expect(Object.keys(await itemsOf(tab)).sort()).to.deep.equal([...ITEM_NAMES].sort());
      }
    });

    it('take a key that one makes to the other, and its deletion back', async () => {
      const [one, other] = sessions;
      await makeKey(one!, 'Letters');
      await relay.until(other!, (labels) => labels.includes('Letters'));
      await deleteKey(other!, 'Letters');
      expect(await labelsIn(other!)).not.to.include('Letters');
      await relay.until(one!, (labels) => !labels.includes('Letters'));
    });

    // Chromium has no permission for it.
    if (browser === 'firefox') {
      it('store nothing once the person took the permission back, until it is given again', async () => {
        const [{ tab }] = screens as [PairingScreen];
        const before = await itemsOf(tab);
        await tab.evaluate(() => {
          const { permissions } = (globalThis as unknown as { browser: typeof Browser }).browser;
          return permissions.remove({ data_collection: ['authenticationInfo'] });
        });
        await makeKey(sessions[0]!, 'Kept here');
        await tab.waitUntil(
          () => document.querySelector('#browser-sync-hindered + * #browser-sync-on') !== null,
          { timeoutMs: PATIENCE_MS },
        );
        expect(await itemsOf(tab)).to.deep.equal(before);
        await tab.click('#browser-sync-on');
        await tab.waitUntil(() => document.querySelector('#browser-sync-hindered') === null, {
          timeoutMs: PATIENCE_MS,
        });
        expect(await itemsOf(tab)).not.to.deep.equal(before);
      });
    }

    it('remove the items where that is asked for, and store none afterwards', async () => {
      const [{ tab }] = screens as [PairingScreen];
      await tab.click('#browser-sync-off');
      await tab.click('#browser-sync-off-remove');
      await tab.waitFor('#browser-sync-on', PATIENCE_MS);
      expect(await itemsOf(tab)).to.deep.equal({});
      await makeKey(sessions[0]!, 'Not stored there');
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      expect(await itemsOf(tab)).to.deep.equal({});
    });

    it('renew the keys that a removed device has', async () => {
      const [screen] = screens as [PairingScreen];
      await screen.removeOther(2);
      await screen.tab.waitFor('#removed-renew', PATIENCE_MS);
      await screen.tab.reload(); // it can be done later
      await screen.tab.waitFor('#removed-renew', PATIENCE_MS);
      await screen.click('#removed-renew');
      await screen.tab.waitUntil(() => document.querySelector('#removed-devices') === null, {
        timeoutMs: PATIENCE_MS,
      });
    });
  });
}
