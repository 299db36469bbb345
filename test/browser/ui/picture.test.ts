import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { closeScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import {
  call,
  createVault,
  lockVault,
  openEnabledSite,
  openWelcome,
  SEAL_AND_OPEN,
  unlockVault,
  waitForPrompts,
} from '../steps.ts';

/** The words beside the picture, once they are there. */
async function wordsIn(tab: Tab): Promise<string> {
  await tab.waitUntil(() => !!document.querySelector('.picture-words')?.textContent);
  return await tab.text('.picture-words');
}

/** The fields for secrets of the page beside which the picture stands, and the others, by their ids. */
async function secretFields(tab: Tab, words: string) {
  await tab.waitUntil(() => document.querySelector('.small-picture:not([role])') === null);
  return await tab.evaluate((own) => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('.passphrase input')];
    const isPictured = (field: HTMLInputElement) => {
      const beside = field.closest('.pictured')?.querySelector('.small-picture');
      const above = field.form?.querySelector('.install-picture .picture-words');
      return [beside?.getAttribute('aria-label'), above?.textContent].some((said) =>
        said?.includes(own),
      );
    };
    const idsOf = (list: readonly HTMLInputElement[]) => list.map(({ id }) => id);
    return {
      pictured: idsOf(fields.filter(isPictured)),
      others: idsOf(fields.filter((field) => !isPictured(field))),
    };
  }, words);
}

for (const browser of BROWSERS) {
  describe(`the picture of an installation in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let words: string;

    before(async () => {
      [session, server] = await Promise.all([launch(browser), serve('test/browser/fixtures')]);
    });
    after(() => closeScene({ session, server }));

    it('is there on the first run', async () => {
      const welcome = await openWelcome(session);
      words = await wordsIn(welcome);
      expect(words).to.match(/^[a-z]+ · [a-z]+ · [a-z]+$/);
      const { pictured, others } = await secretFields(welcome, words);
      expect(pictured).to.deep.equal(['passphrase', 'passphrase-again']);
      expect(others).to.deep.equal([]);
      await welcome.close();
    });

    it('is the same in the prompt, and wherever the passphrase is asked for', async () => {
      await createVault(session);
      const site = await openEnabledSite(session, `${server.origin}/blank.html`);
      const asked = call(site, 'connect', SEAL_AND_OPEN);
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('.small-picture[role="img"]');
      const label = () => document.querySelector('.small-picture')!.getAttribute('aria-label')!;
      expect(await prompt.evaluate(label)).to.include(words);
      await lockVault(session);
      await prompt.reload();
      await prompt.waitFor('#unlock');
      expect(await wordsIn(prompt)).to.equal(words);
      await prompt.click('#deny');
      await asked;
      await waitForPrompts(session, 0);
      for (const page of ['popup.html', 'manager.html']) {
        const tab = await session.newTab(session.extensionUrl(page));
        expect(await wordsIn(tab), page).to.equal(words);
        await tab.close();
      }
    });

    it('is in the header of every page, and beside the passphrase of the vault alone', async () => {
      await unlockVault(session);
      // New passphrases, and secrets of other tools: where all had the picture, it would say nothing.
      const fieldsOf = { backup: 3, security: 2, keys: 2 };
      for (const [screen, least] of Object.entries(fieldsOf)) {
        const manager = await session.newTab(session.extensionUrl(`manager.html#${screen}`));
        await manager.waitFor('header .small-picture[role="img"]');
        await manager.waitUntil(
          (count) => {
            for (const each of document.querySelectorAll('details')) each.open = true;
            return document.querySelectorAll('.passphrase input').length >= count;
          },
          {},
          least,
        );
        expect((await secretFields(manager, words)).pictured, screen).to.deep.equal([]);
        await manager.close();
      }
      const manager = await session.newTab(session.extensionUrl('manager.html#backup'));
      await manager.click('#make-recovery-code');
      await manager.waitFor('dialog .small-picture[role="img"]');
      const { pictured } = await secretFields(manager, words);
      expect(pictured).to.deep.equal(['current-passphrase']);
      await manager.close();
    });

    it('cannot be fetched, framed or found by a page of an enabled site', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      const urls = ['popup.html', 'ui.css', 'icons/mark.svg', 'manifest.json'].map((path) =>
        session.extensionUrl(path),
      );
      const got = await site.evaluate(async (list) => {
        const image = (url: string) =>
          new Promise<boolean>((resolve) => {
            const element = new Image();
            element.onload = () => resolve(true);
            element.onerror = () => resolve(false);
            element.src = url;
          });
        const fetched = (url: string) =>
          fetch(url).then(
            () => true,
            () => false,
          );
        return await Promise.all(list.flatMap((url) => [fetched(url), image(url)]));
      }, urls);
      expect(got).to.deep.equal(urls.flatMap(() => [false, false]));
      const text = await site.evaluate(() => document.documentElement.outerHTML);
      expect(text).to.not.include(words);
      await site.close();
    });
  });
}
