import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserName, BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { serve, type TestServer } from '../server.ts';
import {
  bytes,
  connect,
  createVault,
  lastDownload,
  openEnabledSite,
  SEAL_AND_OPEN,
  succeed,
} from '../steps.ts';
import { labelsIn, PairingScreen } from './pairing-screen.ts';
import { PATIENCE_MS } from './person.ts';

/** Clicks, pasted and typed fields of both devices together (issue 43). */
const ACTIONS_MAX = 10;
const DURATION_MAX_MS = 60_000;

const other = (browser: BrowserName): BrowserName =>
  BROWSERS.find((name) => name !== browser) ?? browser;

/** From an old device to a new one: the other browser, where both are tested. */
for (const browser of BROWSERS) {
  const fresh = other(browser);
  describe(`devices that pair, from ${browser} to ${fresh}`, function () {
    this.timeout(240_000);
    let server: TestServer;
    let sessions: readonly BrowserSession[];
    let oldSite: Tab;
    let freshSite: Tab;
    let folder: string;
    let sealed: unknown;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-pairing-'));
      server = await serve('test/browser/fixtures');
      sessions = await Promise.all([launch(browser), launch(fresh)]);
      const url = `${server.origin}/blank.html`;
      const sites: Tab[] = [];
      for (const session of sessions) {
        await createVault(session);
        sites.push(await openEnabledSite(session, url));
      }
      [oldSite, freshSite] = sites as [Tab, Tab];
      await connect(sessions[0]!, oldSite, SEAL_AND_OPEN);
      sealed = await succeed(oldSite, 'seal', bytes(1, 2, 3));
    });

    after(async () => {
      for (const session of sessions) await session.close();
      await server.close();
      await rm(folder, { recursive: true });
    });

    it('take nothing after other words, a withdrawn request, or three times other digits', async () => {
      const [from, to] = await Promise.all(sessions.map((session) => PairingScreen.of(session)));
      await to!.click('#device-request-copy');
      const withdrawn = await to!.copied();
      const words = await to!.ownWords();
      await from!.paste('#device-request', withdrawn);
      await from!.chooseWords(words, false);
      await from!.confirm();
      await from!.tab.waitFor('#give-stopped', PATIENCE_MS);

      await from!.paste('#device-request', withdrawn);
      await from!.chooseWords(words);
      await from!.confirm();
      const early = await from!.digits();
      await from!.click('#device-answer-out .button-primary');
      const answer = await from!.copied();
      await from!.click('#device-given-done');
      await to!.click('#device-withdraw');
      await to!.click('#device-request-copy');
      const request = await to!.copied();
      await to!.paste('#device-answer', answer);
      await to!.typeDigits(early);
      await to!.tab.waitFor('#device-other-request', PATIENCE_MS);

      await from!.paste('#device-request', request);
      await from!.chooseWords(await to!.ownWords());
      await from!.confirm();
      const digits = await from!.digits();
      await from!.click('#device-answer-out .button-primary');
      await to!.paste('#device-answer', await from!.copied());
      const wrong = digits === '000000' ? '000001' : '000000';
      for (const left of [2, 1]) {
        await to!.typeDigits(wrong);
        await to!.tab.waitUntil(
          (tries) =>
            document.querySelector('#device-digits-error')?.textContent.includes(tries) ?? false,
          { timeoutMs: PATIENCE_MS },
          String(left),
        );
      }
      await to!.typeDigits(wrong);
      await to!.tab.waitFor('#device-ended', PATIENCE_MS);
      await to!.tab.waitFor('#device-request-copy', PATIENCE_MS);
      // Two requests were answered, and neither answer was taken.
      await from!.removeOther(3);
      await from!.removeOther(2);
      expect(await to!.tab.evaluate(() => document.querySelector('#members'))).to.equal(null);
      await Promise.all([from!.tab.close(), to!.tab.close()]);
    });

    it(`pair by text in ${ACTIONS_MAX} actions, and what one sealed opens on the other`, async () => {
      const began = Date.now();
      const [from, to] = await Promise.all(sessions.map((session) => PairingScreen.of(session)));
      await to!.click('#device-request-copy');
      const request = await to!.copied();
      expect(request.length).to.be.lessThan(1_850);
      await from!.paste('#device-request', request);
      await from!.chooseWords(await to!.ownWords());
      await from!.confirm();
      const digits = await from!.digits();
      await from!.click('#device-answer-out .button-primary');
      // As a mail program wraps it.
      const wrapped = (await from!.copied()).replace(/(.{70})/g, '$1\n> ');
      await to!.paste('#device-answer', `Hello!\n> ${wrapped}\n`);
      await to!.typeDigits(digits);
      await to!.click('#device-take');
      await to!.tab.waitFor('#device-taken', PATIENCE_MS);
      expect(from!.actions + to!.actions).to.be.at.most(ACTIONS_MAX);
      expect(Date.now() - began).to.be.at.most(DURATION_MAX_MS);
      await Promise.all([from!.members(2), to!.members(2)]);
      await Promise.all([from!.tab.close(), to!.tab.close()]);

      expect(await labelsIn(sessions[1]!)).to.equal(await labelsIn(sessions[0]!));
      await connect(sessions[1]!, freshSite, SEAL_AND_OPEN);
      expect(await succeed(freshSite, 'open', sealed)).to.deep.equal(bytes(1, 2, 3));
    });

    it('pair by files, the other way round', async () => {
      const [to, from] = await Promise.all(sessions.map((session) => PairingScreen.of(session)));
      await to!.click('#device-request-save');
      const words = await to!.ownWords();
      const path = join(folder, 'request');
      await writeFile(path, await lastDownload(to!.tab));
      await from!.choose('#device-request-file', path);
      await from!.chooseWords(words);
      await from!.confirm();
      const digits = await from!.digits();
      await from!.click('#device-answer-save');
      const answer = join(folder, 'answer');
      await writeFile(answer, await lastDownload(from!.tab));
      await to!.choose('#device-answer-file', answer);
      await to!.typeDigits(digits);
      await to!.click('#device-take');
      await to!.tab.waitFor('#device-taken', PATIENCE_MS);
      expect(from!.actions + to!.actions).to.be.at.most(ACTIONS_MAX);
      await Promise.all([from!.members(2), to!.members(2)]);
      await Promise.all([from!.tab.close(), to!.tab.close()]);
    });

    it('list each other until one removes the other', async () => {
      const screen = await PairingScreen.of(sessions[0]!);
      await screen.removeOther(2);
      await screen.tab.close();
    });
  });
}
