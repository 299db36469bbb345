import { expect } from 'chai';
import type { BrowserSession, Tab } from './drivers/driver.ts';
import { BROWSERS } from './drivers/launch.ts';
import { closeScene, openSiteScene } from './scene.ts';
import { type TestServer } from './server.ts';
import { bytes, connect, openEnabledSite, succeed } from './steps.ts';

const CALLS = 200;

/* The browser may end the background at any moment; the page's promise still settles, rightly. */
for (const browser of BROWSERS) {
  describe(`a background that dies, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSiteScene(browser));
      await connect(session, site);
    });

    after(() => closeScene({ session, server }));

    it('before a call is not noticed', async () => {
      await session.killBackground();
      const sealed = await succeed(site, 'seal', bytes(1, 2));
      await session.killBackground();
      expect(await succeed(site, 'open', sealed)).to.deep.equal(bytes(1, 2));
    });

    it('while the user is asked keeps the question', async () => {
      const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
      const asked = succeed(other, 'connect', { purpose: 'Wait', capabilities: ['seal'] });
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#allow[aria-disabled="false"]');
      await session.killBackground();
      await prompt.click('#allow');
      expect(await asked).to.have.length(1);
      expect(await succeed(other, 'seal', 'text')).to.have.property('$bytes');
      await other.close();
    });

    it('charges a counted use once, however often the request is sent again', async () => {
      const other = await openEnabledSite(session, `${server.otherOrigin}/blank.html?counted`);
      await succeed(other, 'revoke');
      const request = { purpose: 'Ten', capabilities: ['seal'], maxUses: 10 };
      await connect(session, other, request);
      for (let i = 0; i < 5; i++) {
        const sealing = succeed(other, 'seal', bytes(...Array.from({ length: 1000 }, () => i)));
        await session.killBackground();
        await sealing;
      }
      const [grant] = (await succeed(other, 'grants')) as { usesLeft: number }[];
      expect(grant!.usesLeft).to.equal(5);
      await other.close();
    });

    it(`at random moments of ${CALLS} calls gives ${CALLS} right answers`, async function () {
      this.timeout(300_000);
      const calling = site.evaluate(async (count) => {
        const { sealwright } = globalThis as unknown as {
          sealwright: Record<'seal' | 'open', (data: Uint8Array) => Promise<Uint8Array>>;
        };
        let right = 0;
        for (let call = 0; call < count / 2; call++) {
          // From nothing to several pieces, so that deaths fall between the pieces too.
          const plaintext = new Uint8Array((call * 7919) % 400_000).fill(call);
          const sealed = await sealwright.seal(plaintext);
          right++;
          const opened = await sealwright.open(sealed);
          if (opened.length === plaintext.length && opened.every((b) => b === (call & 255))) {
            right++;
          }
        }
        return right;
      }, CALLS);
      const state = { done: false };
      let kills = 0;
      const killing = (async () => {
        while (!state.done) {
          await new Promise((resume) => setTimeout(resume, 20 + Math.random() * 180));
          await session.killBackground();
          kills++;
        }
      })();
      const right = await calling.finally(() => (state.done = true));
      await killing;
      console.log(`      ${kills} kills during ${CALLS} calls`);
      expect(right).to.equal(CALLS);
      expect(kills).to.be.greaterThan(10);
    });
  });
}
