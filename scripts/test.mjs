/*
 * `npm test`: set-up, build, the repository's own rules, all unit tests, then the built extension
 * in both browsers, side by side. Ends with one line that counts: N passed, N failed, N skipped.
 */
import { mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { runTool } from './run.mjs';
import { setUp } from './setup.mjs';

const folder = mkdtempSync(join(tmpdir(), 'sealwright-test-'));
const counts = join(folder, 'counts');
writeFileSync(counts, '');
const failures = [];

/** One part of the tests; a failing part does not keep the next ones from running. */
async function part(title, tool, args, { env = {}, ...options } = {}) {
  console.log(`\n== ${title}`);
  const all = { ...process.env, ...env, SEALWRIGHT_COUNTS: counts };
  await runTool(tool, args, { ...options, env: all }).catch((error) => {
    failures.push(`${title}: ${error.message}`);
  });
}

const browserTests = ['--config=test/browser/mocharc.json', 'test/browser/**/*.test.ts'];

/** One part for each browser: the first one's output as it comes, the second one's at the end. */
async function bothBrowsers() {
  const later = join(folder, 'firefox.txt');
  const output = openSync(later, 'w');
  const stdio = ['ignore', output, output];
  await Promise.all([
    part('Chromium', 'mocha', browserTests, { env: { BROWSERS: 'chromium' } }),
    part('Firefox (shown below)', 'mocha', browserTests, { env: { BROWSERS: 'firefox' }, stdio }),
  ]);
  console.log(`\n== Firefox\n${readFileSync(later, 'utf8')}`);
}

await setUp({ tests: true });
await build();
await part('Types', 'tsc', ['-b']);
await part('Lint', 'eslint', ['.']);
await part('Format', 'prettier', ['--check', '--log-level=warn', '.']);
await part('Units', 'mocha', ['--parallel', '--jobs=2', 'test/!(browser|dist)/**/*.test.{ts,tsx}']);
await part('Builds', 'mocha', ['--config=test/browser/mocharc.json', 'test/dist/**/*.test.ts']);
await bothBrowsers();

const lines = readFileSync(counts, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const total = (name) => lines.reduce((sum, line) => sum + line[name], 0);
// At the end, where whoever sees but the last lines of a log finds them.
for (const test of lines.flatMap(({ repeated }) => repeated)) console.log(`\nAGAIN ${test}`);
for (const test of lines.flatMap(({ failures: tests }) => tests)) console.log(`\nFAILED ${test}`);
for (const failure of failures) console.log(`\nFAILED ${failure}`);
console.log(`\n${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
process.exit(failures.length === 0 ? 0 : 1);
