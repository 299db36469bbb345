/* Makes dist/test, the extension for end-to-end tests of apps, of dist/chromium (extension/test-zip). */
import { Buffer } from 'node:buffer';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { NAMES_FILE, filesBelow } from './packed-files.mjs';

const TARGET = 'dist/test';
const SOURCES = 'extension/test-zip';
const SCRIPT = 'test-background.js';
const BAND = 'test-band.css';
const ICON = 'icons/test-128.png';
const NAME = 'Sealwright TEST';
const SITES = ['http://*/*', 'https://*/*'];

/** Of a key whose private half was not kept: an id of its own, which is the same on every machine. */
const KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwZf7s8yd4MuUU0Vc97EiX+MHIqk97ddFhFKxJa7Cb83w9M7HXV9O1+35TpLs9HIc4Xlvnfy6hqrzcv4CuFq5sW9RoE7zSE9qPbQjU0ouWByyS4DGu7WyRSFrZnHuhgOw15jLi+9pGwlRdCEEa8roZLdxqCewFCYdCatgz0YSnGpATF5vxxq3xNXsQD1veZ9blqmECZTHDkCj7eqrDKZ1L6lzlJ8I6UCRkoKrRTGy+OSYF4aJKxDVpsyl0160YF2QiH39gbtWrbzYFfjDrKaVbg4qMz6V2L3a8aZI9QHYCYWokXkHBLd7geKtl6E00oAkPhu/9QV4YNosZ6TJmv8JQwIDAQAB';

/** What is another thing in the test zip; all other members are those of the release. */
function testManifest(manifest) {
  const { action, ...rest } = manifest;
  delete rest.optional_host_permissions;
  return {
    ...rest,
    name: NAME,
    description: 'Sealwright for end-to-end tests. Whoever has this copy can open what it seals.',
    key: KEY,
    icons: { 128: ICON },
    action: { ...action, default_title: NAME, default_icon: { 128: ICON } },
    background: { service_worker: SCRIPT },
    host_permissions: SITES,
    content_scripts: [{ matches: SITES, css: [BAND], run_at: 'document_start' }],
  };
}

/** @returns the files of the test zip by path */
export async function testFiles() {
  const files = filesBelow('dist/chromium');
  const manifest = JSON.parse(readFileSync('dist/chromium/manifest.json', 'utf8'));
  files.set('manifest.json', Buffer.from(`${JSON.stringify(testManifest(manifest), null, 2)}\n`));
  const { outputFiles } = await build({
    entryPoints: [`${SOURCES}/background.ts`],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    write: false,
  });
  files.set(SCRIPT, Buffer.from(outputFiles[0].contents));
  files.set(BAND, readFileSync(`${SOURCES}/band.css`));
  files.set(ICON, readFileSync(`${SOURCES}/${ICON}`));
  for (const [path, bytes] of files) {
    if (!path.endsWith('.html')) continue;
    const html = Buffer.from(bytes)
      .toString()
      .replace('</head>', `<link rel="stylesheet" href="${BAND}" />$&`);
    files.set(path, Buffer.from(html));
  }
  const names = [...files.keys()].filter((path) => path !== NAMES_FILE).sort();
  files.set(NAMES_FILE, Buffer.from(`${JSON.stringify(names, null, 2)}\n`));
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

export async function makeTestZip() {
  rmSync(TARGET, { recursive: true, force: true });
  for (const [path, bytes] of await testFiles()) {
    mkdirSync(dirname(join(TARGET, path)), { recursive: true });
    writeFileSync(join(TARGET, path), bytes);
  }
}
