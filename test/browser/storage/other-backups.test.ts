import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { oldBackup } from '../devices.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { createVault, focusIsAt, lockVault, PASSPHRASE, tabTo, unlockVault } from '../steps.ts';

for (const browser of BROWSERS) {
  describe(`a backup of another vault, in ${browser}`, () => {
    let session: BrowserSession;
    let folder: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-other-'));
      session = await launch(browser);
      await createVault(session);
      const keys = await openManager('keys', '#new-key-label');
      await keys.type('#new-key-label', 'Made here');
      await keys.press('Enter');
      await keys.waitFor('#keys > li:nth-child(2)');
      await keys.close();
    });
    after(async () => {
      await session.close();
      await rm(folder, { recursive: true });
    });

    async function openManager(screen: string, awaited: string): Promise<Tab> {
      const manager = await session.newTab(session.extensionUrl(`manager.html#${screen}`));
      await manager.waitFor(awaited);
      return manager;
    }

    /** By the keyboard: the focus is at the button that has checked the file. */
    async function checked(): Promise<Tab> {
      const { path, passphrase } = oldBackup(folder);
      const manager = await openManager('backup', '#backup-file');
      await manager.chooseFile('#backup-file', path);
      await manager.type('#backup-secret', passphrase);
      await tabTo(manager, 'check-backup');
      await manager.press('Enter');
      await manager.waitFor('#backup-foreign', 60_000);
      return manager;
    }

    it('gives keys to the archive, which do nothing for sites until each is taken over', async () => {
      const manager = await checked();
      await tabTo(manager, 'restore-backup');
      await manager.press('Enter');
      await manager.waitUntil(() => document.querySelector('#restore-backup') === null);
      await manager.waitFor('#backup-report', 60_000);
      await focusIsAt(manager, 'check-backup');
      await manager.close();
      const keys = await openManager('keys', '#archive li');
      expect(await keys.text('#archive')).to.include('Letters (from a file, not taken over)');
      expect(await keys.text('#keys')).to.not.include('Letters');
      await keys.click('#archive .confirm-opener button');
      await keys.waitFor('#archive .confirm');
      await keys.press('Tab');
      await keys.press('Enter');
      await keys.waitFor('#keys > li:nth-child(3)');
      expect(await keys.text('#keys')).to.not.include('from a file');
      await keys.close();
    });

    it('replaces the vault, whose passphrase stays', async () => {
      const manager = await checked();
      await tabTo(manager, 'replace-vault');
      await manager.press('Enter');
      await manager.waitFor('#replace-loses');
      expect(await manager.text('#replace-loses')).to.match(/Named keys: [1-9]/);
      await focusIsAt(manager, 'current-passphrase');
      await manager.type('#current-passphrase', PASSPHRASE);
      await manager.press('Enter');
      await manager.waitUntil(() => document.querySelector('#replace-vault') === null, {
        timeoutMs: 60_000,
      });
      await focusIsAt(manager, 'check-backup');
      expect(await manager.text('#backup-report')).to.include('The vault is replaced');
      await manager.close();
      await lockVault(session);
      await unlockVault(session);
      const keys = await openManager('keys', '#keys > li:nth-child(2)');
      expect(await keys.text('#keys'))
        .to.include('Letters')
        .and.not.include('Made here');
      await keys.close();
    });
  });
}
