/*
 * `npm test`: set-up, build, all unit tests; then the built extension in Firefox and, side by side
 * with it, the repository's own rules and the extension in Chromium. Ends with one line that counts:
 * N passed, N failed, N skipped.
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

/** Firefox's tests take longest: all that is not a unit runs beside them. They are shown at the end. */
async function besideFirefox(parts) {
  const later = join(folder, 'firefox.txt');
  const output = openSync(later, 'w');
  const stdio = ['ignore', output, output];
  const firefox = part('Firefox (shown at the end)', 'mocha', browserTests, {
    env: { BROWSERS: 'firefox' },
    stdio,
  });
  await Promise.all([firefox, parts()]);
  console.log(`\n== Firefox\n${readFileSync(later, 'utf8')}`);
}

await setUp({ tests: true });
await build();
await part('Units', 'mocha', ['--parallel', '--jobs=2', 'test/!(browser|dist)/**/*.test.{ts,tsx}']);
await besideFirefox(async () => {
  await part('Types', 'tsc', ['-b']);
  await part('Lint', 'eslint', ['.']);
  await part('Format', 'prettier', ['--check', '--log-level=warn', '.']);
  await part('Builds', 'mocha', ['--config=test/browser/mocharc.json', 'test/dist/**/*.test.ts']);
  await part('Chromium', 'mocha', browserTests, { env: { BROWSERS: 'chromium' } });
});

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
