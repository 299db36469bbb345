import { cp, readdir, rm, stat, truncate } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import type { BrowserName, BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { openVaultScene } from '../scene.ts';
import type { TestServer } from '../server.ts';
import {
  auditLogSaved,
  connect,
  openEnabledSite,
  openPopup,
  PASSPHRASE,
  succeed,
  unlockVault,
  vaultMarked,
} from '../steps.ts';

/*
 * A crash, or a failing disk, cuts files of the browser's own databases: the vault opens from the store
 * that is whole, with everything that was reported as saved.
 */

type StoreName = 'IndexedDB' | 'the copy';

/** Folders of the profile, by a part of their path, in which the stores have their files. */
const FOLDERS: Readonly<Record<BrowserName, Readonly<Record<StoreName, RegExp>>>> = {
  chromium: {
    IndexedDB: /\/IndexedDB\/chrome-extension_[a-z]+_0\.indexeddb\.leveldb\//,
    'the copy': /\/Local Extension Settings\/[a-z]+\//,
  },
  firefox: {
    IndexedDB: /\/moz-extension\+\+\+[0-9a-f-]+\/idb\//,
    'the copy': /\/moz-extension\+\+\+[0-9a-f-]+\/cache\//,
  },
};
/** LevelDB's and SQLite's logs of what is not in their tables yet, and those tables. */
const DATA = /\.(log|ldb|sqlite|sqlite-wal)$/;
/** Which process has the profile: files of the one that was killed. */
const LOCKS = /^(Singleton|\.?(parent)?lock$)/i;

/** What is left of a file, in bytes. */
const CUTS = {
  'the last byte': (bytes: number) => bytes - 1,
  'a block': (bytes: number) => bytes - 512,
  half: (bytes: number) => bytes / 2,
  'all but a block': () => 512,
  all: () => 0,
} as const;

const KEY_LABEL = 'Saved before the crash';
const SECRET = 'sealed before the crash';

async function filesOf(profile: string, folder: RegExp): Promise<string[]> {
  const entries = await readdir(profile, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && DATA.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => folder.test(path));
}

/** Cuts every file of a store. @returns how many bytes it lost */
async function cutStore(
  profile: string,
  folder: RegExp,
  left: (bytes: number) => number,
): Promise<number> {
  let lost = 0;
  for (const path of await filesOf(profile, folder)) {
    const { size } = await stat(path);
    const length = Math.max(0, Math.min(size, Math.floor(left(size))));
    await truncate(path, length);
    lost += size - length;
  }
  return lost;
}

for (const browser of BROWSERS) {
  describe(`a profile whose files were cut, in ${browser}`, function () {
    this.timeout(240_000);
    let server: TestServer;
    let session: BrowserSession | undefined;
    let profile: string;
    let kept: string;
    let sealed: unknown;

    const openSite = (): Promise<Tab> => openEnabledSite(session!, `${server.origin}/blank.html`);
    async function crash(): Promise<void> {
      await session?.crash();
      session = undefined;
    }
    async function restore(): Promise<void> {
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
      await cp(kept, profile, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (path) => !LOCKS.test(basename(path)),
      });
    }

    before(async () => {
      ({ session, server } = await openVaultScene(browser));
      const site = await openSite();
      await connect(session, site);
      sealed = await succeed(site, 'sealText', SECRET);
      await auditLogSaved();
      if (browser === 'firefox') await vaultMarked(session);
      const popup = await openPopup(session);
      await popup.click('#nav-keys');
      await popup.type('#new-key-label', KEY_LABEL);
      await popup.click('#create-key');
      await popup.waitUntil(
        (label) => document.querySelector('#keys')?.textContent.includes(label) === true,
        {},
        KEY_LABEL,
      );
      // Reported as saved: no pause.
      profile = await session.crash();
      session = undefined;
      kept = `${profile}-kept`;
      await cp(profile, kept, { recursive: true, verbatimSymlinks: true });
    });

    afterEach(crash);
    after(async () => {
      await server.close();
      for (const folder of [profile, kept]) {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    });

    for (const store of ['IndexedDB', 'the copy'] as const) {
      for (const [what, left] of Object.entries(CUTS)) {
        // Firefox then removes all that the extension has stored, IndexedDB too.
        if (browser === 'firefox' && store === 'the copy' && left === CUTS.half) continue;
        it(`has every key that was saved, without ${what} of each file of ${store}`, async () => {
          await restore();
          const lost = await cutStore(profile, FOLDERS[browser][store], left);
          expect(lost, 'bytes that were cut').to.be.above(0);
          session = await launch(browser, { profile });
          await unlockVault(session);
          const popup = await openPopup(session);
          await popup.click('#nav-keys');
          await popup.waitFor('#keys');
          expect(await popup.text('#keys')).to.include(KEY_LABEL);
          await popup.close();
          expect(await succeed(await openSite(), 'openText', sealed)).to.equal(SECRET);
        });
      }
    }

    it('is no first run, without half of each file of both stores', async () => {
      await restore();
      for (const folder of Object.values(FOLDERS[browser])) {
        expect(await cutStore(profile, folder, CUTS.half)).to.be.above(0);
      }
      session = await launch(browser, { profile });
      const popup = await openPopup(session);
      await popup.waitFor('#unlock, #open-restore, #finish-setup');
      // In Firefox it is lost (see above), by its mark.
      if (browser === 'firefox') await popup.waitFor('#open-restore');
      if (await popup.evaluate(() => document.querySelector('#unlock') !== null)) {
        await popup.type('#passphrase', PASSPHRASE);
        await popup.click('#unlock');
        await popup.waitFor('#nav-site, #open-restore', 60_000);
      }
      expect(await popup.evaluate(() => document.querySelector('#finish-setup'))).to.equal(null);
    });
  });
}
