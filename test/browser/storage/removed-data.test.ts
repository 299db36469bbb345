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

const FORGED_PICTURE = { outline: 'circle', symbols: ['anchor', 'apple', 'bell'], tone: 'green' };

/**
 * In a page of the extension: puts what a content script can put into `storage.local`, under every prefix of our
 * names. The vault is one that the tests' passphrase opens.
 */
async function plant(picture: object): Promise<string[]> {
  interface Area {
    set(items: object): Promise<void>;
  }
  const { local } = (globalThis as unknown as { browser: { storage: { local: Area } } }).browser
    .storage;
  const cache = await caches.open('sealwright');
  const planted: Record<string, unknown> = {
    'ui.picture': picture,
    'note/guarded sites': ['https://attacker.example/*'],
    'note/gathers movements': true,
  };
  for (const { url } of await cache.keys()) {
    const name = decodeURIComponent(new URL(url).pathname.slice(1));
    const text = (await cache.match(url))!.headers.get('x-value')!;
    if (name.startsWith('vault/')) planted[name] = text;
  }
  await local.set(planted);
  return Object.keys(planted);
}

/** In a page of the extension. */
async function namesInCache(): Promise<string[]> {
  const requests = await (await caches.open('sealwright')).keys();
  return requests.map(({ url }) => decodeURIComponent(new URL(url).pathname.slice(1)));
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
      const attacker = await session.newTab(session.extensionUrl('manager.html'));
      const planted = await attacker.evaluate(plant, FORGED_PICTURE);
      expect(planted.filter((name) => name.startsWith('vault/vault/record/'))).not.to.be.empty;
      await attacker.close();
      await session.killBackground();
      await session.evictExtension!();
      const popup = await openPopup(session);
      await popup.waitFor('#open-restore');
      const names = await popup.evaluate(namesInCache);
      expect(names).to.include('vault/vault/exists');
      expect(names.filter((name) => name.startsWith('vault/'))).to.have.length(1);
      expect(names.filter((name) => name.startsWith('note/') && planted.includes(name))).to.be
        .empty;
      const shown = await popup.evaluate(() => document.body.textContent.toLowerCase());
      expect(shown).not.to.match(/anchor.*apple.*bell/s);
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

  it('is nothing that permanent private browsing has stored, when the browser ends; each mode has its own vault', async () => {
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
    session = await start(true, await session.crash());
    await unlockVault(session);
    session = await start(false, await session.crash());
    const popup = await openPopup(session);
    await popup.waitFor('#finish-setup');
    session = await start(true, await session.crash());
    await unlockVault(session);
  });
});
