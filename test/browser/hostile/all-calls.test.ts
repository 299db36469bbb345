import { expect } from 'chai';
import type { RegisteredOperation } from '../../../src/crypto/subtle/row.ts';
import type { BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { beginAll, PLANS, type AllCallsPage } from '../in-page/attacks/all-calls.ts';
import { closeScene, openVaultScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { openEnabledSite } from '../steps.ts';

const AT_ONCE = 2;
/** Far more than the 250 ms that `npm run bench:load` asks of an idle machine: here other tests run beside. */
const MOST_MS = 5_000;
/** Whose keys or signatures take longer than one call may. */
const BEYOND = /^SLH-DSA-/;

/** The methods that a page calls of each operation. */
const METHODS: Readonly<Partial<Record<RegisteredOperation, readonly string[]>>> = {
  deriveBits: ['deriveBits', 'deriveKey'],
  encapsulate: ['encapsulateBits', 'encapsulateKey'],
  decapsulate: ['decapsulateBits', 'decapsulateKey'],
  getKeyLength: [],
};

/*
 * Every method of `subtle` × every algorithm × the most that a call may ask for, by a page without a grant: another site is
 * answered meanwhile.
 */
for (const browser of BROWSERS) {
  describe(`every call of subtle, in ${browser}`, function () {
    this.timeout(240_000);
    let session: BrowserSession;
    let server: TestServer;
    let other: Tab;
    let worst = { ms: 0, name: '' };

    before(async () => {
      ({ session, server } = await openVaultScene(browser));
      await (await openEnabledSite(session, `${server.origin}/blank.html`)).close();
      other = await openEnabledSite(session, `${server.otherOrigin}/blank.html`);
    });
    after(() => {
      console.log(`      ${worst.ms.toFixed(0)} ms at most, ${worst.name}`);
      return closeScene({ session, server });
    });

    for (const plan of PLANS) {
      it(`${plan.name}, the most of each, lets another site in`, async () => {
        const own = await serve('test/browser/fixtures');
        const page = await session.newTab(`${own.origin}/blank.html`);
        try {
          await page.waitUntil(() => 'sealwright' in globalThis);
          await page.evaluate(beginAll, plan, AT_ONCE);
          const isOver = () =>
            page.evaluate(() => (globalThis as unknown as AllCallsPage).ended !== undefined);
          do {
            const ms = await longestAnswer(other);
            if (ms > worst.ms) worst = { ms, name: plan.name };
            expect(ms, 'the longest answer to another site').to.be.below(MOST_MS);
          } while (!(await isOver()));
          const ended = await page.evaluate(() => (globalThis as unknown as AllCallsPage).ended!);
          // Some keys have no PKCS#8, or no JWK.
          const refused = ended.filter(
            ([method, outcome]) =>
              outcome !== 'none' &&
              !(outcome === 'NotSupportedError' && /^(?:export|wrap)Key$/.test(method)),
          );
          if (BEYOND.test(plan.name) && refused.length > 0) {
            expect([...new Set(refused.map(([, outcome]) => outcome))]).to.deep.equal([
              'OperationError',
            ]);
            return;
          }
          expect(refused).to.deep.equal([]);
          const wanted = plan.operations.flatMap((operation) => METHODS[operation] ?? [operation]);
          expect(ended.map(([method]) => method)).to.include.members(wanted);
        } finally {
          await page.close();
          await own.close();
        }
      });
    }
  });
}

/** Asks for half a second. @returns the longest time of an answer, in ms */
function longestAnswer(page: Tab): Promise<number> {
  return page.evaluate(async () => {
    const { sealwright } = globalThis as unknown as AllCallsPage;
    const until = performance.now() + 500;
    let longest = 0;
    while (performance.now() < until) {
      const asked = performance.now();
      await sealwright.status();
      longest = Math.max(longest, performance.now() - asked);
      await new Promise((resume) => setTimeout(resume, 2));
    }
    return longest;
  });
}
