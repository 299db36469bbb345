import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { InsertOutcome, Place } from '../../../extension/fields/insert/field.ts';
import { armor, unarmor } from '../../../src/format/wire/armor.ts';
import { openMessage, sealMessage } from '../../../src/format/message.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { installEditors } from '../../../scripts/test-data.mjs';
import { buildGallery, buildInserter, GALLERY, linkEditors } from './build.ts';
import { BEFORE, FIXTURES, RESISTING, type Fixture } from './fixtures.ts';
import { whereItDoesNot, whereItWorks } from './table.ts';
import { serve, type TestServer } from '../server.ts';

/*
 * Sealed text in real editors. What counts is what the application holds (`fixture.value()`), what
 * it saves, and what comes back after a reload.
 */
/** Emoji, text from right to left, line ends of Windows: 100 kB in UTF-8. */
const LETTER = 'Привет 👩‍👩‍👧‍👦 — שלום, مرحبا\r\n'.repeat(1_400);

const key = crypto.getRandomValues(new Uint8Array(32));
const keyId = crypto.getRandomValues(new Uint8Array(16));

async function sealText(text: string): Promise<string> {
  const message = new TextEncoder().encode(text);
  return armor(await sealMessage({ key, keyId, purpose: 'field', pad: true }, message));
}

async function openText(text: string): Promise<string> {
  return new TextDecoder().decode(await openMessage({ key, purpose: 'field' }, unarmor(text)));
}

type Request = { readonly insert: string; readonly place: Place } | { readonly read: true };

/** Asks the inserter, in the frame that has the focus if it is of another origin. Runs in the page. */
function askInserter(request: Request): Promise<unknown> {
  const { activeElement } = document;
  const isFrame = activeElement instanceof HTMLIFrameElement;
  const frame = isFrame && !activeElement.contentDocument && activeElement.contentWindow;
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(JSON.parse(data as string));
    (frame || window).postMessage(JSON.stringify({ gallery: request }), '*', [port2]);
  });
}

async function insert(tab: Tab, text: string, place: Place = 'all'): Promise<InsertOutcome> {
  return (await tab.evaluate(askInserter, { insert: text, place })) as InsertOutcome;
}

async function read(tab: Tab): Promise<string> {
  return ((await tab.evaluate(askInserter, { read: true })) as { text: string }).text;
}

const value = (tab: Tab): Promise<string> => tab.evaluate(async () => await window.fixture.value());

describe('the gallery of editors', () => {
  it('is what docs/fields.md says of where sealed text goes', () => {
    const page = readFileSync('docs/fields.md', 'utf8');
    expect(page).to.include(`\n${whereItWorks()}\n`);
    expect(page).to.include(`\n${whereItDoesNot()}\n`);
  });
});

for (const browser of BROWSERS) {
  describe(`sealed text in the gallery of editors, in ${browser}`, function () {
    this.timeout(60_000);
    let session: BrowserSession;
    let server: TestServer;
    let arePackagesThere: boolean;
    let note: string;
    let letter: string;

    before(async () => {
      const extensionFolder = await buildInserter(browser);
      await buildGallery();
      const editors = installEditors();
      arePackagesThere = editors !== undefined;
      if (editors !== undefined) linkEditors(editors);
      [note, letter] = await Promise.all([sealText('Meet me at noon'), sealText(LETTER)]);
      server = await serve(GALLERY);
      // No page of welcome to wait for: the inserter opens none.
      session = await launch(browser, { extensionFolder, allowedHosts: [], keepsWelcome: true });
    });

    after(async () => {
      await session.close();
      await server.close();
    });

    /** The editor's page with a text in it, and the focus in the editor. */
    async function openFixture(fixture: Fixture): Promise<Tab> {
      const hash = encodeURIComponent(BEFORE);
      const tab = await session.newTab(`${server.origin}/${fixture.name}.html#${hash}`);
      await enter(tab, fixture);
      return tab;
    }

    /** @returns where the keys go then */
    async function enter(tab: Tab, { frame }: Fixture): Promise<Pick<Tab, 'undo'>> {
      await tab.waitUntil(() => 'fixture' in window);
      if (await tab.evaluate(() => 'focus' in window.fixture)) {
        await tab.evaluate(() => window.fixture.focus!());
        return tab;
      }
      const place = frame === undefined ? tab : await tab.frame(frame);
      await place.click('#editor');
      return place;
    }

    for (const fixture of FIXTURES) {
      it(`goes into ${fixture.title}, can be taken back, and comes back`, async function () {
        if (fixture.files && !arePackagesThere) {
          if (process.env['CI']) throw new Error('The editors could not be installed');
          this.skip();
        }
        const tab = await openFixture(fixture);
        expect(await value(tab)).to.equal(BEFORE);
        expect(await insert(tab, note, 'selection')).to.deep.equal({ inserted: true });
        const [before, after, ...more] = (await value(tab)).split(note);
        // A space keeps it apart from words.
        expect([(before! + after!).trim(), ...more]).to.deep.equal([BEFORE]);
        await (await enter(tab, fixture)).undo();
        expect(await value(tab), 'after undo').to.equal(BEFORE);

        expect(await insert(tab, letter)).to.deep.equal({ inserted: true });
        await tab.evaluate(() => document.querySelector('form')!.requestSubmit());
        await tab.waitFor('[data-saved]');
        await tab.reload();
        await enter(tab, fixture);
        expect(await value(tab)).to.equal(letter);
        // CKEditor 4 ends its lines with a break in Firefox.
        expect(await openText((await read(tab)).trim())).to.equal(LETTER);
        await tab.close();
      });
    }

    for (const fixture of RESISTING) {
      it(`stays out where a field ${fixture.title}, and it is known what the field holds then`, async () => {
        const tab = await openFixture(fixture);
        expect(await insert(tab, note)).to.deep.equal(fixture.outcome);
        if (fixture.left) expect(await value(tab)).to.match(fixture.left);
        else expect(await value(tab)).to.equal(BEFORE);
        await tab.close();
      });
    }
  });
}
