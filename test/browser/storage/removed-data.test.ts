import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { madeBackup } from '../devices.ts';
import type { BrowserSession } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { openVaultScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import {
  connect,
  createVault,
  lockVault,
  openEnabledSite,
  openPopup,
  PASSPHRASE,
  restoreLost,
  succeed,
  unlockVault,
  vaultMarked,
} from '../steps.ts';

/*
 * What Firefox removes of the data of extensions, and what it does not: the table of docs/design/vault.md,
 * "The medium of the copy".
 */

/** In a page: what it stored before this, and what it stores from now on. */
async function storeInPage(): Promise<string[]> {
  const before = [...(await caches.keys()), ...Object.keys(localStorage), document.cookie];
  await caches.open('of the page');
  localStorage.setItem('of the page', '1');
  document.cookie = 'page=1; max-age=3600';
  return before.filter((name) => name !== '');
}

(BROWSERS.includes('firefox') ? describe : describe.skip)('data that Firefox removes', function () {
  this.timeout(240_000);
  let session: BrowserSession | undefined;
  let server: TestServer;

  beforeEach(async () => {
    server = await serve('test/browser/fixtures');
  });
  afterEach(async () => {
    await session?.close();
    session = undefined;
    await server.close();
  });

  it('is not the vault, where a person clears all that the browser offers to clear', async () => {
    ({ session } = await openVaultScene('firefox'));
    const address = `${server.origin}/blank.html`;
    const site = await openEnabledSite(session, address);
    await connect(session, site);
    const sealed = await succeed(site, 'sealText', 'sealed before');
    await site.evaluate(storeInPage);
    await session.clearBrowsingData!();
    await lockVault(session);
    await session.killBackground();
    await unlockVault(session);
    await site.goto(address);
    await site.waitUntil(() => 'sealwright' in globalThis);
    expect(await site.evaluate(storeInPage), 'what the page had stored').to.deep.equal([]);
    expect(await succeed(site, 'openText', sealed)).to.equal('sealed before');
  });

  it('is everything of the extension, after an eviction: the vault is lost, and a backup brings it back', async () => {
    ({ session } = await openVaultScene('firefox'));
    const folder = await mkdtemp(join(tmpdir(), 'sealwright-backup-'));
    try {
      const file = join(folder, 'backup');
      await writeFile(file, await madeBackup(session));
      await vaultMarked(session);
      await lockVault(session);
      await session.killBackground();
      await session.evictExtension!();
      const popup = await openPopup(session);
      await popup.click('#open-restore');
      const manager = await session.waitForTab('manager.html#backup');
      await restoreLost(manager, file, PASSPHRASE);
      await manager.waitFor('#make-backup', 60_000);
      await manager.close();
      await lockVault(session);
      await unlockVault(session);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is nothing that permanent private browsing has stored, when the browser or the mode ends', async () => {
    const start = async (isPrivate: boolean, profile?: string): Promise<BrowserSession> => {
      const begun = await launch('firefox', {
        keepsWelcome: true,
        switches: { chromium: [], firefox: { 'browser.privatebrowsing.autostart': isPrivate } },
        ...(profile !== undefined && { profile }),
      });
      if (isPrivate) await begun.allowPrivateWindows!();
      return begun;
    };
    session = await start(true);
    await createVault(session);
    const site = await openEnabledSite(session, `${server.origin}/blank.html`);
    const isPrivate = await site.evaluate(() => 'sealwright' in globalThis);
    expect(isPrivate).to.equal(true);
    for (const mode of [true, false]) {
      session = await start(mode, await session.crash());
      await unlockVault(session);
    }
  });
});
