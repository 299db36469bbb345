import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { closeScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { answerPrompt, choose, createVault, openEnabledSite } from '../steps.ts';

/* The built site, used as its readers do. */
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
const PAGES = [
  'index.html',
  'docs/install.html',
  'lab/index.html',
  'api/index.html',
  'docs/reference.html',
  'docs/keys.html',
  'docs/benchmarks.html',
  'api/src/library/format.html',
  'examples/worker/index.html',
  'playground.html',
  'plots.html',
  'search.html?q=grant',
];

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

async function faultsOf(tab: Tab): Promise<string[]> {
  await tab.setViewport(1400, 900);
  await tab.inject(AXE);
  const found = await tab.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
  await tab.setViewport(320, 640);
  const sideways = await tab.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return sideways > 0 ? [...found, `scrolls sideways by ${sideways} px`] : found;
}

const outcome = (tab: Tab, words: string) =>
  tab.waitUntil(
    (text) => document.querySelector('#open-outcome')!.textContent.includes(text),
    {},
    words,
  );

for (const browser of BROWSERS) {
  for (const colorScheme of ['light', 'dark'] as const) {
    describe(`the site, ${colorScheme}, in ${browser}`, () => {
      let session: BrowserSession;
      let server: TestServer;

      before(async () => {
        [session, server] = await Promise.all([
          launch(browser, { colorScheme }),
          serve('dist/site'),
        ]);
      });
      after(() => closeScene({ session, server }));

      for (const page of PAGES) {
        it(`${page}: axe-core finds nothing, 320 px are enough, no other server is asked`, async () => {
          const tab = await session.newTab(`${server.origin}/${page}`);
          expect(await faultsOf(tab)).to.deep.equal([]);
          const origins = await tab.evaluate(() =>
            performance.getEntriesByType('resource').map(({ name }) => new URL(name).origin),
          );
          expect([...new Set(origins)]).to.deep.equal([server.origin]);
          await tab.close();
        });
      }

      it('finds a section by search', async () => {
        const tab = await session.newTab(`${server.origin}/search.html?q=AUTH_FAILED`);
        await tab.waitFor('#search-results li');
        const links = await tab.evaluate(() =>
          [...document.querySelectorAll('#search-results a')].map((a) => a.getAttribute('href')),
        );
        expect(links.map((href) => href!.replace(/^.*\/(?=docs)/, ''))).to.include(
          'docs/reference.html#errors',
        );
        await tab.close();
      });

      it('seals, opens and inspects in the playground, and says why a message does not open', async () => {
        const tab = await session.newTab(`${server.origin}/playground.html`);
        await tab.click('#seal button');
        await outcome(tab, 'Sealed.');
        await tab.click('#open button');
        await outcome(tab, 'Meet me at nine');
        await tab.click('#open button[value=inspect]');
        await outcome(tab, 'text of 15 bytes');
        await tab.type('#open [name=context]', 'x');
        await tab.click('#open button');
        await outcome(tab, 'It does not open');
        await tab.close();
      });

      it('encrypts and hashes in the playground with each algorithm that it offers', async () => {
        const tab = await session.newTab(`${server.origin}/playground.html`);
        const said = (name: string, words: string) =>
          tab.waitUntil(
            (form, text) => document.querySelector(`#${form}-outcome`)!.textContent.includes(text),
            {},
            name,
            words,
          );
        const offered = await tab.evaluate(() =>
          [...document.querySelectorAll('#encrypt option')].map((one) => one.textContent),
        );
        expect(offered).to.include.members(['AES-GCM', 'AES-OCB', 'AES-SIV', 'XChaCha20-Poly1305']);
        for (const [at, name] of offered.entries()) {
          const text = `Text ${at}`;
          await choose(tab, '#encrypt select', name);
          await tab.evaluate((value) => {
            document.querySelector<HTMLInputElement>('#encrypt input')!.value = value;
          }, text);
          await tab.click('#encrypt button');
          await said('encrypt', `decrypted: ${text}`);
        }
        await choose(tab, '#hash select', 'SHA3-256');
        await tab.click('#hash button');
        // FIPS 202, of "abc".
        await said('hash', '3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532');
        await tab.close();
      });

      it('draws the benchmarks as they are chosen, with the same figures in a table', async () => {
        const tab = await session.newTab(`${server.origin}/plots.html`);
        await tab.waitFor('#plot-table td');
        const shown = () =>
          tab.evaluate(() => ({
            about: document.querySelector('#plot-about')!.textContent,
            rows: document.querySelectorAll('#plot-table tbody tr').length,
            contenders: document.querySelectorAll('#contenders input').length,
            left: document.querySelectorAll('#contenders input:not(:checked):disabled').length,
            // Transparent where nothing was drawn.
            inked: document
              .querySelector('canvas')!
              .getContext('2d')!
              .getImageData(0, 0, 600, 300)
              .data.some((value) => value > 0),
          }));
        const first = await shown();
        expect(first).to.include({ rows: 6, inked: true, left: first.contenders - 6 });
        expect(first.about).to.include('MB/s');
        await choose(tab, '[name=quantity]', 'time');
        expect((await shown()).about).to.include('µs');
        await tab.click('#contenders input:checked');
        expect(await shown()).to.include({ rows: 5, left: 0 });
        await choose(tab, '[name=run]', '1');
        expect((await shown()).about).to.not.equal(first.about);
        await tab.close();
      });

      it('has no uncaught error', () => {
        expect(session.uncaught).to.deep.equal([]);
      });
    });
  }

  describe(`the playground with the extension, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      [session, server] = await Promise.all([launch(browser), serve('dist/site')]);
      await createVault(session);
    });
    after(() => closeScene({ session, server }));

    it('connects, seals and opens by window.sealwright, and says what was refused', async () => {
      const tab = await openEnabledSite(session, `${server.origin}/playground.html`);
      const said = (words: string) =>
        tab.waitUntil(
          (text) => document.querySelector('#page-api-outcome')!.textContent.includes(text),
          {},
          words,
        );
      const text = () =>
        tab.evaluate(
          () => document.querySelector<HTMLTextAreaElement>('#page-api [name=text]')!.value,
        );
      await tab.waitFor('#page-api:not([hidden])');
      await tab.click('#page-api [value=seal]');
      await said('NOT_GRANTED');
      await tab.click('#page-api [value=connect]');
      await answerPrompt(session);
      await said('Connected, with one grant.');
      await tab.click('#page-api [value=seal]');
      await said('Sealed');
      expect(await text()).to.match(/^sw1\./);
      await tab.click('#page-api [value=open]');
      await said('Opened.');
      expect(await text()).to.equal('Meet me at nine');
      await tab.click('#page-api [value=open]');
      await said('BAD_ENVELOPE');
    });
  });
}
