/*
 * `npm run check`: types, lint and format, beside each other. Where no file has changed since a check that passed, it says
 * so and ends; `npm run check -- --again` checks in any case.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { runTool } from './run.mjs';
import { PRETTIER_CACHE } from './test-parts.mjs';

/** The files of the last check that passed, as a digest of their names, sizes and times. */
const STAMP = '.cache/checked';
/** What npm has installed. */
const INSTALLED = 'node_modules/.package-lock.json';

function filesNow() {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const names = execFileSync('git', listed, { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0');
  const digest = createHash('sha256');
  for (const name of [process.version, INSTALLED, ...names]) {
    const { size, mtimeMs } = statSync(name, { throwIfNoEntry: false }) ?? {};
    digest.update(`${name} ${size} ${mtimeMs}\n`);
  }
  return digest.digest('hex');
}

function filesThen() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return undefined;
  }
}

const files = filesNow();
if (files === filesThen() && !process.argv.includes('--again')) {
  console.log('No file has changed since the last check, which passed.');
} else {
  const ended = await Promise.allSettled([
    runTool('oxlint', []),
    runTool('prettier', ['--check', '--log-level=warn', ...PRETTIER_CACHE, '.']),
  ]);
  const hasPassed = ended.every(({ status }) => status === 'fulfilled');
  process.exitCode = hasPassed ? 0 : 1;
  // A file that changed meanwhile may not have been checked.
  if (hasPassed && files === filesNow()) {
    mkdirSync(dirname(STAMP), { recursive: true });
    writeFileSync(STAMP, files);
  }
}
