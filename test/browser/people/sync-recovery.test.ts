import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { toHex } from '../../../src/crypto/bytes.ts';
import { ITEM_NAMES } from '../../../src/keys/media/items.ts';
import { encodeRecoveryCode, parseRecoveryCode } from '../../../src/keys/unlock/recovery-code.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { addAuthenticator } from '../drivers/chromium-tools.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import {
  chooseFirstPassphrase,
  confirmPassphrase,
  createVault,
  keepDownloads,
  loseSlots,
  openWelcome,
  PASSPHRASE,
} from '../steps.ts';
import { searchFiles } from '../stress/search-profile.ts';
import { filesIn, putFiles, saveDeviceFile, usesPrivateFolder } from './device-folder.ts';
import { pairByText, PairingScreen } from './pairing-screen.ts';
import { PATIENCE_MS, Person } from './person.ts';
import { itemsOf, Relay } from './sync-relay.ts';

/** From the first view of a fresh browser to the first opened text: clicks, pastes, typed fields, and the screen for texts. */
const ACTIONS_MAX = 8;
const TEXT = 'sealed before all devices were lost';

/** Writes down the code that is shown, and types back what is asked for. */
async function writeDown(tab: Tab): Promise<string> {
  await tab.waitFor('#recovery-code', PATIENCE_MS);
  const code = await tab.evaluate(() =>
    Array.from(document.querySelectorAll('#recovery-code li'), (it) => it.textContent).join('-'),
  );
  await tab.click('#recovery-written');
  await tab.waitFor('#recovery-group-0');
  const asked = await tab.evaluate(() =>
    Array.from(document.querySelectorAll('.code-fields label'), (label) => label.textContent),
  );
  for (const [place, label] of asked.entries()) {
    const group = code.split('-')[Number(/\d+/.exec(label)![0]) - 1]!;
    await tab.type(`#recovery-group-${place}`, group);
  }
  await tab.click('#confirm-recovery-code');
  return code;
}

/** The first run as a person does it: passphrase, code, and a text that is sealed. */
async function firstRun(session: BrowserSession): Promise<{ code: string; sealed: string }> {
  const welcome = await openWelcome(session);
  await chooseFirstPassphrase(welcome);
  const code = await writeDown(welcome);
  await welcome.waitFor('#try-text', PATIENCE_MS);
  await welcome.type('#try-text', TEXT);
  await welcome.click('#try-seal');
  await welcome.waitFor('#sealed-text', PATIENCE_MS);
  const sealed = await welcome.evaluate(
    () => document.querySelector<HTMLTextAreaElement>('#sealed-text')!.value,
  );
  await welcome.close();
  return { code, sealed };
}

/** Opens the text with the keys that have come, within the actions that a person may need from the first view on. */
async function opensText(
  session: BrowserSession,
  { actions }: Person,
  sealed: string,
): Promise<void> {
  const files = await session.newTab(session.extensionUrl('manager.html#files'));
  const reader = new Person(files);
  reader.actions = actions + 1; // the screen was opened
  await reader.paste('#open-text', sealed);
  await reader.click('#open-file-now');
  await files.waitUntil(
    (text) => document.body.textContent.includes(text),
    { timeoutMs: PATIENCE_MS },
    TEXT,
  );
  expect(reader.actions).to.be.at.most(ACTIONS_MAX);
  await files.close();
}

/** How the recovery code of a device stands, as its screen "Devices" says. */
async function standingOn({ tab }: PairingScreen): Promise<string> {
  await tab.reload();
  await tab.waitFor('#circle-code-standing', PATIENCE_MS);
  return tab.evaluate(
    () => document.querySelector<HTMLElement>('#circle-code-standing')!.dataset['standing']!,
  );
}

