import { mkdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { lostByForce } from '../../support/views/lost-by-force.ts';
import { inDepth } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';
import { layoutFaults } from '../../support/views/layout-faults.ts';
import { closeScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { showIn } from '../steps.ts';
import { VIEWS } from '../views.ts';

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

const FORCED = inDepth<readonly (typeof FORCED_VIEWS)[number][]>(
  FORCED_VIEWS,
  FORCED_VIEWS.slice(0, 1),
);

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/**
 * In a window of 320 CSS pixels no line is read by scrolling sideways (WCAG 2.2, 1.4.10; it is 1280 at 400 %).
 * A popup is as wide as it asks to be, and the browser makes it wider where it is zoomed.
 */
async function faultsAt320(tab: Tab): Promise<string[]> {
  const url = await tab.url();
  if (url.includes('/popup.html')) return [];
  await tab.setViewport(320, 640);
  const faults = async (language = 'en') =>
    (await tab.evaluate(layoutFaults)).map((fault) => `${language}, at 320 px: ${fault}`);
  // The Lab is a page of the site, which is in English alone.
  if (url.startsWith('http')) return faults();
  const found: string[] = [];
  // German words are the longest.
  for (const language of ['en', 'de']) {
    await showIn(tab, { language, theme: 'system' });
    found.push(...(await faults(language)));
  }
  // As the browser has it, for what is looked at next.
  await showIn(tab, { language: 'auto', theme: 'system' });
  await tab.evaluate(() => localStorage.removeItem('preferences'));
  return found;
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

/** The same, and faults of the layout, also in a narrow window; leaves a screenshot. */
async function violations(tab: Tab, name: string): Promise<string[]> {
  await tab.setViewport(420, 640);
  await tab.screenshot(`${SCREENS}/${name}.png`);
  return [
    ...(await axeFinds(tab)),
    ...(await restorable(tab)),
    ...(await tab.evaluate(layoutFaults)),
    ...(await faultsAt320(tab)),
  ];
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

      for (const { title, show, isMain } of VIEWS) {
        if (!inDepth(true, isMain === true)) continue;
        it(`${title}: axe-core finds nothing`, async () => {
          await show({ session, server }, async (tab, view) => {
            expect(await violations(tab, name(view)), view).to.deep.equal([]);
          });
        });
      }

      // Firefox's protocol has no forced colours.
      for (const [page, ready] of browser === 'chromium' ? FORCED : []) {
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
    });
  }
}
