import { expect } from 'chai';
import { BROWSERS } from '../drivers/launch.ts';
import type { HeldByMany } from '../in-page/platform-calls.ts';
import { SuitesInPage } from './suites-in-page.ts';

interface InPage {
  holdUps?: () => Promise<Record<string, number>>;
  heldByMany?: () => Promise<HeldByMany>;
}

/** For an answer to another site. Measured alone, the longest takes a fifth of it. */
const MOST_MS = 250;
/** Three ciphers in two directions; two uses of HMAC and a digest with each of four hashes. */
const CALLS = 18;

/*
 * Chromium does the work of WebCrypto on the thread that asks for it. The background asks for what platform-calls.ts has,
 * and for nothing else of a page.
 */
describe('calls of subtle that the platform does in the background', function () {
  this.timeout(300_000);
  const suites = new SuitesInPage();
  before(() => suites.build('test/browser/in-page/platform-calls.ts'));
  after(() => suites.remove());

  it('hold up other calls for less than these may wait, with the most data', async () => {
    for (const browser of BROWSERS) {
      await suites.inPage(browser, async (tab, version) => {
        const isThere = () => (globalThis as InPage).holdUps !== undefined;
        await tab.waitUntil(isThere, { timeoutMs: 60_000 });
        const held = Object.entries(await tab.evaluate(() => (globalThis as InPage).holdUps!()));
        expect(held).to.have.length(CALLS);
        expect(held.filter(([, ms]) => !(ms <= MOST_MS))).to.deep.equal([]);
        const [title, most] = held.sort(([, a], [, b]) => b - a)[0]!;
        console.log(`      ${version}: at most ${most.toFixed(0)} ms, ${title}`);
      });
    }
  });

  it('hold up others no longer where four sites have many under way', async () => {
    for (const browser of BROWSERS) {
      await suites.inPage(browser, async (tab, version) => {
        const isThere = () => (globalThis as InPage).heldByMany !== undefined;
        await tab.waitUntil(isThere, { timeoutMs: 60_000 });
        const held = await tab.evaluate(() => (globalThis as InPage).heldByMany!());
        const { oneMs, longestMs, allMs, count } = held;
        console.log(`      ${version}: ${longestMs.toFixed(0)} of ${allMs.toFixed(0)} ms`);
        // One after another they are a thirtieth of it.
        expect(longestMs, 'in one piece').to.be.below(allMs / 4);
        if (browser === 'firefox') return;
        expect(allMs, 'with the rests').to.be.above(1.5 * count * oneMs);
      });
    }
  });
});
