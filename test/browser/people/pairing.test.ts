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
  lockVault,
  openEnabledSite,
  SEAL_AND_OPEN,
  succeed,
  unlockVault,
} from '../steps.ts';
import {
  codePicture,
  filmOf,
  modulesOf,
  picture,
  plainCode,
  pngHead,
  pngOf,
} from '../../extension/manager/forms/code-pictures.ts';
import { labelsIn, PairingScreen } from './pairing-screen.ts';
import { PATIENCE_MS } from './person.ts';

/** Clicks, pasted and typed fields of both devices together (issue 43). */
const ACTIONS_MAX = 10;
const DURATION_MAX_MS = 60_000;

/** What Chromium's camera sees, and no dialog that asks for it. Firefox's cameras show no picture of a test's choice. */
const camera = (film: string) => ({
  chromium: [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ],
  firefox: { 'media.navigator.streams.fake': true, 'media.navigator.permission.disabled': true },
});
/** The code of an offer that there is not. */
const PLANTED = `SWD1:${'0'.repeat(64)}`;
const FRAME = { width: 640, height: 480 };
const GREY = picture(FRAME.width, FRAME.height, () => 128);

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
    let film: string;
    let sealed: unknown;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-pairing-'));
      server = await serve('test/browser/fixtures');
      film = join(folder, 'film.y4m');
      await writeFile(film, filmOf(GREY));
      const switches = camera(film);
      sessions = await Promise.all([launch(browser, { switches }), launch(fresh)]);
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

    // The browser asks for the camera once, which its switch answers here; a picture of the screen is taken beside the product.
    const scanned = browser === 'chromium' ? 'by the camera' : 'in a picture of the screen';
    it(`pair by the code, scanned ${scanned}, in ${ACTIONS_MAX} actions`, async () => {
      const began = Date.now();
      const [from, to] = await Promise.all(sessions.map((session) => PairingScreen.of(session)));
      await to!.click('#device-request-copy');
      await from!.paste('#device-request', await to!.copied());
      if (browser === 'chromium') {
        await writeFile(film, filmOf(codePicture(await to!.ownCode(), { ...FRAME, scale: 8 })));
        await from!.click('#device-code-camera');
      } else {
        const photo = join(folder, 'photo.png');
        await to!.photographCode(photo);
        await from!.choose('#device-code-picture', photo);
      }
      await from!.confirm();
      const digits = await from!.digits();
      await from!.click('#device-answer-out .button-primary');
      await to!.paste('#device-answer', await from!.copied());
      await to!.typeDigits(digits);
      await to!.click('#device-take');
      await to!.tab.waitFor('#device-taken', PATIENCE_MS);
      expect(from!.actions + to!.actions).to.be.at.most(ACTIONS_MAX);
      expect(Date.now() - began).to.be.at.most(DURATION_MAX_MS);
      await Promise.all([from!.tab.close(), to!.tab.close()]);
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

interface Watched {
  /** What each press of the camera's button has opened. */
  opened?: Promise<MediaStream>[];
}

/** From here on the page's cameras are counted. @param fault the name of the error that they give instead */
function watchCameras(fault?: string): void {
  const watched = globalThis as Watched;
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  watched.opened ??= [];
  mediaDevices.getUserMedia = (wanted) => {
    const opening = fault ? Promise.reject(new DOMException('', fault)) : open(wanted);
    watched.opened!.push(opening);
    return opening;
  };
}

/** From here on the page says so of itself, and hears that this has changed. */
function hide(isHidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** How many cameras were opened, and how many of them are still on. */
async function camerasOf(tab: Tab): Promise<readonly [opened: number, on: number]> {
  return tab.evaluate(async () => {
    const { opened = [] } = globalThis as Watched;
    const streams = await Promise.allSettled(opened);
    const tracks = streams.flatMap((it) => (it.status === 'fulfilled' ? it.value.getTracks() : []));
    return [
      opened.length,
      tracks.filter(({ readyState }) => readyState === 'live').length,
    ] as const;
  });
}

for (const browser of BROWSERS) {
  describe(`the code of a request, scanned in ${browser}`, function () {
    this.timeout(120_000);
    let session: BrowserSession;
    let folder: string;
    let screen: PairingScreen;
    let code: string;
    let request: string;

    const inFolder = async (name: string, contents: string | Uint8Array) => {
      const path = join(folder, name);
      await writeFile(path, contents);
      return path;
    };
    const errorOf = async (part: string): Promise<string> => {
      await screen.tab.waitFor(part, PATIENCE_MS);
      return screen.tab.text(part);
    };

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'sealwright-code-'));
      const film = await inFolder('film.y4m', filmOf(GREY));
      session = await launch(browser, { switches: camera(film) });
      await createVault(session);
      screen = await PairingScreen.of(session);
      await screen.click('#device-request-copy');
      request = await screen.copied();
      await screen.photographCode(join(folder, 'own.png'));
      code = await inFolder('code.png', pngOf(plainCode(await screen.ownCode())));
    });

    beforeEach(async () => {
      await screen.tab.reload();
      await screen.tab.waitFor('#device-own-code .qr', PATIENCE_MS);
      await screen.paste('#device-request', request);
      await screen.tab.waitFor('#device-code-camera', PATIENCE_MS);
      await screen.tab.evaluate(watchCameras);
    });

    after(async () => {
      await session.close();
      await rm(folder, { recursive: true });
    });

    it('leads to the passphrase, from a picture of the screen that is chosen or pasted', async () => {
      await screen.choose('#device-code-picture', join(folder, 'own.png'));
      await screen.tab.waitFor('#current-passphrase', PATIENCE_MS);
      await screen.tab.press('Escape');
      await screen.tab.waitUntil(() => !document.querySelector('#current-passphrase'));
      await screen.tab.evaluate(
        async (modules) => {
          const canvas = new OffscreenCanvas(modules.length * 6, modules.length * 6);
          const context = canvas.getContext('2d')!;
          context.fillStyle = '#fff';
          context.fillRect(0, 0, canvas.width, canvas.height);
          context.fillStyle = '#000';
          modules.forEach((row, y) =>
            row.forEach((isDark, x) => isDark && context.fillRect(x * 6, y * 6, 6, 6)),
          );
          const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
          const clipboardData = new DataTransfer();
          clipboardData.items.add(new File([blob], 'photo.jpg', { type: 'image/jpeg' }));
          // Firefox takes no files for a ClipboardEvent.
          const paste = new Event('paste', { bubbles: true, cancelable: true });
          document.body.dispatchEvent(Object.assign(paste, { clipboardData }));
        },
        await screen.ownCode(),
      );
      await screen.tab.waitFor('#current-passphrase', PATIENCE_MS);
    });

    it('gives nothing where it is that of another request, and asks for no passphrase', async () => {
      const planted = await inFolder('planted.png', pngOf(plainCode(modulesOf(PLANTED))));
      await screen.choose('#device-code-picture', planted);
      expect(await errorOf('#give-stopped')).to.include('another request');
      expect(await screen.tab.evaluate(() => document.querySelector('dialog'))).to.equal(null);
      expect(await screen.tab.evaluate(() => document.querySelector('#device-code'))).to.equal(
        null,
      );
    });

    it('is told from other codes, and pictures without one, damaged or too large', async () => {
      const whole = pngOf(plainCode(modulesOf('WIFI:T:WPA;S:home;P:1234;;')));
      const pixels = whole.indexOf('IDAT');
      const damaged = whole.with(pixels + 6, whole[pixels + 6]! ^ 0xff);
      const faults: readonly [string, Uint8Array, string][] = [
        ['wifi.png', whole, 'something else'],
        ['grey.png', pngOf(GREY), 'No code'],
        // Firefox shows as much of a picture as there is.
        ['damaged.png', damaged, browser === 'firefox' ? 'No code' : 'damaged'],
        ['cut.png', whole.subarray(0, pixels + 9), browser === 'firefox' ? 'No code' : 'damaged'],
        ['text.png', new TextEncoder().encode('a letter'), 'damaged'],
        ['empty.jpg', new Uint8Array(0), 'damaged'],
        ['bomb.png', pngHead(65_000, 65_000), 'too large'],
        ['long.png', new Uint8Array(2 ** 25 + 1), 'too large'],
      ];
      for (const [name, contents, said] of faults) {
        await screen.choose('#device-code-picture', await inFolder(name, contents));
        await screen.tab.waitUntil(
          (words) =>
            document.querySelector('#device-code-picture-error')?.textContent.includes(words) ??
            false,
          { timeoutMs: PATIENCE_MS },
          said,
        );
      }
      // And the field is as good as before.
      await screen.choose('#device-code-picture', code);
      await screen.tab.waitFor('#current-passphrase', PATIENCE_MS);
    });

    it('needs a press for the camera, which ends with another one, a hidden page, the view and a lock', async () => {
      const { tab } = screen;
      const ends: readonly [string, () => Promise<void>][] = [
        ['the button', () => tab.click('#device-code-camera')],
        ['a chosen picture', () => tab.chooseFile('#device-code-picture', code)],
        ['a hidden page', () => tab.evaluate(hide, true)],
        [
          'another screen',
          () =>
            tab.evaluate(() => {
              location.hash = 'files';
            }),
        ],
        // Its popup hides the page, which alone would end the camera.
        ['a lock', () => tab.evaluate(hide, false).then(() => lockVault(session))],
      ];
      expect(await camerasOf(tab)).to.deep.equal([0, 0]);
      for (const [what, end] of ends) {
        await tab.click('#device-code-camera');
        await tab.waitFor('#device-code-seen', PATIENCE_MS);
        expect(await camerasOf(tab), what).to.deep.equal([1, 1]);
        await end();
        await tab.waitUntil(() => !document.querySelector('#device-code-seen'));
        expect(await camerasOf(tab), what).to.deep.equal([1, 0]);
        if (what === 'a lock') await unlockVault(session);
        await tab.goto(session.extensionUrl('manager.html#devices'));
        await tab.reload();
        await screen.paste('#device-request', request);
        await tab.waitFor('#device-code-camera', PATIENCE_MS);
        await tab.evaluate(watchCameras);
      }
    });

    it('says why there is no camera, and takes a picture all the same', async () => {
      const faults = {
        NotFoundError: 'No camera',
        NotAllowedError: 'address bar',
        NotReadableError: 'Another program',
        AbortError: 'Another program',
      };
      for (const [name, said] of Object.entries(faults)) {
        await screen.tab.evaluate(watchCameras, name);
        await screen.click('#device-code-camera');
        await screen.tab.waitUntil(
          (words) =>
            document.querySelector('#device-code-fault')?.textContent.includes(words) ?? false,
          { timeoutMs: PATIENCE_MS },
          said,
        );
      }
      await screen.choose('#device-code-picture', code);
      await screen.tab.waitFor('#current-passphrase', PATIENCE_MS);
    });
  });
}
