import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  fromJson,
  pairKeys,
  platformDifferences,
  runCases,
  subtlesOf,
  toJson,
  type Run,
} from '../../cross/differential.ts';
import { loadWasm } from '../../support/wasm.ts';
import { BROWSERS } from '../drivers/launch.ts';
import { SuitesInPage } from './suites-in-page.ts';

interface InPage {
  differential?: (run: Run) => ReturnType<typeof runCases>;
}

/** How many cases there are; `npm run differential -- --browsers` asks for more. */
const CASES = Number(process.env['SEALWRIGHT_DIFFERENTIAL'] ?? 2000);
const SEED = process.env['SEALWRIGHT_SEED'] ?? randomBytes(4).toString('hex');
/** Cases of one call of the page. */
const STEP = 1000;

/*
 * The same random calls of `subtle`, right and wrong, in Node and inside each browser: the same bytes, or the same error.
 */
describe('random calls of subtle', () => {
  const suites = new SuitesInPage();
  after(() => suites.remove());

  it('give in each browser what they give in Node', async function () {
    this.timeout(4 * 3_600_000);
    await suites.build('test/browser/in-page/differential.ts');
    const subtles = await subtlesOf(loadWasm);
    const json = toJson(await pairKeys(subtles.auto));
    suites.write('keys.json', json);
    const keys = fromJson(json);
    for (const browser of BROWSERS) {
      await suites.inPage(browser, async (tab, version) => {
        await tab.waitUntil(() => (globalThis as InPage).differential !== undefined, {
          timeoutMs: 120_000,
        });
        for (let from = 0; from < CASES; from += STEP) {
          const run = { seed: SEED, from, to: Math.min(CASES, from + STEP) };
          const theirs = await tab.evaluate(
            (given: Run) => (globalThis as InPage).differential!(given),
            run,
          );
          expect(theirs.differences, `seed ${SEED}, engines of ${version}`).to.deep.equal([]);
          const { outcomes } = await runCases(run, keys, { auto: subtles.auto });
          const both = { Node: outcomes, [version]: theirs.outcomes };
          const differences = platformDifferences(run, keys, both);
          expect(differences, `seed ${SEED}`).to.deep.equal([]);
        }
        console.log(`      ${CASES} cases in Node and ${version}`);
      });
    }
  });
});
