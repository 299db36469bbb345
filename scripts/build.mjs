/*
 * Builds dist/chromium, dist/firefox and dist/test (unpacked extensions), dist/lib (the ES module library with
 * type declarations and the command line tool), dist/package and dist/create-sealwright (what is published to npm),
 * dist/open.html (the page for people without the extension), dist/artifacts (zips) and dist/site.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { makeCreatePackage, makePackage } from './package.mjs';
import { makeTypesPortable } from './portable-types.mjs';
import { bundle, run, runTool } from './run.mjs';

/** The zip of an unpacked extension. web-ext would write the time of packing into it, and the order in which the disk gave the files. */
async function zip(target) {
  const { zipOf } = await import('./archives.mjs');
  const { filesBelow } = await import('./packed-files.mjs');
  const { version } = JSON.parse(readFileSync('manifest.json', 'utf8'));
  mkdirSync('dist/artifacts', { recursive: true });
  const path = `dist/artifacts/sealwright-${version}-${target}.zip`;
  writeFileSync(path, zipOf(filesBelow(`dist/${target}`)));
}

/**
 * @param what zips: packages of both extensions; site: the Lab and the site
 */
export async function build({ zips = true, site = true } = {}) {
  console.log('Building …');
  // Imports of packages, which a fresh clone does not have before setUp.
  const { buildOpenPage } = await import('./open-page.mjs');
  await buildOpenPage();
  await bundle('chromium', 'firefox', ...(site ? ['lab'] : []));
  const { buildLibrary } = await import('./library.mjs');
  await buildLibrary();
  await run('node', ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.lib.json']);
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
  makeTypesPortable('dist/lib/types', entries);
  writeFileSync('dist/lib/sealwright.1', execFileSync('node', ['dist/lib/cli.js', 'man']));
  const { writeDigestList } = await import('./packed-files.mjs');
  await writeDigestList();
  const { makeTestZip } = await import('./test-zip.mjs');
  await makeTestZip();
  makePackage();
  makeCreatePackage();
  if (zips) for (const target of ['chromium', 'firefox', 'test']) await zip(target);
  if (site) await runTool('tsx', ['site/build.ts']);
}

if (import.meta.filename === process.argv[1]) {
  const { setUp } = await import('./setup.mjs');
  const site = !process.argv.includes('--no-site');
  await setUp({ browsers: [], workspaces: site ? ['site'] : [] });
  await build({ site });
  await run('ls', ['dist']);
}
