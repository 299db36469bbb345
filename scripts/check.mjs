/*
 * `npm run check`: types, lint and format, beside each other. Where no file has changed since a check that passed, it says
 * so and ends; `npm run check -- --again` checks in any case. Files that need packages of workspaces are checked where these
 * are installed (npm run setup).
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { runTool } from './run.mjs';
import { installedWorkspaces, TESTED_WORKSPACES } from './setup.mjs';
import { LINTED, PRETTIER_CACHE } from './test-parts.mjs';

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
  const here = installedWorkspaces() ?? [];
  const missing = TESTED_WORKSPACES.filter((name) => !here.includes(name));
  const ended = await Promise.allSettled([
    runTool('oxlint', missing.length > 0 ? LINTED.core : LINTED.all),
    runTool('prettier', ['--check', '--log-level=warn', ...PRETTIER_CACHE, '.']),
  ]);
  const hasPassed = ended.every(({ status }) => status === 'fulfilled');
  process.exitCode = hasPassed ? 0 : 1;
  if (missing.length > 0) {
    console.log(`Types and lint of files that need packages of workspaces were left out: ${missing.join(', ')} are not installed.
npm run setup installs them.`);
  }
  // A file that changed meanwhile may not have been checked.
  if (hasPassed && files === filesNow()) {
    mkdirSync(dirname(STAMP), { recursive: true });
    writeFileSync(STAMP, files);
  }
}
