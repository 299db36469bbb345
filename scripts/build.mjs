/*
 * Builds dist/chromium, dist/firefox (unpacked extensions), dist/lib (the ES module library with
 * type declarations and the command line tool), dist/package (what is published of it to npm), dist/artifacts (zips) and
 * dist/site.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { makePackage } from './package.mjs';
import { makeTypesPortable } from './portable-types.mjs';
import { run, runTool } from './run.mjs';

/**
 * web-ext checks and packs the extension; its zip holds the time of packing and the order in which
 * the disk gave the files. Packed again, sorted and with one time, two builds are byte-equal.
 */
async function zip(target) {
  const name = `sealwright-{version}-${target}.zip`;
  await runTool(
    'web-ext',
    [
      'build',
      `--source-dir=dist/${target}`,
      '--artifacts-dir=dist/artifacts',
      `--filename=${name}`,
      '--overwrite-dest',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const { unzipSync } = await import('fflate');
  const { zipOf } = await import('./archives.mjs');
  const { version } = JSON.parse(readFileSync('manifest.json', 'utf8'));
  const path = `dist/artifacts/${name.replace('{version}', version)}`;
  const files = Object.entries(unzipSync(readFileSync(path))).filter(
    ([file]) => !file.endsWith('/'),
  );
  writeFileSync(path, zipOf(new Map(files)));
}

export async function build({ zips = true } = {}) {
  console.log('Building …');
  rmSync('dist/lib', { recursive: true, force: true });
  await runTool('webpack', []);
  await run('node', ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.lib.json']);
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
  makeTypesPortable('dist/lib/types', entries);
  chmodSync('dist/lib/cli.js', 0o755);
  writeFileSync('dist/lib/sealwright.1', execFileSync('node', ['dist/lib/cli.js', 'man']));
  // It imports packages, which a fresh clone does not have before setUp.
  const { writeDigestList } = await import('./packed-files.mjs');
  await writeDigestList();
  makePackage();
  if (!zips) return;
  for (const target of ['chromium', 'firefox']) await zip(target);
  await runTool('tsx', ['site/build.ts']);
}

if (import.meta.filename === process.argv[1]) {
  const { setUp } = await import('./setup.mjs');
  await setUp({ browsers: [] });
  await build();
  await run('ls', ['dist']);
}
