/*
 * Builds dist/chromium, dist/firefox (unpacked extensions), dist/lib (the ES module library with
 * type declarations and the command line tool) and dist/artifacts (zips).
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { run, runTool } from './run.mjs';

/** The time of the commit: zips record times, and two builds of one commit are to be equal. */
function sourceTime() {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH);
  try {
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }));
  } catch {
    return 1_700_000_000; // Not a git checkout (a source archive): any fixed time will do.
  }
}

function setTimes(folder, seconds) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setTimes(path, seconds);
    utimesSync(path, seconds, seconds);
  }
}

async function zip(target, seconds) {
  const folder = `dist/${target}`;
  setTimes(folder, seconds);
  await runTool(
    'web-ext',
    [
      'build',
      `--source-dir=${folder}`,
      '--artifacts-dir=dist/artifacts',
      `--filename=sealwright-{version}-${target}.zip`,
      '--overwrite-dest',
    ],
    // The zip format stores local time.
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, TZ: 'UTC' } },
  );
}

export async function build({ zips = true } = {}) {
  console.log('Building …');
  rmSync('dist/lib', { recursive: true, force: true });
  await runTool('webpack', []);
  await runTool('tsc', ['-p', 'tsconfig.lib.json']);
  chmodSync('dist/lib/cli.js', 0o755);
  if (!zips) return;
  const seconds = sourceTime();
  for (const target of ['chromium', 'firefox']) await zip(target, seconds);
}

if (import.meta.filename === process.argv[1]) {
  const { setUp } = await import('./setup.mjs');
  await setUp();
  await build();
  await run('ls', ['dist']);
}