for (const browser of BROWSERS) {
  describe(`a fresh ${browser} with the recovery code of another device`, function () {
    this.timeout(300_000);
    let sessions: readonly BrowserSession[];
    let old: PairingScreen;
    let code: string;
    let sealed: string;
    let fresh: Tab;
    let relay: Relay;

    before(async () => {
      sessions = await Promise.all([launch(browser), launch(browser), launch(browser)]);
      const [one, other, third] = sessions as [BrowserSession, BrowserSession, BrowserSession];
      ({ code, sealed } = await firstRun(one));
      await createVault(other);
      old = await PairingScreen.of(one);
      await pairByText(old, await PairingScreen.of(other));
      await old.tab.reload();
      await old.tab.click('#browser-sync-on');
      await old.tab.waitFor('#browser-sync-state', PATIENCE_MS);
      fresh = await openWelcome(third);
      relay = new Relay([old.tab, fresh]);
      await relay.carry();
    });

    after(async () => {
      for (const session of sessions) await session.close();
    });

    it('says that the code works, on the device that has it, and changes nothing', async () => {
      expect(await standingOn(old)).to.equal('member');
      const before = await itemsOf(old.tab);
      await old.tab.type('#circle-code', code);
      await old.tab.click('#circle-code-done');
      await old.tab.waitFor('#circle-code-works', PATIENCE_MS);
      expect(await itemsOf(old.tab)).to.deep.equal(before);
    });

    it(`opens a text within ${ACTIONS_MAX} actions, and shows the devices before it takes anything`, async () => {
      const person = new Person(fresh);
      await person.click('#have-device');
      await person.type('#arrival-code', code.toLowerCase().replaceAll('-', ' '));
      await fresh.waitFor('#arrival-found', PATIENCE_MS);
      const names = await fresh.evaluate(
        () => document.querySelectorAll('#arrival-found li').length,
      );
      expect(names).to.equal(2);
      await person.type('#arrival-passphrase', PASSPHRASE);
      await person.type('#arrival-passphrase-again', PASSPHRASE);
      await person.click('#arrival-take');
      await fresh.waitFor('#recovery-sheet', PATIENCE_MS);
      await fresh.waitFor('#came-back');
      await opensText(sessions[2]!, person, sealed);
    });

    it('gets a code of its own, which takes the place of the old one on all devices', async () => {
      expect(await writeDown(fresh)).not.to.equal(code);
      await fresh.waitFor('#try-text', PATIENCE_MS);
      await relay.untilSaid(
        () => standingOn(old),
        (standing) => standing === 'unknown',
      );
      const names = await old.tab.evaluate(() =>
        Array.from(document.querySelectorAll('#members .row-title'), (it) => it.textContent),
      );
      expect(names).to.have.length(4); // three devices, and the code of the fresh one
    });

    it('has neither the code nor its bytes in its profile after a crash', async () => {
      // In clear there: a search that does not find it finds nothing at all.
      const control = (await itemsOf(fresh))[ITEM_NAMES[5]!]!.slice(0, 24);
      const profile = await sessions[2]!.crash();
      sessions = sessions.slice(0, 2);
      const secret = parseRecoveryCode(code)!;
      try {
        const bytes = Buffer.from(secret).toString('base64url');
        const texts = [control, code, code.replaceAll('-', ''), toHex(secret)];
        const found = await searchFiles(profile, texts, [bytes]);
        expect(new Set(found)).to.deep.equal(new Set([control]));
      } finally {
        await rm(profile, { recursive: true, force: true, maxRetries: 5 });
      }
    });
  });
}

/** Types the new passphrase twice, and Enter. */
async function takeWithNewPassphrase(person: Person): Promise<void> {
  await person.type('#arrival-passphrase', PASSPHRASE);
  await person.type('#arrival-passphrase-again', PASSPHRASE);
  await person.tab.press('Enter');
}

