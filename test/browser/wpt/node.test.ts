import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { wptFiles } from './files.ts';
import { wptFolder } from './folder.ts';
import { countsOf, expectedIn, surprises } from './verdict.ts';
import type { Report } from './verdict.ts';

const PROGRAM = fileURLToPath(new URL('node-file.ts', import.meta.url));
const run = promisify(execFile);
/** Three minutes on two cores; only `npm run wpt` has them. */
const wpt = process.env['SEALWRIGHT_WPT_WHOLE'] === undefined ? undefined : wptFolder();

/*
 * The web-platform-tests over the library, each file in a process of its own: their scripts share names.
 */
describe('web-platform-tests over sealwright/subtle, in Node.js', function () {
  this.timeout(600_000);
  if (wpt === undefined) {
    it('run with `npm run wpt` alone', function () {
      this.skip();
    });
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-wpt-node-'));
  const total = { files: 0, passed: 0, failed: 0 };

  after(() => {
    rmSync(folder, { recursive: true });
    const { files, passed, failed } = total;
    console.log(`      ${files} files in Node.js: ${passed} subtests passed, ${failed} did not`);
  });

  for (const file of wptFiles(wpt).ours.filter((one) => one.endsWith('.any.js'))) {
    const name = file.replace(/^WebCryptoAPI\//, '');
    it(name, async () => {
      const target = join(folder, 'report.json');
      rmSync(target, { force: true });
      await run(process.execPath, ['--import', 'tsx', PROGRAM, wpt, file, target]);
      const report = JSON.parse(readFileSync(target, 'utf8')) as Report;
      const { passed, failed } = countsOf(report);
      total.files += 1;
      total.passed += passed;
      total.failed += failed;
      expect(surprises(report, expectedIn(name, 'node'))).to.deep.equal([]);
    });
  }
});
