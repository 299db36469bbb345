import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openMessage } from '../../../src/format/message.ts';
import { openingWithPassphrase } from '../../../src/format/recipients/sharing.ts';
import { unarmor } from '../../../src/format/wire/armor.ts';
import { parsePrefix } from '../../../src/format/wire/envelope.ts';
import { HEADER_BYTES } from '../../../src/format/wire/sealed-length.ts';
import { BROWSERS } from '../drivers/launch.ts';
import type { Tab } from '../drivers/driver.ts';
import { closed, fieldSession } from '../field-steps.ts';
import { openFiles } from '../file-steps.ts';
import type { Scene } from '../scene.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { bytes, call, connect, lastDownload, storedAtRest } from '../steps.ts';

const PLAIN = Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256);
const TEXT = 'The key is under the third flower pot.';
const OWN = 'seven copper lanterns under quiet snow';
const PATIENCE_MS = 30_000;
/** Issue 44: from the screen for files to a file that somebody without Sealwright opens. */
const ACTIONS_MAX = 5;
/** Where the memory of a guess stands: type (1), length (2) and id (16) of the only recipient come first. */
const MEMORY_AT = HEADER_BYTES + 2 + 1 + 2 + 16;

for (const browser of BROWSERS) {
  describe(`messages for people without Sealwright, in ${browser}`, function () {
    this.timeout(120_000);
    let scene: Scene & { readonly site: Tab };
    let folder: string;
    let sealed: Uint8Array;
    let words: string;

    before(async () => {
      [scene, folder] = await Promise.all([
        openSharedSiteScene(browser),
        mkdtemp(join(tmpdir(), 'sealwright-words-')),
      ]);
    });
    after(async () => {
      await rm(folder, { recursive: true });
      await closeSharedSiteScene(scene);
    });

    const saved = async (name: string, contents: Uint8Array): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, contents);
      return path;
    };
    const open = async (manager: Tab, name: string, contents: Uint8Array): Promise<void> => {
      await manager.chooseFile('#open-file', await saved(name, contents));
      await manager.click('#open-file-now');
    };
    const says = (tab: Tab, selector: string, part: string): Promise<void> =>
      tab.waitUntil(
        (place, wanted) => document.querySelector(place)?.textContent.includes(wanted) ?? false,
        { timeoutMs: PATIENCE_MS },
        selector,
        part,
      );
    const valueOf = (tab: Tab, selector: string): Promise<string> =>
      tab.evaluate((place) => document.querySelector<HTMLTextAreaElement>(place)!.value, selector);
    /** As on the telephone: a capital, spaces, and the last word only after the first try. */
    const spoken = () => {
      const list = words.split('-');
      const first = list.slice(0, -1).join(' ');
      return { first: first[0]!.toUpperCase() + first.slice(1), last: ` ${list.at(-1)!}` };
    };

    it('are made of a file in few actions, with six words and a sentence to send along', async () => {
      const manager = await openFiles(scene.session);
      const path = await saved('plan.bin', PLAIN);
      const acts = [
        () => manager.chooseFile('#seal-file', path),
        () => manager.click('#audience-words'),
        () => manager.click('#seal-file-now[aria-disabled="false"]'),
      ];
      expect(acts.length).to.be.at.most(ACTIONS_MAX);
      for (const act of acts) await act();
      await manager.waitFor('#told-words', PATIENCE_MS);
      words = await manager.text('#told-words');
      expect(words).to.match(/^[a-z]+(-[a-z]+){5,}$/);
      const sentence = await valueOf(manager, '#told-sentence');
      expect(sentence).to.include('plan.bin.sealed').and.include('open.html');
      expect(sentence).to.not.include(words);
      sealed = await lastDownload(manager);
      const { entries } = parsePrefix(sealed).recipients;
      expect(entries.map(({ type }) => type)).to.deep.equal([4, 6]);
      // The next one has words of its own.
      await manager.click('#seal-file-now[aria-disabled="false"]');
      await manager.waitUntil(
        (before) => (document.querySelector('#told-words')?.textContent ?? before) !== before,
        { timeoutMs: PATIENCE_MS },
        words,
      );
      await manager.close();
    });

    it('open by those words as a person types them; wrong ones lose nothing', async () => {
      const manager = await openFiles(scene.session);
      await open(manager, 'plan.bin.sealed', sealed);
      await manager.waitFor('#open-words', PATIENCE_MS);
      const { first, last } = spoken();
      await manager.type('#open-words', first);
      await manager.click('#open-file-now[aria-disabled="false"]');
      await says(manager, '#open-words-error', 'Check each word');
      await manager.type('#open-words', last);
      await manager.click('#open-file-now[aria-disabled="false"]');
      await manager.waitFor('#opened-by-words', PATIENCE_MS);
      expect(await manager.text('#opened-name')).to.include('plan.bin');
      await manager.click('#save-opened');
      expect(await lastDownload(manager)).to.deep.equal(PLAIN);
      expect(await manager.evaluate(() => document.querySelector('#open-words'))).to.equal(null);
      await manager.close();
    });

    it('are in Activity, and their words are nowhere in what is stored', async () => {
      const { session } = scene;
      const activity = await session.newTab(session.extensionUrl('manager.html#activity'));
      await says(activity, 'main', 'opened with a passphrase');
      await says(activity, 'main', 'sealed with a passphrase');
      const stored = (await storedAtRest(activity)).join('\n');
      const asBase64 = Buffer.from(words).toString('base64').slice(0, 20);
      for (const form of [words, asBase64]) expect(stored).to.not.include(form);
      await activity.close();
    });

    it('are refused before they ask, where they cost more than is accepted', async () => {
      const costly = sealed.slice();
      new DataView(costly.buffer).setUint32(MEMORY_AT, 262_145);
      const manager = await openFiles(scene.session);
      await open(manager, 'costly.sealed', costly);
      await says(manager, '#open-file-error', 'more memory or work');
      expect(await manager.evaluate(() => document.querySelector('#open-words'))).to.equal(null);
      await manager.close();
    });

    it('are made of a text with a passphrase that is strong, and open where a page shows them', async () => {
      const { session, server } = scene;
      const write = await session.newTab(session.extensionUrl('manager.html#write'));
      await write.waitFor('#write-text');
      await write.type('#write-text', TEXT);
      await write.click('#audience-words');
      await write.click('#own-passphrase');
      await write.type('#told-passphrase', OWN.slice(0, 5));
      await write.click('#write-seal[aria-disabled="false"]');
      await says(write, '#told-passphrase-error', 'guessed too quickly');
      await write.type('#told-passphrase', OWN.slice(5));
      await write.click('#write-seal[aria-disabled="false"]');
      await write.waitFor('#told-words', PATIENCE_MS);
      expect(await write.text('#told-words')).to.equal(OWN);
      const armored = await valueOf(write, '#written');
      await write.close();
      const terms = { purpose: 'stream', accept: 'shared', ...openingWithPassphrase(OWN) } as const;
      const text = new TextDecoder().decode(await openMessage(terms, unarmor(armored)));
      expect(text).to.equal(TEXT);

      const page = await session.newTab(`${server.origin}/fields.html`);
      await page.evaluate((shown) => {
        document.querySelector('#texts')!.textContent = shown;
      }, armored);
      const window = await fieldSession(session, page, 'open');
      await window.waitFor('.ask-words input', PATIENCE_MS);
      await window.type('.ask-words input', OWN.slice(0, -1));
      await window.click('.ask-words button[type="submit"]');
      await says(window, '.ask-words', 'Check each word');
      await window.type('.ask-words input', OWN.slice(-1));
      await window.click('.ask-words button[type="submit"][aria-disabled="false"]');
      await window.waitFor('.opened', PATIENCE_MS);
      expect(await window.text('.opened')).to.equal(TEXT);
      await closed(session, window);
      await page.close();
    });

    it('are neither opened nor made by a page', async () => {
      const { session, site } = scene;
      await connect(session, site);
      for (const accept of ['own', 'shared']) {
        const outcome = await call(site, 'open', bytes(...sealed), { accept });
        expect(outcome).to.include({ ok: false, code: 'UNSUPPORTED' });
        expect((outcome as { message: string }).message).to.include('under Files');
      }
      const made = await call(site, 'seal', bytes(1), { passphrase: OWN });
      expect(made).to.include({ ok: false, code: 'INVALID_ARGUMENT' });
    });
  });
}
