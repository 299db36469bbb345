import { BROWSERS } from '../drivers/launch.ts';
import { SuitesInPage } from './suites-in-page.ts';

/*
 * The same mocha files that hold the engines in Node, run inside each browser: its WebCrypto is
 * another implementation, its JavaScript engine another compiler.
 */
describe('the engines', () => {
  const suites = new SuitesInPage();
  before(() => suites.build('test/browser/in-page/entry.ts'));
  after(() => suites.remove());

  for (const browser of BROWSERS) {
    it(`hold the conformance suites inside ${browser}`, async function () {
      this.timeout(600_000);
      await suites.run(browser, 50);
    });
  }
});
