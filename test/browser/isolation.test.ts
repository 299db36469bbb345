import { expect } from 'chai';
import type { BrowserSession } from './drivers/driver.ts';
import { BROWSERS, launch } from './drivers/launch.ts';
import { closeScene, openVaultScene } from './scene.ts';
import { serve, type TestServer } from './server.ts';
import {
  bytes,
  connect,
  createVault,
  openEnabledSite,
  openSitePopup,
  refusal,
  SEAL_AND_OPEN,
  succeed,
} from './steps.ts';

/* Who is served, and who does not even see that there is something. */
for (const browser of BROWSERS) {
  describe(`a site that is not enabled, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      [session, server] = await Promise.all([
        launch(browser, { allowedHosts: [] }),
        serve('test/browser/fixtures'),
      ]);
      await (await createVault(session)).close();
    });

    after(() => closeScene({ session, server }));

    it('sees nothing at all', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      const seen = await site.evaluate(async (ownPage) => {
        const announced = await new Promise((resolve) => {
          addEventListener('sealwright:announce', () => resolve(true));
          dispatchEvent(new Event('sealwright:request'));
          setTimeout(() => resolve(false), 300);
        });
        const loaded = await fetch(ownPage).then(
          () => true,
          () => false,
        );
        const traces = Object.getOwnPropertyNames(globalThis).filter((name) => /seal/i.test(name));
        return {
          announced,
          loaded,
          traces,
          random: 'random' in crypto,
          marks: document.documentElement.outerHTML.match(/seal/gi),
        };
      }, session.extensionUrl('popup.html'));
      expect(seen).to.deep.equal({
        announced: false,
        loaded: false,
        traces: [],
        random: false,
        marks: null,
      });
    });

    it('cannot frame the extension’s pages', async () => {
      const site = await session.newTab(`${server.origin}/blank.html`);
      for (const page of ['popup.html', 'prompt.html']) {
        const reached = await site.evaluate(async (url) => {
          const frame = document.createElement('iframe');
          frame.src = url;
          document.body.append(frame);
          await new Promise((resume) => setTimeout(resume, 700));
          // What was blocked is an error page or stays blank; neither posts nor has our document.
          return frame.contentWindow?.length ?? 0;
        }, session.extensionUrl(page));
        expect(reached, page).to.equal(0);
        expect(await session.countFrames(session.extensionUrl(page)), page).to.equal(0);
      }
    });
  });

  describe(`an enabled site, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;

    before(async () => {
      ({ session, server } = await openVaultScene(browser));
    });

    after(() => closeScene({ session, server }));

    it('with CSP default-src none seals and opens like any other', async () => {
      const site = await openEnabledSite(session, `${server.origin}/blank.html?csp=none`);
      await connect(session, site);
      const sealed = await succeed(site, 'seal', bytes(4, 5, 6));
      expect(await succeed(site, 'open', sealed)).to.deep.equal(bytes(4, 5, 6));
      await site.close();
    });

    it('gets nothing in its open tabs once the user has turned it off', async () => {
      const site = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      await connect(session, site);
      const calls = [
        () => refusal(site, 'status'),
        () => refusal(site, 'random', 8),
        () => refusal(site, 'grants'),
        () => refusal(site, 'seal', bytes(1)),
        () => refusal(site, 'connect', SEAL_AND_OPEN),
      ];
      for (const call of calls.slice(0, -1)) expect(await call()).to.equal('none');
      const popup = await openSitePopup(session, site);
      await popup.click('.disable-site button');
      await popup.click('.disable-site .button-danger');
      await popup.waitFor('#enable-site');
      await popup.close();
      for (const call of calls) expect(await call()).to.equal('UNSUPPORTED');
      expect(await session.countTabs('prompt.html')).to.equal(0);
      await site.close();
    });
  });
}