for (const browser of BROWSERS) {
  // Where both run, each device is of another one.
  const second = BROWSERS.find((name) => name !== browser) ?? browser;

  describe(`a fresh ${browser} with the recovery code and the file of a ${second}`, function () {
    this.timeout(300_000);
    let sessions: readonly BrowserSession[];
    let folder: string;
    let old: PairingScreen;
    let code: string;
    let sealed: string;
    let file: string;
    let fresh: Tab;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sealwright-folder-'));
      sessions = await Promise.all([launch(second), launch(browser), launch(browser)]);
      const [one, other, third] = sessions as [BrowserSession, BrowserSession, BrowserSession];
      ({ code, sealed } = await firstRun(one));
      await createVault(other);
      old = await PairingScreen.of(one);
      await pairByText(old, await PairingScreen.of(other));
      await old.tab.waitFor('#device-file-save', PATIENCE_MS);
      file = join(folder, await saveDeviceFile(old.tab, folder));
      fresh = await openWelcome(third);
      await keepDownloads(fresh);
    });

    after(async () => {
      for (const session of sessions) await session.close();
      rmSync(folder, { recursive: true });
    });

    it('says that the code works with its file, on the device that has it', async () => {
      expect(await standingOn(old)).to.equal('member');
      await keepDownloads(old.tab);
      await old.tab.type('#circle-code', code);
      await old.tab.chooseFile('#arrival-files', file);
      await old.tab.click('#circle-code-done');
      await old.tab.waitFor('#circle-code-works', PATIENCE_MS);
    });

    it(`opens a text within ${ACTIONS_MAX} actions, and shows what the file holds before it takes anything`, async () => {
      const person = new Person(fresh);
      await person.click('#have-device');
      await person.type('#arrival-code', code.toLowerCase().replaceAll('-', ' '));
      await person.choose('#arrival-files', file);
      await fresh.waitFor('#arrival-found', PATIENCE_MS);
      const names = await fresh.evaluate(
        () => document.querySelectorAll('#arrival-found li').length,
      );
      expect(names).to.equal(2);
      await fresh.waitFor('#arrival-files-date');
      await takeWithNewPassphrase(person);
      await fresh.waitFor('#recovery-sheet', PATIENCE_MS);
      await fresh.waitFor('#came-back');
      await opensText(sessions[2]!, person, sealed);
    });

    it('saves a file by which the others learn of it, and which its new code opens', async () => {
      expect(await writeDown(fresh)).not.to.equal(code);
      await fresh.waitFor('#file-for-others', PATIENCE_MS);
      const saved = join(folder, await saveDeviceFile(fresh, folder));
      expect(saved).not.to.equal(file);
      await old.choose('#device-files-taken', saved);
      await old.tab.waitFor('#device-files-report', PATIENCE_MS);
      await old.members(4); // three devices, and the code of the fresh one
      expect(await standingOn(old)).to.equal('unknown');
    });
  });

  describe(`a fresh ${browser} with files that it cannot take`, function () {
    this.timeout(120_000);
    let session: BrowserSession;
    let folder: string;

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sealwright-folder-'));
      session = await launch(browser);
    });

    after(async () => {
      await session.close();
      rmSync(folder, { recursive: true });
    });

    it('names them, and takes nothing', async () => {
      const tab = await openWelcome(session);
      await tab.click('#have-device');
      await tab.type('#arrival-code', encodeRecoveryCode(new Uint8Array(16)));
      await tab.waitFor('#arrival-fault', PATIENCE_MS); // nothing was synced
      const path = join(folder, 'not of a device.device');
      writeFileSync(path, new Uint8Array(20_000));
      await tab.chooseFile('#arrival-files', path);
      await tab.waitUntil(
        () =>
          document.querySelector('#arrival-fault')?.textContent.includes('not of a device') ??
          false,
        { timeoutMs: PATIENCE_MS },
      );
      const long = join(folder, 'too long.device');
      writeFileSync(long, new Uint8Array(2 ** 24 + 1));
      await tab.chooseFile('#arrival-files', long);
      await tab.waitUntil(
        () =>
          document.querySelector('#arrival-files-error')?.textContent.includes('16 MB') ?? false,
        { timeoutMs: PATIENCE_MS },
      );
      await tab.click('#arrival-take');
      expect(await tab.evaluate(() => document.querySelector('#arrival-found'))).to.equal(null);
    });
  });
}

