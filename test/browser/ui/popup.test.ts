import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { WELCOME_PAGE, type BrowserSession, type Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { PATIENCE_MS, poll } from '../drivers/page-function.ts';
import { storedBytes } from '../in-page/attacks/stored-bytes.ts';
import { closeScene } from '../scene.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { layoutFaults } from '../../support/views/layout-faults.ts';
import { serve, type TestServer } from '../server.ts';
import {
  chooseAction,
  connect,
  createVault,
  focusIsAt,
  openEnabledSite,
  openPopup,
  openSitePopup,
  openWelcome,
  PASSPHRASE,
  refusal,
  succeed,
  openAdvanced,
  tabTo,
  showIn,
} from '../steps.ts';

/* The popup as a person uses it: by clicks, by keys, by moving the pointer. */
async function show(popup: Tab, screen: string): Promise<void> {
  await popup.waitFor('#nav-site');
  await popup.click('#nav-more');
  if (screen === 'entropy') await openAdvanced(popup);
  await popup.click(`#open-${screen}`);
}

interface Scripting {
  getRegisteredContentScripts(): Promise<{ id: string }[]>;
  executeScript(injection: object): Promise<{ result: boolean }[]>;
}
interface Tabs {
  query(filter: object): Promise<{ id: number }[]>;
}

/** How many scripts that gather movements are registered, and how many are at work in open pages. */
const gatherers = (popup: Tab): Promise<{ registered: number; atWork: number }> =>
  popup.evaluate(async () => {
    const { browser: one, chrome: two } = globalThis as unknown as Record<
      string,
      { scripting: Scripting; tabs: Tabs } | undefined
    >;
    const { scripting, tabs } = (one ?? two)!;
    const scripts = await scripting.getRegisteredContentScripts();
    const open = await tabs.query({ url: 'http://localhost/*' });
    const found = await Promise.all(
      open.map(({ id: tabId }) =>
        scripting.executeScript({
          target: { tabId },
          func: () => {
            const world = globalThis as unknown as Record<symbol, unknown>;
            return world[Symbol.for('sealwright movements')] !== undefined;
          },
        }),
      ),
    );
    return {
      registered: scripts.filter(({ id }) => id === 'movements http://localhost/*').length,
      atWork: found.flat().filter(({ result }) => result).length,
    };
  });

/** Movements of sites are sent so many at a time. */
const DIGEST_EVENTS = 32;

/** The numbers in the elements; null for "–". */
const figures = (selector: string): (number | null)[] =>
  Array.from(document.querySelectorAll(selector), ({ textContent }) =>
    textContent === '–' ? null : Number(textContent),
  );

/** In the entropy view: how many events the random generator has collected. */
const gatheredEvents = (): number => Number(document.querySelectorAll('dd')[1]!.textContent);

async function untilGatherers(popup: Tab, count: 0 | 1): Promise<void> {
  await poll(`${count} registered and at work`, PATIENCE_MS, async () => {
    const { registered, atWork } = await gatherers(popup);
    return registered === count && atWork === count ? true : undefined;
  });
}

for (const browser of BROWSERS) {
  let session: BrowserSession;
  let server: TestServer;

  /** The views of the random generator and of the self-test. */
  function describeRandomAndSelfTest(): void {
    it('fills the pools as the pointer moves', async () => {
      const popup = await openPopup(session);
      await show(popup, 'entropy');
      await popup.waitFor('#pools');
      const filled = () =>
        popup.evaluate(() =>
          [...document.querySelectorAll('#pools .pool-fill')].reduce(
            (sum, one) => sum + Number(one.getAttribute('height')),
            0,
          ),
        );
      const before = await filled();
      const steps = Array.from({ length: 120 }, (_, i) => [20 + 2 * i, 300 + (i % 40)] as const);
      await popup.moveMouse(steps);
      await popup.waitUntil(
        (level) =>
          [...document.querySelectorAll('#pools .pool-fill')].reduce(
            (sum, one) => sum + Number(one.getAttribute('height')),
            0,
          ) > level,
        {},
        before,
      );
      await popup.close();
    });

    it('counts keys that are pressed, one by one', async () => {
      const popup = await openPopup(session);
      await show(popup, 'entropy');
      await popup.waitFor('#pools');
      const before = await popup.evaluate(gatheredEvents);
      // Each is pressed and released; the first one only starts the clock.
      for (let key = 0; key < 8; key++) await popup.press('Tab');
      await popup.waitUntil(
        (wanted) => Number(document.querySelectorAll('dd')[1]!.textContent) >= wanted,
        {},
        before + 15,
      );
      await popup.close();
    });

    it('gathers movements on a site only while that is switched on', async () => {
      const site = await openEnabledSite(session, `${server.origin}/blank.html`);
      // The pointer moves in the tab in front alone: the popup's is closed again each time.
      const inPopup = async <T>(work: (popup: Tab) => Promise<T>): Promise<T> => {
        const popup = await openPopup(session);
        const result = await work(popup);
        await popup.close();
        return result;
      };
      const events = () =>
        inPopup(async (popup) => {
          await show(popup, 'entropy');
          await popup.waitFor('#pools');
          return popup.evaluate(gatheredEvents);
        });
      const choose = (count: 0 | 1) =>
        inPopup(async (popup) => {
          await show(popup, 'settings');
          await popup.click('#advanced > summary');
          await popup.click('#site-movements');
          await untilGatherers(popup, count);
        });
      const move = () =>
        site.moveMouse(Array.from({ length: 60 }, (_, i) => [20 + 3 * i, 60 + (i % 30)] as const));
      const before = await events();
      expect(await inPopup(gatherers)).to.deep.equal({ registered: 0, atWork: 0 });
      await move();
      // The clicks of this test are movements on a page of ours, a few of them.
      expect(await events()).to.be.below(before + DIGEST_EVENTS);
      await choose(1);
      const chosen = await events();
      await move();
      const deadline = Date.now() + 30_000;
      while ((await events()) < chosen + DIGEST_EVENTS) {
        expect(Date.now(), 'stirred').to.be.below(deadline);
      }
      await choose(0);
      await site.close();
    });

    // What is measured comes after all known answers.
    it('tests the engines, and cancels the self-test when it measures', async () => {
      const popup = await openPopup(session);
      await show(popup, 'self-test');
      await popup.click('#self-test-start');
      await popup.waitFor('#self-test-cancel');
      // A square beside the word looked like a checkbox.
      expect(await popup.evaluate(() => document.querySelector('#self-test-cancel svg'))).to.equal(
        null,
      );
      await popup.click('#self-test-details > summary');
      await popup.waitFor('#self-test-details canvas', 60_000);
      const engines = await popup.evaluate(() =>
        Array.from(document.querySelectorAll('#known-answers .row'), (row) => [
          row.querySelector('.row-title')!.textContent,
          row.querySelector('.icon-good') !== null,
        ]),
      );
      expect(Object.fromEntries(engines)).to.include({ native: true, 'wasm-simd': true, js: true });
      // Measured in the background before the engines: random bytes, and a round trip through the vault.
      const times = await popup.evaluate(figures, '#background-times td');
      expect(times).to.have.length(2);
      for (const time of times) expect(time).to.be.within(0.001, 60_000);
      await popup.click('#self-test-cancel');
      await popup.waitFor('#self-test-start');
      await popup.close();
    });

    // The measurements take half a minute.
    const inNightly = IS_NIGHTLY ? it : () => undefined;
    inNightly('tests the engines and measures them, with progress and chart', async function () {
      this.timeout(180_000);
      const popup = await openPopup(session);
      await show(popup, 'self-test');
      await popup.click('#self-test-start');
      await popup.waitFor('#self-test-cancel');
      await popup.waitFor('#self-test-export', 150_000);
      expect(await popup.text('#self-test-verdict')).to.match(/^Everything works: (\d+) of \1 /);
      await popup.click('#self-test-details > summary');
      await popup.waitFor('#self-test-details canvas');
      const answers = await popup.text('#known-answers');
      expect(answers)
        .to.match(/native/)
        .and.match(/wasm-simd/)
        .and.match(/js/);
      expect(await popup.evaluate(() => document.querySelectorAll('canvas').length)).to.equal(1);
      const operations = await popup.evaluate(() =>
        Array.from(document.querySelectorAll('#call-times th[scope=rowgroup]'), (row) => [
          row.textContent,
          row.closest('tbody')!.querySelectorAll('th[scope=row]').length,
        ]),
      );
      expect(operations).to.deep.equal([
        ['Decrypt 64\u00a0KiB', 9],
        ['Encrypt 64\u00a0KiB', 8],
        ['Derive a key', 3],
        ['Modular exponentiation', 1],
      ]);
      const times = await popup.evaluate(figures, '#call-times tbody:not([id]) td');
      expect(times).to.have.length(3 * 21);
      const measured = times.filter((time) => time !== null);
      expect(measured.length).to.be.within(2 * 21, 3 * 21);
      for (const time of measured) expect(time).to.be.within(0.001, 60_000);
      // As wide as a tab, where the popup's page does not scroll inside.
      await popup.setViewport(500, 1100);
      mkdirSync('artifacts/screens', { recursive: true });
      await popup.screenshot(`artifacts/screens/${browser}-self-test-done.png`);
      await popup.close();
    });
  }

  describe(`the popup, in ${browser}`, () => {
    before(async () => {
      [session, server] = await Promise.all([launch(browser), serve('test/browser/fixtures')]);
    });

    after(() => closeScene({ session, server }));

    it('leads to the first run while there is no vault, and later to its missing step', async () => {
      const popup = await openPopup(session);
      expect(await popup.evaluate(() => document.querySelector('input'))).to.equal(null);
      await popup.click('#finish-setup');
      const welcome = await session.waitForTab(WELCOME_PAGE);
      await popup.close().catch(() => undefined); // a popup closes itself, a tab of the test may not
      await welcome.waitFor('#create-vault');
      await welcome.close();
      await createVault(session);
      const again = await openWelcome(session);
      // The code was shown once: another one takes the passphrase.
      await again.waitFor('#make-recovery-code');
      await again.click('#welcome-later');
      await again.waitFor('#try-text');
      await again.click('#welcome-done');
      await again.waitFor('#nav-home[aria-current]');
      await again.close();
      const reminded = await openPopup(session);
      await reminded.click('#open-recovery');
      const manager = await session.waitForTab('manager.html#backup');
      await reminded.close().catch(() => undefined);
      await manager.waitFor('#make-recovery-code');
      await manager.close();
    });

    it('reminds of the recovery code in one line', async () => {
      const popup = await openPopup(session);
      await popup.waitFor('.reminder-line');
      const height = () => document.querySelector('.reminder')!.getBoundingClientRect().height;
      expect(await popup.evaluate(height)).to.be.below(64);
      await popup.close();
    });

    it('offers what works by copying where it cannot reach into a page', async () => {
      const blank = await session.newTab('about:blank');
      const popup = await session.openPopupFor(blank);
      await popup.waitFor('#site-problem');
      await popup.waitFor('#field-write');
      expect(await popup.text('section section, main')).to.include('copy it');
      expect(await popup.evaluate(() => document.querySelector('#field-seal'))).to.equal(null);
      await popup.waitFor('main #open-manager');
      await popup.click('#field-write');
      const window = await session.waitForTab('fields-window.html');
      await window.waitFor('#seal-copy');
      expect(await window.evaluate(() => document.querySelector('#seal-insert'))).to.equal(null);
      await window.close();
      await popup.close().catch(() => undefined);
      await blank.close();
    });

    it('is as wide as its window in a tab, as on a phone', async () => {
      const popup = await session.newTab(session.extensionUrl('popup.html'));
      await popup.setViewport(320, 640);
      for (const screen of ['site', 'sites', 'keys', 'more']) {
        await popup.click(`#nav-${screen}`);
        await popup.waitFor(`#nav-${screen}[aria-current="page"]`);
        await popup.waitFor('main h1');
        await popup.waitUntil(() => document.body.clientWidth <= 320);
        expect(await popup.evaluate(layoutFaults), screen).to.deep.equal([]);
      }
      await popup.close();
    });

    it('shows its whole name beside the picture and the lock', async () => {
      const popup = await openPopup(session);
      await popup.waitFor('#lock-now');
      await popup.waitFor('header .small-picture[role="img"]');
      const [shown, needed] = await popup.evaluate(() => {
        const name = document.querySelector('.top-name')!;
        return [name.clientWidth, name.scrollWidth] as const;
      });
      expect(needed).to.be.at.most(shown);
      await popup.close();
    });

    it('locks, refuses a wrong passphrase and takes the right one', async () => {
      const popup = await openPopup(session);
      await popup.click('#lock-now');
      await popup.waitFor('#unlock');
      await popup.type('#passphrase', 'not my passphrase');
      await popup.press('Enter');
      await popup.waitFor('#passphrase[aria-invalid="true"], [role="alert"]');
      await popup.reload();
      await popup.type('#passphrase', PASSPHRASE);
      await popup.press('Enter');
      await popup.waitFor('#nav-site', 30_000);
      await popup.close();
    });

    it('is used by keyboard alone, in reading order, to the recovery code', async () => {
      const popup = await openPopup(session);
      await popup.waitFor('#nav-site');
      await popup.evaluate(() => document.querySelector<HTMLElement>('#lock-now')!.focus());
      for (const tab of ['nav-site', 'nav-sites', 'nav-keys', 'nav-more']) await tabTo(popup, tab);
      await popup.press('Enter');
      await popup.waitFor('#nav-more[aria-current]');
      // A screen begins at its title, and Tab goes on from there.
      for (const entry of ['open-manager', 'open-settings']) await tabTo(popup, entry);
      await popup.press('Enter');
      await popup.waitFor('#language');
      await tabTo(popup, 'language');
      await popup.reload();
      // What is missing comes first.
      await focusIsAt(popup, 'reminder');
      await popup.press('Tab');
      await focusIsAt(popup, 'open-recovery');
      await popup.press('Enter').catch(() => undefined); // it closes itself while the key is down
      const manager = await session.waitForTab('manager.html#backup');
      await popup.close().catch(() => undefined);
      await manager.waitFor('#make-recovery-code');
      await tabTo(manager, 'make-recovery-code');
      await manager.press('Enter');
      await focusIsAt(manager, 'current-passphrase');
      await manager.typeAtFocus(PASSPHRASE);
      await manager.press('Enter');
      await manager.waitFor('#recovery-sheet', 30_000);
      await tabTo(manager, 'recovery-written');
      await manager.press('Enter');
      await focusIsAt(manager, 'recovery-group-0');
      await manager.close();
      const again = await openPopup(session);
      await again.click('#nav-site');
      await again.close();
    });

    it('creates a key with a name, which a site can be given', async () => {
      const popup = await openPopup(session);
      await popup.click('#nav-keys');
      await popup.type('#new-key-label', 'Family photos');
      await popup.click('#create-key');
      await popup.waitUntil(
        () => document.querySelector('#keys')?.textContent.includes('Family photos') === true,
      );
      await popup.close();
    });

    it('shows what a site may do, and takes it back at once', async () => {
      const site = await openEnabledSite(session, `${server.origin}/blank.html`);
      await connect(session, site);
      const sites = await openPopup(session);
      await sites.click('#nav-sites');
      await sites.waitFor('#sites summary');
      expect(await sites.text('#sites summary')).to.include(server.origin);
      await showIn(sites, { language: 'ar', theme: 'light' });
      expect(await sites.evaluate(layoutFaults)).to.deep.equal([]);
      await showIn(sites, { language: 'auto', theme: 'system' });
      await chooseAction(sites, '#sites li', 'disable');
      expect(await sites.text('#sites .confirm')).to.include('Turn off');
      await sites.press('Enter');
      await sites.waitUntil(() => document.querySelector('#sites .confirm') === null);
      await chooseAction(sites, '#sites li', 'activity');
      const activity = await session.waitForTab('manager.html#activity');
      await activity.waitFor('.activity');
      await activity.close();
      await sites.close().catch(() => undefined);
      expect(await refusal(site, 'seal', 'text')).to.equal('none');
      const popup = await openSitePopup(session, site);
      expect(await popup.text('#site-ports')).to.include('localhost, every port');
      await popup.waitFor('.grant');
      await popup.click('.grant button');
      await popup.waitFor('.grant .button-danger');
      const below = () => {
        const topOf = (one: string) => document.querySelector(one)!.getBoundingClientRect().top;
        return Math.round(topOf('#site-activity') - topOf('#site-state'));
      };
      const before = await popup.evaluate(below);
      await popup.click('.grant .button-danger');
      await popup.waitUntil(() => document.querySelector('.grant') === null);
      expect(await popup.text('.grant-gone')).to.include('What was sealed stays sealed');
      expect(await popup.evaluate(below), 'moved').to.equal(before);
      expect(await refusal(site, 'seal', 'text')).to.equal('NOT_GRANTED');
      await popup.click('#nav-keys');
      await popup.waitFor('#keys > li');
      expect(await popup.text('#keys > li')).to.include('sealed 1 message');
      await popup.close();
      await site.close();
    });

    describeRandomAndSelfTest();

    it('keeps no passphrase in its fields or in clear storage', async () => {
      const popup = await openPopup(session);
      const stored = await popup.evaluate(storedBytes);
      expect(stored).to.not.include(PASSPHRASE).and.not.include(btoa(PASSPHRASE).slice(0, 20));
      expect(stored).to.not.include(server.origin).and.not.include('Family photos');
      await popup.close();
    });

    it('comes back as it was after the extension was reloaded', async () => {
      const site = await openEnabledSite(session, `${server.origin}/blank.html`);
      await session.reloadExtension();
      const popup = await openPopup(session);
      await popup.waitFor('#unlock, #nav-site');
      if (await popup.evaluate(() => document.querySelector('#unlock') !== null)) {
        await popup.type('#passphrase', PASSPHRASE);
        await popup.press('Enter');
      }
      await popup.waitFor('#nav-keys', 30_000);
      await popup.click('#nav-keys');
      await popup.waitFor('#keys');
      expect(await popup.text('#keys')).to.include('Family photos');
      // The page that was open is served by the new scripts, without a reload.
      const { locked } = (await succeed(site, 'status')) as { locked: boolean };
      expect(locked).to.equal(false);
      await popup.close();
      await site.close();
    });
  });
}
