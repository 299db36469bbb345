import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { labelsIn, makeKey, pairByText, PairingScreen } from '../people/pairing-screen.ts';
import { PATIENCE_MS } from '../people/person.ts';
import { createVault, lastDownload } from '../steps.ts';

/* Two profiles, and a folder on the disk that is carried between them. */

interface Saving {
  lastName?: string;
}

/** Saves the file of a device into the folder, as the browser's downloads do. @returns its name */
async function save({ tab }: PairingScreen, folder: string): Promise<string> {
  await tab.evaluate(() => {
    delete (globalThis as Saving).lastName;
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      (globalThis as Saving).lastName = this.download;
    };
  });
  await tab.click('#device-file-save');
  await tab.waitUntil(() => (globalThis as Saving).lastName !== undefined, {
    timeoutMs: PATIENCE_MS,
  });
  const name = await tab.evaluate(() => (globalThis as Saving).lastName!);
  writeFileSync(join(folder, name), await lastDownload(tab));
  return name;
}

/** Chooses a file of the folder, and waits until it was taken: the field is then empty. */
async function choose({ tab }: PairingScreen, path: string): Promise<void> {
  await tab.chooseFile('#device-files-taken', path);
  await tab.waitUntil(
    () => document.querySelector<HTMLInputElement>('#device-files-taken')!.files!.length === 0,
    { timeoutMs: PATIENCE_MS },
  );
}

for (const browser of BROWSERS) {
  // Where both run, each device is of another one.
  const second = BROWSERS.find((name) => name !== browser) ?? browser;

  describe(`devices that exchange by files in ${browser} and ${second}`, function () {
    this.timeout(240_000);
    let sessions: readonly BrowserSession[];
    let screens: readonly PairingScreen[];
    let folder: string;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sealwright-folder-'));
      sessions = await Promise.all([launch(browser), launch(second)]);
      for (const session of sessions) await createVault(session);
      screens = await Promise.all(sessions.map((session) => PairingScreen.of(session)));
      const [from, to] = screens;
      await pairByText(from!, to!);
      for (const { tab } of screens) await tab.waitFor('#device-file-save', PATIENCE_MS);
    });

    after(async () => {
      for (const session of sessions) await session.close();
      rmSync(folder, { recursive: true });
    });

    it('take a key that one makes to the other, and each under a name of its own', async () => {
      const [one, other] = screens as [PairingScreen, PairingScreen];
      await makeKey(sessions[0]!, 'Letters');
      const name = await save(one, folder);
      await choose(other, join(folder, name));
      expect(await labelsIn(sessions[1]!)).to.include('Letters');
      expect(await save(other, folder)).not.to.equal(name);
      expect(readdirSync(folder)).to.have.length(2);
    });

    it('tell a file that went back, and one that no device made', async () => {
      const [one, other] = screens as [PairingScreen, PairingScreen];
      const name = await save(one, folder);
      const old = readFileSync(join(folder, name));
      await save(one, folder);
      await choose(other, join(folder, name));
      const kept = join(folder, `old ${name}`);
      writeFileSync(kept, old);
      await choose(other, kept);
      await other.tab.waitFor('#device-files-wentBack', PATIENCE_MS);
      writeFileSync(kept, old.subarray(0, 1_000));
      await choose(other, kept);
      await other.tab.waitFor('#device-files-damaged', PATIENCE_MS);
      expect(await labelsIn(sessions[1]!)).to.include('Letters');
    });
  });
}

/** Files of a folder in the page's own file system, by name. */
type Files = Record<string, number[]>;

/**
 * Chromium's dialog and its question cannot be driven. In the place of the folder on the disk is one of the origin private file
 * system: its handle is kept, read and written as the other is, and asks for no permission.
 */
async function usesPrivateFolder(tab: Tab): Promise<void> {
  await tab.evaluate(() => {
    Object.assign(globalThis, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('carried', { create: true }),
    });
  });
}

const filesIn = (tab: Tab): Promise<Files> =>
  tab.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('carried', { create: true });
    const files: Files = {};
    for await (const [name, handle] of folder.entries()) {
      if (handle.kind !== 'file') continue;
      files[name] = [...new Uint8Array(await (await handle.getFile()).arrayBuffer())];
    }
    return files;
  });

const put = (tab: Tab, files: Files): Promise<void> =>
  tab.evaluate(async (given: Files) => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('carried', { create: true });
    for (const [name, bytes] of Object.entries(given)) {
      const stream = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await stream.write(Uint8Array.from(bytes));
      await stream.close();
    }
  }, files);

const untilStored = (tab: Tab): Promise<void> =>
  tab.waitUntil(
    () =>
      document.querySelector('#device-files-report') !== null &&
      document.querySelector('#device-files [aria-busy="true"]') === null,
    { timeoutMs: PATIENCE_MS },
  );

if (BROWSERS.includes('chromium')) {
  describe('devices that exchange by a folder that chromium keeps', function () {
    this.timeout(240_000);
    let sessions: readonly BrowserSession[];
    let screens: readonly PairingScreen[];

    before(async () => {
      sessions = await Promise.all([launch('chromium'), launch('chromium')]);
      for (const session of sessions) await createVault(session);
      screens = await Promise.all(sessions.map((session) => PairingScreen.of(session)));
      await pairByText(screens[0]!, screens[1]!);
    });

    after(async () => {
      for (const session of sessions) await session.close();
    });

    it('store their files in it at a press, and when the manager is opened again', async () => {
      const [one, other] = screens.map(({ tab }) => tab) as [Tab, Tab];
      for (const tab of [one, other]) {
        await tab.waitFor('#device-folder-choose', PATIENCE_MS);
        await usesPrivateFolder(tab);
        await tab.click('#device-folder-choose');
        await untilStored(tab);
      }
      const ofOne = await filesIn(one);
      expect(Object.keys(ofOne)).to.have.length(1);
      await put(other, ofOne);
      await makeKey(sessions[0]!, 'Letters');
      await one.click('#device-folder-now');
      await one.waitUntil(
        () => document.querySelector('#device-files [aria-busy="true"]') === null,
        {
          timeoutMs: PATIENCE_MS,
        },
      );
      const changed = await filesIn(one);
      expect(changed).not.to.deep.equal(ofOne);
      await put(other, changed);
      await other.reload();
      await untilStored(other);
      expect(await labelsIn(sessions[1]!)).to.include('Letters');
      expect(Object.keys(await filesIn(other))).to.have.length(2);
      expect(await other.text('#device-folder-name')).to.include('carried');
    });

    it('exchange nothing more once the folder is forgotten', async () => {
      const [{ tab }] = screens as [PairingScreen];
      await tab.click('#device-folder-forget');
      await tab.waitUntil(() => document.querySelector('#device-folder-now') === null, {
        timeoutMs: PATIENCE_MS,
      });
      const before = await filesIn(tab);
      await makeKey(sessions[0]!, 'Not stored there');
      await tab.reload();
      await tab.waitFor('#device-folder-choose', PATIENCE_MS);
      expect(await tab.evaluate(() => document.querySelector('#device-folder-now'))).to.equal(null);
      expect(await filesIn(tab)).to.deep.equal(before);
    });
  });
}
