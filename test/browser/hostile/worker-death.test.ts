import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { type TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import { answerPrompt, bytes, connect, openEnabledSite, succeed } from '../steps.ts';
import { chromiumFirst } from '../../support/depth.ts';
import { IS_NIGHTLY } from '../../support/nightly.ts';

/** At least; more where the machine is too busy for so many deaths meanwhile. */
const CALLS = IS_NIGHTLY ? 200 : 60;
const KILLS = IS_NIGHTLY ? 12 : 5;

/* The browser may end the background at any moment; the page's promise still settles, rightly. */
for (const browser of BROWSERS) {
  const alike = chromiumFirst(browser);

  describe(`a background that dies, in ${browser}`, () => {
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSharedSiteScene(browser));
      await connect(session, site);
    });

    after(() => closeSharedSiteScene({ server, site }));

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
      await answerPrompt(session);
      expect(await asked).to.have.length(1);
      expect(await succeed(other, 'seal', 'text')).to.have.property('$bytes');
      await other.close();
    });

    alike('charges a counted use once, however often the request is sent again', async () => {
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

    alike(`at random moments of ${CALLS} calls and more gives right answers`, async function () {
      this.timeout(300_000);
      const recoveryMs = await timeToRecover(session, site);
      await site.evaluate(beginCalls, CALLS);
      let kills = 0;
      while ((await site.evaluate(callsEnded)) === undefined) {
        // Deaths that are faster than the recovery so often as a call is sent again would end it.
        await new Promise((resume) => setTimeout(resume, Math.random() * 2.5 * recoveryMs));
        await session.killBackground();
        if (++kills === KILLS) await site.evaluate(endSoon);
      }
      const ended = await site.evaluate(callsEnded);
      console.log(`      ${kills} kills during ${JSON.stringify(ended)}`);
      expect(ended).to.have.property('made').that.is.at.least(CALLS);
      expect(ended).to.have.property('right', (ended as CallCounts).made);
    });
  });
}

interface CallCounts {
  readonly made: number;
  readonly right: number;
}
type CallingPage = typeof globalThis & {
  sealwright: Record<'seal' | 'open', (data: Uint8Array) => Promise<Uint8Array>>;
  mayEnd?: boolean;
  ended?: CallCounts | string;
};

/** In the page: half of the calls seal, half open what came out. */
function beginCalls(count: number): void {
  const page = globalThis as CallingPage;
  const run = async () => {
    let [made, right] = [0, 0];
    for (let call = 0; made < count || !page.mayEnd; call++) {
      // From nothing to several pieces, so that deaths fall between the pieces too.
      const plaintext = new Uint8Array((call * 7919) % 400_000).fill(call);
      made += 2;
      const sealed = await page.sealwright.seal(plaintext);
      right++;
      const opened = await page.sealwright.open(sealed);
      if (opened.length === plaintext.length && opened.every((b) => b === (call & 255))) right++;
    }
    return { made, right };
  };
  void run().then(
    (counts) => (page.ended = counts),
    (error: unknown) => (page.ended = String(error)),
  );
}

/** In the page: there have been deaths enough. */
const endSoon = () => void ((globalThis as CallingPage).mayEnd = true);

/** In the page: the calls and their right answers, or why they stopped; undefined before the end. */
const callsEnded = () => (globalThis as CallingPage).ended;

/** From a death to the next answer, in milliseconds. */
async function timeToRecover(session: BrowserSession, site: Tab): Promise<number> {
  await session.killBackground();
  const start = performance.now();
  await succeed(site, 'seal', bytes(1));
  return performance.now() - start;
}
