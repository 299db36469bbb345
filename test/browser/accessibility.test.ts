import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import type { BrowserSession, Tab } from './drivers/driver.ts';
import { BROWSERS, launch } from './drivers/launch.ts';
import { lostByForce } from '../support/lost-by-force.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { closeScene } from './scene.ts';
import { serve, type TestServer } from './server.ts';
import {
  call,
  chooseFirstPassphrase,
  connect,
  lockVault,
  openEnabledSite,
  openPopup,
  openSitePopup,
  openWelcome,
  SEAL_AND_OPEN,
  openAdvanced,
} from './steps.ts';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const SCREENS = resolve('artifacts/screens');

/** `npm test` looks at light alone, `npm run nightly` at both. */
const SCHEMES = IS_NIGHTLY ? (['light', 'dark'] as const) : (['light'] as const);

/** Where colours say what is current, chosen or wrong; each with what shows that it is drawn. */
const FORCED_VIEWS = [
  ['popup.html', '#nav-keys'],
  ['manager.html#keys', '#keys'],
  ['manager.html#files', '#open-file-now'],
  ['manager.html#security', '#slots'],
] as const;

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/**
 * WCAG 2.2, 1.4.10: no line is read by scrolling sideways at 320 CSS pixels (1280 at 400 %). A popup
 * is as wide as it asks to be, and the browser makes it wider where it is zoomed.
 */
async function sidewaysAt320(tab: Tab): Promise<string[]> {
  if ((await tab.url()).includes('/popup.html')) return [];
  await tab.setViewport(320, 640);
  const over = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return over > 0 ? [`scrolls sideways by ${over} px`] : [];
}

/** What axe-core finds wrong with the page, as readable lines. */
async function axeFinds(tab: Tab): Promise<string[]> {
  await tab.inject(AXE);
  return await tab.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: Violation[] }> };
    };
    const run = await axe.run();
    return run.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

/** Fields for text that the browser may write to its session store, or send to a spelling aid. */
function restorable(tab: Tab): Promise<string[]> {
  return tab.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('textarea, input')]
      .filter((field) => !['checkbox', 'radio', 'file', 'password'].includes(field.type))
      .filter((field) => field.autocomplete !== 'off' || field.spellcheck)
      .map((field) => `may be stored: ${field.outerHTML}`),
  );
}

/** The same at a narrow window's size, and what is too wide for it; leaves a screenshot. */
async function violations(tab: Tab, name: string): Promise<string[]> {
  await tab.setViewport(420, 640);
  await tab.screenshot(`${SCREENS}/${name}.png`);
  return [...(await axeFinds(tab)), ...(await restorable(tab)), ...(await sidewaysAt320(tab))];
}

