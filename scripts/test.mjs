/*
 * `npm test`: set-up, build, the repository's own rules, all unit tests, then the built extension
 * in both browsers. Ends with one line that counts: N passed, N failed, N skipped.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { runTool } from './run.mjs';
import { setUp } from './setup.mjs';

const counts = join(mkdtempSync(join(tmpdir(), 'sealwright-counts-')), 'counts');
writeFileSync(counts, '');
const failures = [];

/** One part of the tests; a failing part does not keep the next ones from running. */
async function part(title, tool, args) {
  console.log(`\n== ${title}`);
  const env = { ...process.env, SEALWRIGHT_COUNTS: counts };
  await runTool(tool, args, { env }).catch((error) => failures.push(`${title}: ${error.message}`));
}

await setUp({ tests: true });
await build();
await part('Types', 'tsc', ['-b']);
await part('Lint', 'eslint', ['.']);
await part('Format', 'prettier', ['--check', '--log-level=warn', '.']);
await part('Units', 'mocha', ['test/!(browser|dist)/**/*.test.{ts,tsx}']);
await part('Browsers', 'mocha', [
  '--config=test/browser/mocharc.json',
  'test/{dist,browser}/**/*.test.ts',
]);

const totals = readFileSync(counts, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
for (const failure of failures) console.log(`\nFAILED ${failure}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exit(failures.length === 0 ? 0 : 1);
