import { expect } from 'chai';
import type { BrowserSession, Tab } from './drivers/driver.ts';
import { BROWSERS, launch } from './drivers/launch.ts';
import { closeScene } from './scene.ts';
import { serve, type TestServer } from './server.ts';
import {
  call,
  createVault,
  lockVault,
  openEnabledSite,
  openPopup,
  SEAL_AND_OPEN,
  unlockVault,
} from './steps.ts';

/** The words beside the picture, once they are there. */
async function wordsIn(tab: Tab): Promise<string> {
  await tab.waitUntil(() => !!document.querySelector('.picture-words')?.textContent);
  return await tab.text('.picture-words');
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
      const popup = await openPopup(session);
      words = await wordsIn(popup);
      expect(words).to.match(/^[a-z]+ · [a-z]+ · [a-z]+$/);
      await popup.close();
    });

    it('is the same in the prompt, and wherever the passphrase is asked for', async () => {
      await (await createVault(session)).close();
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
      for (const page of ['popup.html', 'manager.html']) {
        const tab = await session.newTab(session.extensionUrl(page));
        expect(await wordsIn(tab), page).to.equal(words);
        await tab.close();
      }
    });

    it('is the same beside every secret that the manager asks for', async () => {
      await unlockVault(session);
      for (const [screen, fields] of Object.entries({
        // Passkeys are not offered in Firefox.
        security: browser === 'chromium' ? 3 : 2,
        backup: 3,
        files: 1,
        keys: 2,
      })) {
        const manager = await session.newTab(session.extensionUrl(`manager.html#${screen}`));
        await manager.waitUntil(
          (least) => {
            for (const each of document.querySelectorAll('details')) each.open = true;
            const pictures = document.querySelectorAll('.small-picture[role="img"]');
            return pictures.length >= least;
          },
          {},
          fields,
        );
        const without = await manager.evaluate((own) => {
          const forms = [...document.querySelectorAll('form')];
          const asking = forms.filter((form) => form.querySelector('input[type="password"]'));
          const known = (form: HTMLFormElement) =>
            form.querySelector('.pictured > .small-picture')?.getAttribute('aria-label');
          return asking.filter((form) => !known(form)?.includes(own)).map(({ id }) => id);
        }, words);
        expect(without, screen).to.deep.equal([]);
        await manager.close();
      }
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
