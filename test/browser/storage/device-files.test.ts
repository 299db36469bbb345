import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { filesIn, putFiles, saveDeviceFile, usesPrivateFolder } from '../people/device-folder.ts';
import { labelsIn, makeKey, pairByText, PairingScreen } from '../people/pairing-screen.ts';
import { PATIENCE_MS } from '../people/person.ts';
import { createVault } from '../steps.ts';

/* Two profiles, and a folder on the disk that is carried between them. */

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
      const name = await saveDeviceFile(one.tab, folder);
      await choose(other, join(folder, name));
      expect(await labelsIn(sessions[1]!)).to.include('Letters');
      expect(await saveDeviceFile(other.tab, folder)).not.to.equal(name);
      expect(readdirSync(folder)).to.have.length(2);
    });

    it('tell a file that went back, and one that no device made', async () => {
      const [one, other] = screens as [PairingScreen, PairingScreen];
      const name = await saveDeviceFile(one.tab, folder);
      const old = readFileSync(join(folder, name));
      await saveDeviceFile(one.tab, folder);
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
      await putFiles(other, ofOne);
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
      await putFiles(other, changed);
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
