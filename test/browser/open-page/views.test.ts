import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { utf8 } from '../../../src/crypto/bytes.ts';
import { generateIdentity } from '../../../src/format/recipients/sharing.ts';
import { webArmor } from '../../../src/format/wire/web-armor.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { onDisk, openIn, openedText, paste, PASSPHRASE, sealedWithWords } from './page-steps.ts';

/* How open.html looks and reads. */
const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

async function faultsOf(tab: Tab): Promise<string[]> {
  await tab.inject(AXE);
  return tab.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}

const sideways = (tab: Tab) =>
  tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function choose(tab: Tab, language: string): Promise<void> {
  await tab.evaluate((value) => {
    const field = document.querySelector<HTMLSelectElement>('#language')!;
    field.value = value;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  }, language);
}

for (const browser of BROWSERS) {
  for (const colorScheme of ['light', 'dark'] as const) {
    describe(`open.html, ${colorScheme}, in ${browser}`, function () {
      this.timeout(120_000);
      let session: BrowserSession;
      let tab: Tab;

      before(async () => {
        session = await launch(browser, { colorScheme });
        const { publicKey } = await generateIdentity();
        tab = await openIn(session, `${onDisk().address}#${publicKey}`);
        const file = { name: `${'a'.repeat(200)}.txt`, type: 'text/plain' };
        await paste(tab, '#open-text', webArmor(await sealedWithWords(utf8('Hello'), file)));
        await paste(tab, '#open-passphrase', PASSPHRASE);
        await tab.click('#open-now');
        await openedText(tab);
        await paste(tab, '#seal-text', 'At nine');
        await tab.click('#seal-now');
        await tab.waitFor('#sealed-text');
      });
      after(() => session.close());

      it('has no fault that axe-core finds, with all of its parts, and with an error', async () => {
        expect(await faultsOf(tab)).to.deep.equal([]);
        const other = await openIn(session, onDisk().address);
        await other.click('#open-now');
        await paste(other, '#open-text', 'no sealed text');
        await other.click('#open-now');
        await other.waitFor('#open-problem');
        expect(await faultsOf(other)).to.deep.equal([]);
        await other.close();
      });

      it('fits into 360 px in every language, each in its direction, with no text missing', async () => {
        await tab.setViewport(360, 740);
        const seen = new Set<string>();
        for (const language of readdirSync('open-page/_locales')) {
          await choose(tab, language);
          const tag = language.replace('_', '-');
          await tab.waitUntil((lang) => document.documentElement.lang.startsWith(lang), {}, tag);
          expect(await sideways(tab), language).to.be.at.most(0);
          const { dir, title, empty } = await tab.evaluate(() => ({
            dir: document.documentElement.dir,
            title: document.querySelector('h1')!.textContent,
            empty: [...document.querySelectorAll('label, h1, h2, .hint[id], dt, button, .banner')]
              .filter((element) => element.textContent.trim() === '' && !element.ariaLabel)
              .map(({ outerHTML }) => outerHTML),
          }));
          expect(dir).to.equal(language === 'ar' ? 'rtl' : 'ltr');
          expect(empty, language).to.deep.equal([]);
          seen.add(title);
        }
        expect(seen.size).to.equal(12);
      });
    });
  }
}
