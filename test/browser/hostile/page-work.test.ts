import { expect } from 'chai';
import { everyNth } from '../../support/nightly.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import {
  begin,
  beginLongest,
  BEYOND,
  endlessSignature,
  WORST,
  type WorkPage,
} from '../in-page/attacks/page-work.ts';
import { closeScene, openVaultScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { connect, openEnabledSite, openPopup, succeed, unlockVault } from '../steps.ts';

/** How often the other site asks while work of a page is under way. */
const ASKED = 10;
const MANY = 100;
/** More than the background works on in one piece, whatever is done with it. */
const LONG_BYTES = 24 * 2 ** 20;
/** How a call ends that is answered. */
const DONE = { name: 'none', message: '' };
/** More deaths than a call survives, and fewer than other calls do. */
const DEATHS = 8;

/*
 * What an enabled page without a grant may ask of `subtle`: whatever it is, others are answered while
 * it is under way. Shown by the order of the answers alone.
 */
for (const browser of BROWSERS) {
  describe(`long work of a page, in ${browser}`, function () {
    this.timeout(240_000);
    let session: BrowserSession;
    let server: TestServer;
    let other: Tab;

    before(async () => {
      ({ session, server } = await openVaultScene(browser));
      await (await openEnabledSite(session, `${server.origin}/blank.html`)).close();
      other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
    });
    after(() => closeScene({ session, server }));

    /** A page of an origin of its own, which has spent no effort yet, on the host that is enabled. */
    async function onNewSite(work: (page: Tab) => Promise<void>): Promise<void> {
      const own = await serve('test/browser/fixtures');
      const page = await session.newTab(`${own.origin}/blank.html`);
      await page.waitUntil(() => 'sealwright' in globalThis);
      try {
        await work(page);
      } finally {
        await page.close();
        await own.close();
      }
    }

    it('as much as is accepted lets other sites in, whatever it is', async () => {
      for (const one of everyNth(3, WORST)) {
        await onNewSite(async (page) => {
          await page.evaluate(begin, [one]);
          expect(await askStatus(other, ASKED)).to.equal(ASKED);
          expect(await pending(page), `${one.title} is under way`).to.equal(1);
          expect(await outcomes(page), one.title).to.deep.equal([DONE]);
        });
      }
    });

    it('the longest messages of a page with a permission let other sites in', async () => {
      await onNewSite(async (page) => {
        await connect(session, page, { purpose: 'To test', capabilities: ['seal', 'open', 'mac'] });
        await page.evaluate(beginLongest, LONG_BYTES);
        expect(await askStatus(other, ASKED)).to.equal(ASKED);
        expect(await pending(page), 'messages are under way').to.be.above(0);
        expect(new Set(await names(page))).to.deep.equal(new Set(['none']));
      });
    });

    it('more than that is refused, all of it', async () => {
      await onNewSite(async (page) => {
        await page.evaluate(begin, [...BEYOND, endlessSignature()]);
        expect(await askStatus(other, 1)).to.equal(1);
        const ended = await names(page);
        const titles = [...BEYOND.map(({ title }) => title), 'DSA'];
        const wrong = titles.map((title, i) => [title, ended[i]]);
        expect(wrong.filter(([, name]) => name !== 'OperationError')).to.deep.equal([]);
      });
    });

    it(`${MANY} times at once leaves other sites, popup and lock as they are`, async () => {
      await onNewSite(async (page) => {
        await page.evaluate(
          begin,
          Array.from({ length: MANY }, () => WORST[0]!),
        );
        expect(await askStatus(other, ASKED)).to.equal(ASKED);
        const popup = await openPopup(session);
        await popup.click('#lock-now');
        await popup.waitFor('#unlock');
        await popup.close();
        expect(await succeed(other, 'status')).to.include({ locked: true });
        expect(await pending(page), 'work is under way').to.be.above(0);
        await unlockVault(session);
        expect(await pending(page), 'the unlock waited for no work of pages').to.be.above(0);
      });
      // The page has gone and its work with it: that of another page begins, and ends.
      await onNewSite(async (page) => {
        await page.evaluate(begin, [WORST[0]!]);
        expect(await outcomes(page)).to.deep.equal([DONE]);
      });
    });

    it('is sent again when the background dies, and given up when it dies again', async () => {
      await onNewSite(async (page) => {
        await page.evaluate(begin, [WORST[0]!]);
        for (let deaths = 0; deaths < DEATHS && (await pending(page)) === 1; deaths++) {
          await session.killBackground();
          // It is there again, and has heard of the calls that were sent again.
          await askStatus(other, 1);
        }
        const [ended] = await outcomes(page);
        expect(ended!.name).to.equal('OperationError');
        expect(ended!.message).to.match(/^DISCONNECTED: /);
      });
    });
  });
}

/** How many calls are not answered yet. */
function pending(page: Tab): Promise<number> {
  return page.evaluate(() => {
    const { began, ended } = globalThis as unknown as WorkPage;
    return began - Object.keys(ended).length;
  });
}

/** How the calls ended, in their order. */
async function outcomes(page: Tab): Promise<readonly { name: string; message: string }[]> {
  const isOver = () => {
    const { began, ended } = globalThis as unknown as WorkPage;
    return Object.keys(ended).length === began;
  };
  await page.waitUntil(isOver, { timeoutMs: 120_000 });
  return page.evaluate(() => Object.values((globalThis as unknown as WorkPage).ended));
}

/** Their errors' names, or "none". */
async function names(page: Tab): Promise<readonly string[]> {
  return (await outcomes(page)).map(({ name }) => name);
}

/** Asks so often, one after the other. @returns how often it was answered */
function askStatus(page: Tab, times: number): Promise<number> {
  return page.evaluate(async (count) => {
    const { sealwright } = globalThis as unknown as WorkPage;
    let answered = 0;
    for (; answered < count; answered++) await sealwright.status();
    return answered;
  }, times);
}
