import { expect } from 'chai';
import type { Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import * as fieldSteps from '../field-steps.ts';
import { buildGallery, GALLERY } from '../gallery/build.ts';
import { REDRAWN } from '../gallery/fixtures.ts';
import { closeScene, openVaultScene, type Scene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { openEnabledSite } from '../steps.ts';

/*
 * An always-sealed field that real frameworks draw anew while its user types: in place, as another element, in
 * another parent, by morphing, and with the value that the server was sent before.
 */

/** In the page. */
declare const redraws: { count: number; timer: ReturnType<typeof setInterval> };

const FIELD = '[name=message]';
const SEALED = /^swt1[a-z2-9]{216,}0$/;
/** No two parts of it are alike, so that lost and doubled keys are seen. */
const TEXT = Array.from(
  { length: 25 },
  (_, index) => `${String.fromCharCode(97 + index)}${index % 10} x`,
);
const KEY_MS = 100;
/** Longer than the pause after which the field is refreshed, so that frameworks have a value to write back. */
const PAUSE_MS = 1_500;
const PAUSES = [8, 16];
/** By the page's own script: a redraw that waits for a server may bring back what was sent. */
const DRAWN_AT_ONCE: ReadonlySet<string> = new Set(['react', 'vue', 'angular']);

for (const browser of BROWSERS) {
  describe(`an always-sealed field that a framework draws anew, in ${browser}`, () => {
    let scene: Scene;
    let pages: TestServer;
    let site: Tab;

    before(async () => {
      await buildGallery(REDRAWN.map(({ name }) => name));
      scene = await openVaultScene(browser);
      pages = await serve('test/browser/fixtures', GALLERY);
      site = await openEnabledSite(scene.session, `${pages.origin}/blank.html`);
      await open(REDRAWN[0]!.name);
      await site.click(FIELD);
      await fieldSteps.mark(scene.session, site);
    });

    after(async () => {
      await closeScene(scene);
      await pages.close();
    });

    const wait = (ms: number) => new Promise((resume) => setTimeout(resume, ms));

    const open = async (name: string): Promise<void> => {
      await site.goto(`${pages.origin}/${name}.html`);
      await site.waitFor(FIELD);
    };

    const inEditor = async (): Promise<string> => {
      const frame = await site.frame('about:blank');
      return frame.evaluate(() => document.querySelector<HTMLTextAreaElement>('body > *')!.value);
    };

    const typeSlowly = async (parts: readonly string[]): Promise<void> => {
      for (const [index, part] of parts.entries()) {
        for (const key of part) {
          await site.typeAtFocus(key);
          await wait(KEY_MS);
        }
        if (PAUSES.includes(index)) await wait(PAUSE_MS);
      }
    };

    const held = () => site.evaluate(async () => await window.fixture.value());

    for (const { name, title } of REDRAWN) {
      it(`of ${title}: loses no key and doubles none`, async () => {
        await open(name);
        await site.click(FIELD);
        await site.evaluate(() => {
          const redraws = {
            count: 0,
            timer: setInterval(() => {
              void window.fixture.redraw!(++redraws.count);
            }, 450),
          };
          Object.assign(globalThis, { redraws });
        });
        await typeSlowly(TEXT);
        const count = await site.evaluate(() => {
          clearInterval(redraws.timer);
          return redraws.count;
        });
        expect(count).to.be.above(20);
        expect(await inEditor()).to.equal(TEXT.join(''));
        await wait(PAUSE_MS);
        expect(await held()).to.match(SEALED);
        await site.typeAtFocus('!');
        await site.click('#save');
        await site.waitUntil(() => document.body.dataset.saved !== undefined);
        expect(await site.evaluate((key) => localStorage.getItem(key), name)).to.match(SEALED);
        await wait(PAUSE_MS);
        expect([await held(), await inEditor()]).to.deep.equal(['', '']);
        await site.click(FIELD);
        await site.typeAtFocus('again');
        expect(await inEditor()).to.equal('again');
        await wait(PAUSE_MS);
        expect(await held()).to.match(SEALED);
      });
    }

    for (const { name, title } of REDRAWN.filter(({ title }) => DRAWN_AT_ONCE.has(title))) {
      it(`of ${title}: sends the newest text when the field is drawn anew while it is sealed`, async () => {
        await open(name);
        await site.click(FIELD);
        await site.typeAtFocus('first words');
        await wait(PAUSE_MS);
        const before = await held();
        expect(before).to.match(SEALED);
        await site.evaluate(() => {
          let round = 0;
          const timer = setInterval(() => void window.fixture.redraw!((round += 4)), 5);
          document.querySelector('form')!.addEventListener('submit', () => clearInterval(timer));
        });
        await site.typeAtFocus(' and others');
        await site.click('#save');
        await site.waitUntil(() => document.body.dataset.saved !== undefined);
        const saved = await site.evaluate((key) => localStorage.getItem(key), name);
        expect(saved).to.match(SEALED);
        expect(saved).not.to.equal(before);
      });
    }
  });
}