for (const browser of BROWSERS) {
  for (const colorScheme of SCHEMES) {
    describe(`the extension's pages, ${colorScheme}, in ${browser}`, () => {
      let session: BrowserSession;
      let server: TestServer;
      const name = (view: string) => `${browser}-${colorScheme}-${view}`;

      before(async () => {
        mkdirSync(SCREENS, { recursive: true });
        [session, server] = await Promise.all([
          launch(browser, { colorScheme }),
          serve('test/browser/fixtures'),
        ]);
      });

      after(() => closeScene({ session, server }));

      it('first run: axe-core finds nothing', async () => {
        const popup = await openPopup(session);
        await popup.waitFor('#finish-setup');
        expect(await violations(popup, name('first-run'))).to.deep.equal([]);
        await popup.close();
        const welcome = await openWelcome(session);
        await welcome.waitFor('#create-vault');
        expect(await violations(welcome, name('welcome-passphrase'))).to.deep.equal([]);
        await welcome.click('#have-backup');
        await welcome.waitFor('#restore-lost');
        expect(await violations(welcome, name('welcome-restore'))).to.deep.equal([]);
        await welcome.reload();
        await chooseFirstPassphrase(welcome);
        expect(await violations(welcome, name('welcome-code'))).to.deep.equal([]);
        await welcome.click('#recovery-written');
        await welcome.waitFor('#recovery-group-0');
        expect(await violations(welcome, name('welcome-groups'))).to.deep.equal([]);
        await welcome.close();
      });

      it('the dialog that asks for the passphrase: axe-core finds nothing', async () => {
        const manager = await session.newTab(session.extensionUrl('manager.html#backup'));
        await manager.click('#make-recovery-code');
        await manager.waitFor('#current-passphrase');
        expect(await violations(manager, name('manager-passphrase'))).to.deep.equal([]);
        await manager.press('Escape');
        await manager.waitUntil(() => document.querySelector('dialog') === null);
        const focused = await manager.evaluate(() => document.activeElement?.id);
        expect(focused).to.equal('make-recovery-code');
        await manager.close();
      });

      it('the prompt: axe-core finds nothing', async () => {
        const site = await openEnabledSite(session, `${server.origin}/blank.html`);
        const asked = call(site, 'connect', SEAL_AND_OPEN);
        const prompt = await session.waitForTab('prompt.html');
        await prompt.waitFor('#allow[aria-disabled="false"]');
        expect(await violations(prompt, name('prompt'))).to.deep.equal([]);
        // The picture resized the window, which disarms it for half a second more.
        await new Promise((resume) => setTimeout(resume, 200));
        await prompt.waitFor('#allow[aria-disabled="false"]');
        await prompt.click('#allow');
        expect((await asked).ok).to.equal(true);
        const popup = await openSitePopup(session, site);
        expect(await violations(popup, name('site'))).to.deep.equal([]);
        await popup.close();
        await site.close();
      });

      it('the question about a new generation: axe-core finds nothing', async () => {
        const site = await openEnabledSite(session, `${server.origin}/blank.html`);
        const requested = { ...SEAL_AND_OPEN, key: { kind: 'sealing', label: 'Shared' } };
        const outcome = await connect(session, site, requested);
        const [grant] = (outcome as unknown as { value: readonly { keyId: string }[] }).value;
        const asked = call(site, 'rotateKey', grant!.keyId);
        const prompt = await session.waitForTab('prompt.html');
        await prompt.waitFor('#rotated-key');
        expect(await violations(prompt, name('prompt-rotate'))).to.deep.equal([]);
        await prompt.click('#deny');
        expect((await asked).ok).to.equal(false);
        await site.close();
      });

      // It makes a sealing key, which the prompts above would offer.
      it('the last step of the first run: axe-core finds nothing', async () => {
        const welcome = await openWelcome(session);
        await welcome.click('#welcome-later');
        await welcome.type('#try-text', 'The key is under the third flower pot.');
        await welcome.click('#try-seal');
        await welcome.click('#try-open');
        await welcome.waitFor('#try-opened');
        expect(await violations(welcome, name('welcome-try'))).to.deep.equal([]);
        await welcome.close();
      });

      for (const screen of ['sites', 'keys', 'entropy', 'self-test', 'settings', 'about']) {
        it(`${screen}: axe-core finds nothing`, async () => {
          const popup = await openPopup(session);
          await popup.waitFor('#nav-site');
          if (screen === 'sites' || screen === 'keys') await popup.click(`#nav-${screen}`);
          else {
            await popup.click('#nav-more');
            if (screen === 'entropy') await openAdvanced(popup);
            await popup.click(`#open-${screen}`);
          }
          await popup.waitFor('#view-title');
          expect(await violations(popup, name(screen))).to.deep.equal([]);
          await popup.close();
        });
      }

      for (const screen of [
        'keys',
        'contacts',
        'sites',
        'activity',
        'files',
        'backup',
        'security',
        'self-test',
        'settings',
        'about',
      ]) {
        it(`the manager's ${screen}: axe-core finds nothing`, async () => {
          const manager = await session.newTab(session.extensionUrl(`manager.html#${screen}`));
          await manager.waitFor(`#nav-${screen}[aria-current]`);
          await manager.waitFor('#view-title');
          expect(await violations(manager, name(`manager-${screen}`))).to.deep.equal([]);
          await manager.close();
        });
      }

      // Firefox's protocol has no forced colours.
      for (const [page, ready] of browser === 'chromium' ? FORCED_VIEWS : []) {
        it(`${page} in forced colours: nothing is lost`, async () => {
          const isForced = () => matchMedia('(forced-colors: active)').matches;
          const tab = await session.newTab(session.extensionUrl(page));
          await tab.setViewport(420, 640);
          await tab.forceColors!();
          await tab.reload();
          await tab.waitFor(ready);
          await tab.screenshot(`${SCREENS}/${name(`forced-${page.replace(/\W+/g, '-')}`)}.png`);
          expect(await tab.evaluate(lostByForce)).to.deep.equal([]);
          expect(await axeFinds(tab)).to.deep.equal([]);
          expect(await tab.evaluate(isForced)).to.equal(true);
          await tab.close();
        });
      }

      it('unlock: axe-core finds nothing', async () => {
        await lockVault(session);
        const popup = await openPopup(session);
        await popup.waitFor('#unlock');
        expect(await violations(popup, name('unlock'))).to.deep.equal([]);
        await popup.close();
      });
    });
  }
}
