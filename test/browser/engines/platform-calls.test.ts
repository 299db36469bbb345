import { expect } from 'chai';
import { BROWSERS } from '../drivers/launch.ts';
import { SuitesInPage } from './suites-in-page.ts';

interface InPage {
  holdUps?: () => Promise<Record<string, number>>;
}

/** For an answer to another site. Measured alone, the longest takes a fifth of it. */
const MOST_MS = 250;
/** Three ciphers in two directions; two uses of HMAC and a digest with each of four hashes. */
const CALLS = 18;

/*
 * Chromium does the work of WebCrypto on the thread that asks for it. The background asks for what platform-calls.ts has,
 * and for nothing else of a page.
 */
describe('calls of subtle that the platform does in the background', () => {
  const suites = new SuitesInPage();
  after(() => suites.remove());

  it('hold up other calls for less than these may wait, with the most data', async function () {
    this.timeout(300_000);
    await suites.build('test/browser/in-page/platform-calls.ts');
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
});