if (BROWSERS.includes('chromium')) {
  describe('a fresh chromium with the recovery code and a folder', function () {
    this.timeout(240_000);
    let sessions: readonly BrowserSession[];

    before(async () => {
      sessions = await Promise.all([launch('chromium'), launch('chromium'), launch('chromium')]);
    });

    after(async () => {
      for (const session of sessions) await session.close();
    });

    it('keeps it, and stores its file there by itself once its code is written down', async () => {
      const [one, other, third] = sessions as [BrowserSession, BrowserSession, BrowserSession];
      const { code } = await firstRun(one);
      await createVault(other);
      const old = await PairingScreen.of(one);
      await pairByText(old, await PairingScreen.of(other));
      await usesPrivateFolder(old.tab);
      await old.click('#device-folder-choose');
      await old.tab.waitFor('#device-files-report', PATIENCE_MS);
      const fresh = await openWelcome(third);
      await putFiles(fresh, await filesIn(old.tab));
      await usesPrivateFolder(fresh);
      const person = new Person(fresh);
      await person.click('#have-device');
      await person.type('#arrival-code', code);
      await person.click('#arrival-folder');
      await fresh.waitFor('#arrival-found', PATIENCE_MS);
      await takeWithNewPassphrase(person);
      await fresh.waitFor('#recovery-sheet', PATIENCE_MS);
      await writeDown(fresh);
      await fresh.waitFor('#file-for-others #device-folder-name', PATIENCE_MS);
      let standing = '';
      for (let tries = 0; standing !== 'unknown' && tries < 20; tries++) {
        await putFiles(old.tab, await filesIn(fresh)); // the old one reads them when its screen is opened
        standing = await standingOn(old);
      }
      expect(standing).to.equal('unknown');
      expect(Object.keys(await filesIn(fresh))).to.have.length(2);
      await old.members(4);
    });
  });

  /** Chromium gives extensions passkeys; a virtual authenticator is of one tab. */
  describe('a chromium that has lost its vault, with a passkey', function () {
    this.timeout(240_000);
    let sessions: readonly BrowserSession[];

    before(async () => {
      sessions = await Promise.all([launch('chromium'), launch('chromium')]);
      for (const session of sessions) await createVault(session);
    });

    after(async () => {
      for (const session of sessions) await session.close();
    });

    it('takes what it has synced, by the touch alone', async () => {
      const [one, other] = await Promise.all(sessions.map((session) => PairingScreen.of(session)));
      const { tab } = one!;
      await addAuthenticator(tab, { prf: 'at-once' });
      await tab.click('#nav-security');
      await tab.click('#add-passkey');
      await confirmPassphrase(tab);
      await tab.waitFor('#passkey-added', PATIENCE_MS);
      await tab.click('#nav-devices');
      await pairByText(one!, other!);
      await tab.reload();
      await one!.members(3);
      await tab.click('#browser-sync-on');
      await tab.waitFor('#browser-sync-state', PATIENCE_MS);
      await tab.click('#lock-now');
      await tab.waitFor('#unlock', PATIENCE_MS);
      await loseSlots(tab);
      await sessions[0]!.killBackground();
      await tab.reload();
      await tab.waitFor('#arrival-passkey', PATIENCE_MS);
      await tab.click('#arrival-passkey');
      await tab.waitFor('#arrival-found', PATIENCE_MS);
      await tab.type('#arrival-passphrase', PASSPHRASE);
      await tab.type('#arrival-passphrase-again', PASSPHRASE);
      await tab.click('#arrival-take');
      await one!.members(4);
    });
  });
}
