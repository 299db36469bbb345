import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { closed, write } from '../field-steps.ts';
import type { BrowserName, BrowserSession, Tab } from '../drivers/driver.ts';
import { PATIENCE_MS, poll } from '../drivers/page-function.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { storedBytes } from '../in-page/attacks/stored-bytes.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import {
  auditLogSaved,
  bytes,
  connect,
  openEnabledSite,
  openPopup,
  refusal,
  SEAL_AND_OPEN,
  succeed,
  unlockVault,
} from '../steps.ts';

/*
 * A private window leaves every file of the extension's stores as it was, byte for byte.
 */

/** When Firefox last used an origin's folder: written by itself, some time later. */
const OF_BROWSER = /\/\.metadata-v2$/;

/** Folders of the profile in which the browser keeps what the extension stores. */
const STORED: Readonly<Record<BrowserName, RegExp>> = {
  chromium:
    /\/(IndexedDB|File System)\/chrome-extension_|\/Local Extension Settings\/|\/Sync Extension Settings\/|\/Service Worker\/CacheStorage\//,
  firefox: /\/storage\/(default|permanent|private)\/moz-extension|\/storage-sync-v2\.sqlite/,
};

/** Path and digest of each file. */
async function filesOf(profile: string, folder: RegExp): Promise<string[]> {
  const entries = await readdir(profile, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => folder.test(path) && !OF_BROWSER.test(path));
  const lines = await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(path);
      const digest = createHash('sha256').update(content).digest('hex');
      return `${path.slice(profile.length)} ${content.length} ${digest}`;
    }),
  );
  return lines.sort();
}

async function createKey(session: BrowserSession): Promise<void> {
  const popup = await openPopup(session);
  await popup.click('#nav-keys');
  await popup.type('#new-key-label', 'Texts');
  await popup.click('#create-key');
  await popup.waitFor('#keys > li');
  await popup.close();
}

for (const browser of BROWSERS) {
  describe(`a private window, in ${browser}`, function () {
    this.timeout(240_000);
    let scene: Scene;
    let page: Tab;
    let own: Tab;

    before(async () => {
      scene = await openVaultScene(browser);
      const { session, server } = scene;
      const site = await openEnabledSite(session, `${server.origin}/blank.html`);
      await connect(session, site);
      await site.close();
      await createKey(session); // to seal with: the first one is a change that is no trace
      page = await session.newPrivateTab(`${server.otherOrigin}/blank.html?not-enabled`);
      await unlockVault(session); // the extension has been reloaded
      own = await session.newTab(session.extensionUrl('manager.html#about'));
    });

    after(() => closeScene(scene));

    /** The files, once the databases have written what they had in hand. */
    async function settledFiles(): Promise<string[]> {
      await auditLogSaved();
      let last: string[] = [];
      return await poll('files that stay as they are', PATIENCE_MS, async () => {
        const files = await filesOf(scene.session.profile, STORED[browser]);
        const isSame = files.join() === last.join();
        last = files;
        if (!isSame) await new Promise((resume) => setTimeout(resume, 1_000));
        return isSame ? files : undefined;
      });
    }

    async function unchangedBy(use: () => Promise<void>): Promise<void> {
      const before = await settledFiles();
      const values = await own.evaluate(storedBytes);
      expect(before.length, 'files that were compared').to.be.above(3);
      await use();
      expect(await own.evaluate(storedBytes)).to.equal(values);
      expect(await settledFiles()).to.deep.equal(before);
    }

    it('changes no byte of what is stored, by any call of a page in it', async () => {
      await unchangedBy(async () => {
        await page.goto(`${scene.server.origin}/blank.html`);
        await page.waitUntil(() => 'sealwright' in globalThis);
        expect(await succeed(page, 'status')).to.include({ locked: true }); // whatever it is
        const codes = await Promise.all([
          refusal(page, 'seal', bytes(1)),
          refusal(page, 'keys'),
          refusal(page, 'connect', SEAL_AND_OPEN),
          refusal(page, 'random', 32),
        ]);
        expect(codes).to.deep.equal(['UNSUPPORTED', 'UNSUPPORTED', 'UNSUPPORTED', 'none']);
        await page.goto(`${scene.server.otherOrigin}/blank.html`);
      });
    });

    // The popup of a private window is out of reach of Chromium's protocol.
    if (browser !== 'firefox') return;

    it('changes no byte of what is stored, by a text that is written and sealed in it', async () => {
      // This driver's popup is in a tab that is not private: its events have the seed file replaced once.
      const site = await scene.session.newTab(`${scene.server.otherOrigin}/fields.html`);
      await site.click('#line');
      await closed(scene.session, await write(scene.session, site, 'Written before'));
      await unchangedBy(async () => {
        await page.goto(`${scene.server.otherOrigin}/fields.html?private`);
        await page.click('#line');
        const window = await write(scene.session, page, 'Written in private');
        await window.click('#seal-insert');
        await window.waitFor('#sealed-inserted');
        await closed(scene.session, window);
      });
    });
  });
}
