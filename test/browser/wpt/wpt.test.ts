import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { BrowserName, BrowserSession, Tab } from '../drivers/driver.ts';
import { BROWSERS, launch } from '../drivers/launch.ts';
import { closeScene } from '../scene.ts';
import { serve, type TestServer } from '../server.ts';
import { createVault, openEnabledSite } from '../steps.ts';
import { wptFiles } from './files.ts';
import { wptFolder } from './folder.ts';
import { firstPart, pageOf, writePages } from './pages.ts';
import { countsOf, expectedIn, surprises, unshared } from './verdict.ts';
import type { Counts, Report } from './verdict.ts';

declare global {
  var wptReport: Report | undefined;
}

/** `npm run wpt` runs all; `npm test` the first part of a file that has parts. */
const IS_WHOLE = process.env.SEALWRIGHT_WPT_WHOLE !== undefined;
const PATIENCE_MS = IS_WHOLE ? 600_000 : 120_000;
const wpt = wptFolder();

/*
 * The web-platform-tests of the Web Cryptography API, in a page whose `crypto.subtle` is ours.
 */
if (wpt === undefined) {
  describe('web-platform-tests', () => {
    it('are not here: `npm run wpt` fetches them, or SEALWRIGHT_WPT says where they are', function () {
      this.skip();
    });
  });
} else {
  for (const browser of BROWSERS) runAll(browser, wpt);
}

function runAll(browser: BrowserName, wpt: string): void {
  const { ours, others } = wptFiles(wpt);

  describe(`web-platform-tests over sealwright.subtle, in ${browser}`, function () {
    this.timeout(PATIENCE_MS);
    const folder = mkdtempSync(join(tmpdir(), 'sealwright-wpt-'));
    const counts: Record<string, Counts> = {};
    let session: BrowserSession;
    let server: TestServer;
    let site: Tab;

    before(async () => {
      writePages(wpt, folder, ours);
      [session, server] = await Promise.all([
        launch(browser),
        serve(folder, wpt, 'test/browser/fixtures'),
      ]);
      await createVault(session);
      site = await openEnabledSite(session, `${server.origin}/blank.html`);
    });

    after(async () => {
      await closeScene({ session, server });
      rmSync(folder, { recursive: true });
      tell(browser, counts, others.length);
    });

    async function run(file: string, whose: 'ours' | 'browser'): Promise<Report> {
      const part = IS_WHOLE ? undefined : firstPart(readFileSync(join(wpt, file), 'utf8'));
      const query = [...(whose === 'ours' ? ['sealwright'] : []), ...(part ? [part] : [])];
      await site.goto(`${server.origin}/${pageOf(file)}?${query.join('&')}`);
      const isDone = () => globalThis.wptReport !== undefined;
      await site.waitUntil(isDone, { timeoutMs: PATIENCE_MS });
      return site.evaluate(() => globalThis.wptReport!);
    }

    for (const file of ours) {
      const name = file.replace(/^WebCryptoAPI\//, '');
      it(name, async () => {
        const expected = expectedIn(name, browser);
        const report = await run(file, 'ours');
        counts[name] = countsOf(report);
        expect(surprises(report, expected)).to.deep.equal([]);
        if (!expected.some(({ inBrowserToo }) => inBrowserToo)) return;
        expect(unshared(await run(file, 'browser'), expected)).to.deep.equal([]);
      });
    }
  });
}

/** In a line, and each file in artifacts/wpt-<browser>.json when all have run. */
function tell(browser: BrowserName, counts: Record<string, Counts>, others: number): void {
  const all = Object.values(counts);
  const sum = (field: keyof Counts) => all.reduce((total, one) => total + one[field], 0);
  console.log(
    `      ${all.length} files in ${browser}${IS_WHOLE ? '' : ', in part'}: ${sum('passed')} subtests passed, ` +
      `${sum('failed')} did not; ${others} files not ours`,
  );
  if (!IS_WHOLE) return;
  mkdirSync('artifacts', { recursive: true });
  writeFileSync(`artifacts/wpt-${browser}.json`, `${JSON.stringify(counts, null, 2)}\n`);
}
