import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserSession, Tab } from './drivers/driver.ts';
import { BROWSERS, launch } from './drivers/launch.ts';
import {
  createVault,
  keepDownloads,
  lastDownload,
  lockVault,
  loseSlots,
  openPopup,
  PASSPHRASE,
  spoilManifests,
  unlockVault,
} from './steps.ts';

const NEW_PASSPHRASE = 'seven copper lanterns under quiet snow';

/** The recovery code as it stands on the sheet. */
const codeOn = (tab: Tab): Promise<string> =>
  tab.evaluate(() =>
    Array.from(
      document.querySelectorAll('#recovery-code .code-group'),
      (group) => group.textContent,
    ).join('-'),
  );

/** Empties the field that was refused, as its user would. */
const emptyInvalid = (tab: Tab): Promise<void> =>
  tab.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('input[aria-invalid="true"]')!;
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });

for (const browser of BROWSERS) {
  describe(`the manager in ${browser}`, () => {
    let session: BrowserSession;
    let folder: string;
    let code: string;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-manager-'));
      session = await launch(browser);
      const popup = await createVault(session);
      await popup.click('#nav-keys');
      await popup.type('#new-key-label', 'Family photos');
      await popup.click('#create-key');
      await popup.waitFor('#keys > li:nth-child(2)');
      await popup.close();
    });
    after(async () => {
      await session.close();
      await rm(folder, { recursive: true });
    });

    const openManager = (screen: string) =>
      session.newTab(session.extensionUrl(`manager.html#${screen}`));

    it('makes a recovery code, and believes it only when it is typed back', async () => {
      const manager = await openManager('security');
      await manager.waitFor('#make-recovery-code');
      await manager.type('#recovery-passphrase', PASSPHRASE);
      await manager.click('#make-recovery-code');
      await manager.waitFor('#recovery-sheet .qr', 30_000);
      code = await codeOn(manager);
      expect(code).to.match(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
      await manager.click('#recovery-written');
      const asked = await manager.evaluate(() =>
        Array.from(document.querySelectorAll('#recovery label'), (label) => label.textContent),
      );
      expect(asked).to.have.lengthOf(3);
      await manager.type('#recovery-group-0', 'ZZZZ');
      await manager.click('#confirm-recovery-code');
      await manager.waitFor('#recovery-group-0[aria-invalid="true"]');
      await emptyInvalid(manager);
      for (const [place, label] of asked.entries()) {
        const group = code.split('-')[Number(/\d+/.exec(label)![0]) - 1]!;
        await manager.type(`#recovery-group-${place}`, group.toLowerCase());
      }
      await manager.click('#confirm-recovery-code');
      await manager.waitFor('#recovery-done', 30_000);
      await manager.waitFor('#recovery-close');
      await manager.click('#recovery-next');
      await manager.waitFor('#make-backup');
      await manager.close();
    });

    it('opens the vault by the recovery code, and changes the passphrase with it', async () => {
      await lockVault(session);
      const locked = await openPopup(session);
      await locked.click('#forgot-passphrase > summary');
      expect(await locked.text('#forgot-passphrase')).to.include('recovery code');
      expect(await locked.text('.lead')).to.not.include('recovery code');
      await locked.close();
      await unlockVault(session, code);
      const popup = await openPopup(session);
      await popup.click('#choose-passphrase');
      const manager = await session.waitForTab('manager.html#security');
      await manager.waitUntil(() => document.activeElement?.id === 'current-passphrase');
      await manager.waitFor('#code-used');
      await manager.type('#current-passphrase', code);
      await manager.type('#new-passphrase', NEW_PASSPHRASE);
      await manager.type('#new-passphrase-again', NEW_PASSPHRASE);
      await manager.click('#change-passphrase');
      await manager.waitFor('#passphrase-changed', 60_000);
      await manager.waitUntil(() => document.querySelector('#code-used') === null);
      await manager.close();
      const after = await openPopup(session);
      await after.waitFor('#nav-site');
      expect(await after.evaluate(() => document.querySelector('#code-used'))).to.equal(null);
      await after.close();
      await lockVault(session);
      await unlockVault(session, NEW_PASSPHRASE);
    });

    it('makes a backup, after the passphrase was asked for', async () => {
      const manager = await openManager('backup');
      await manager.waitFor('#backup-none');
      await keepDownloads(manager);
      await manager.type('#backup-current', PASSPHRASE);
      await manager.type('#backup-passphrase', NEW_PASSPHRASE);
      await manager.type('#backup-passphrase-again', NEW_PASSPHRASE);
      await manager.click('#make-backup');
      await manager.waitFor('#backup-current[aria-invalid="true"]', 30_000);
      await emptyInvalid(manager);
      await manager.type('#backup-current', NEW_PASSPHRASE);
      await manager.click('#make-backup');
      await manager.waitFor('#backup-made', 60_000);
      await manager.waitFor('#backup-times');
      await writeFile(join(folder, 'backup'), await lastDownload(manager));
      await manager.close();
    });

    it('shows a vault as lost whose state its passphrase finds damaged in both stores', async () => {
      await lockVault(session);
      const popup = await openPopup(session);
      await popup.waitFor('#unlock');
      await spoilManifests(popup);
      await session.killBackground();
      await popup.reload();
      await popup.waitFor('#passphrase');
      await popup.type('#passphrase', NEW_PASSPHRASE);
      await popup.click('#unlock');
      await popup.waitFor('#open-restore', 30_000);
      await popup.close();
    });

    it('brings a backup back where the vault is lost, under a new passphrase', async () => {
      const popup = await openPopup(session);
      await popup.waitFor('#retry');
      await loseSlots(popup);
      await session.killBackground();
      await popup.reload();
      await popup.waitFor('#retry');
      await popup.click('#open-restore');
      const manager = await session.waitForTab('manager.html#backup');
      await manager.waitFor('#restore-lost');
      await manager.chooseFile('#backup-file', join(folder, 'backup'));
      await manager.type('#backup-secret', NEW_PASSPHRASE);
      await manager.click('#check-backup');
      await manager.waitFor('#backup-report', 60_000);
      expect(await manager.text('#backup-report')).to.include('Family photos');
      await manager.type('#passphrase', PASSPHRASE);
      await manager.type('#passphrase-again', PASSPHRASE);
      await manager.click('#restore-lost');
      await manager.waitFor('#make-backup', 60_000);
      await manager.close();
      await lockVault(session);
      await unlockVault(session);
      const keys = await openPopup(session);
      await keys.click('#nav-keys');
      await keys.waitFor('#keys > li:nth-child(2)');
      expect(await keys.text('#keys')).to.include('Family photos');
      await keys.close();
    });
  });
}
