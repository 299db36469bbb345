import { expect } from 'chai';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import type { TestServer } from '../server.ts';
import { closeSharedSiteScene, openSharedSiteScene } from '../shared-scene.ts';
import {
  call,
  choose,
  openSitePopup,
  refusal,
  SEAL_AND_OPEN,
  succeed,
  waitForPrompts,
} from '../steps.ts';

interface Api {
  seal(plaintext: Uint8Array): Promise<Uint8Array>;
  open(sealed: Uint8Array): Promise<Uint8Array>;
  sealBlob(plaintext: Blob): Promise<Blob>;
  openBlob(sealed: Blob): Promise<Blob>;
  openMany(items: Uint8Array[]): Promise<{ ok: boolean }[]>;
}
/** In a page, as its own functions see it. */
declare const sealwright: Api;

/** Chosen by the user; the site asks for more. */
const LIMIT = 10;

/* What a site opens in an hour is bounded by the user's answer, whatever its page calls. */
for (const browser of BROWSERS) {
  describe(`the limit of openings in an hour, in ${browser}`, function () {
    this.timeout(120_000);
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      ({ session, server, site } = await openSharedSiteScene(browser));
    });

    after(() => closeSharedSiteScene({ server, site }));

    it('is what the user chose in the prompt, and the popup tells it', async () => {
      const asked = call(site, 'connect', { ...SEAL_AND_OPEN, maxPerHour: 200 });
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#allow[aria-disabled="false"]');
      const offered = await prompt.evaluate(() =>
        [...document.querySelectorAll<HTMLOptionElement>('#per-hour option')].map((it) => it.value),
      );
      expect(offered).to.deep.equal(['10', '100', '200']);
      await choose(prompt, '#per-hour', String(LIMIT));
      await prompt.click('#allow');
      await waitForPrompts(session, 0);
      expect((await asked).ok).to.equal(true);
      const [grant] = (await succeed(site, 'grants')) as { maxPerHour: number }[];
      expect(grant!.maxPerHour).to.equal(LIMIT);
      const popup = await openSitePopup(session, site);
      await popup.waitFor('.grant');
      expect(await popup.text('.grant')).to.contain(`at most ${LIMIT} an hour`);
      await popup.close();
    });

    it('is not passed by calls at the same time, keys of large messages among them', async () => {
      const answer = await site.evaluate(async (limit) => {
        const sealed = await sealwright.seal(new Uint8Array(16));
        const large = await sealwright.sealBlob(new Blob([new Uint8Array(3_000_000)]));
        const results = await Promise.allSettled([
          sealwright.openBlob(large),
          ...Array.from({ length: 5 * limit }, () => sealwright.open(sealed)),
          sealwright.openBlob(large),
        ]);
        const codes = results.map((it) =>
          it.status === 'fulfilled' ? 'ok' : (it.reason as { code: string }).code,
        );
        const of = (code: string) => codes.filter((each) => each === code).length;
        return { ok: of('ok'), quota: of('QUOTA'), all: codes.length };
      }, LIMIT);
      expect(answer).to.deep.equal({ ok: LIMIT, quota: answer.all - LIMIT, all: 5 * LIMIT + 2 });
    });

    it('is the same after the background has died', async () => {
      await session.killBackground();
      const sealed = (await succeed(site, 'seal', 'more can be sealed')) as object;
      expect(await refusal(site, 'open', sealed)).to.equal('QUOTA');
    });

    it('is passed for an export by the number that the prompt says, and no more', async () => {
      const request = { ...SEAL_AND_OPEN, maxPerHour: LIMIT, bulk: { records: 1234 } };
      const asked = call(site, 'connect', request);
      const prompt = await session.waitForTab('prompt.html');
      await prompt.waitFor('#allow[aria-disabled="false"]');
      expect(await prompt.text('#bulk')).to.contain('within the next hour: 1,234');
      await prompt.click('#allow');
      await waitForPrompts(session, 0);
      expect((await asked).ok).to.equal(true);
      const count = await site.evaluate(async () => {
        const sealed = await sealwright.seal(new Uint8Array(16));
        const opened = await sealwright.openMany(Array.from({ length: 1300 }, () => sealed));
        return opened.filter((it) => it.ok).length;
      });
      expect(count).to.equal(1234);
    });
  });
}
