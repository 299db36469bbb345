import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { confirmPassphrase, createVault, openPopup } from '../steps.ts';

for (const browser of BROWSERS) {
  describe(`keys in ${browser}`, () => {
    let session: BrowserSession;

    before(async () => {
      session = await launch(browser);
      await createVault(session);
    });
    after(() => session.close());

    async function openKeys(): Promise<Tab> {
      const manager = await session.newTab(session.extensionUrl('manager.html#keys'));
      await manager.waitFor('#keys');
      return manager;
    }

    it('keep a form that was open when its tab was closed', async () => {
      const manager = await openKeys();
      await manager.type('#new-key-label', 'Letters');
      await manager.click('#create-key');
      await manager.click('#keys li:nth-child(2) .button');
      await manager.type('#edit-note', 'Written to Ada');
      await manager.click('.tone-option[data-tone="purple"] input');
      await manager.close();
      const again = await openKeys();
      await again.waitUntil(
        () => document.querySelector<HTMLTextAreaElement>('#edit-note')?.value === 'Written to Ada',
      );
      await again.click('#save-key');
      await again.waitFor('#keys .key-note');
      expect(await again.text('#keys .key-note')).to.equal('Written to Ada');
      await again.close();
      const popup = await openPopup(session);
      await popup.click('#nav-keys');
      await popup.waitFor('#keys .tone-dot[data-tone="purple"]');
      await popup.close();
    });

    it('go into the archive first, and from there for ever', async () => {
      const manager = await openKeys();
      await manager.click('#keys .confirm-opener .button');
      await manager.click('#keys .confirm .button-danger');
      await manager.waitFor('#archive');
      await manager.waitUntil(() => document.querySelectorAll('#keys > li').length === 1);
      await manager.click('#archive .button:last-of-type');
      await confirmPassphrase(manager);
      await manager.waitUntil(() => document.querySelector('#archive') === null, {
        timeoutMs: 30_000,
      });
      await manager.close();
    });
  });
}
