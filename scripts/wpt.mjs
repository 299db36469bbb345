/*
 * `npm run wpt`: all of the web-platform-tests of the Web Cryptography API, in both browsers (or
 * those in $BROWSERS), with `sealwright.subtle` in place of `crypto.subtle`. Needs a build.
 *
 * The tests come from $SEALWRIGHT_WPT, or from Debian's source of Node.js, which carries them; they
 * are fetched once, into .cache/wpt, and are not part of this repository.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { giveUp, run, runTool } from './run.mjs';

const SOURCE = 'http://deb.debian.org/debian/pool/main/n/nodejs/nodejs_20.19.2%2bdfsg.orig.tar.xz';
const SHA_256 = '5e5559381ad031d245a8efa403458abbb73755f74c3e6380f185a4dd342b7949';
const INSIDE = 'node-v20.19.2/test/fixtures/wpt';
const PARTS = ['LICENSE.md', 'WebCryptoAPI', 'common', 'resources'];
const CACHE = '.cache/wpt';

async function fetchTests() {
  if (process.env.SEALWRIGHT_WPT || existsSync(`${CACHE}/resources/testharness.js`)) return;
  console.log(`Fetching the web-platform-tests from ${SOURCE} …`);
  const archive = `${CACHE}.tar.xz`;
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(archive, await download());
  const members = PARTS.map((part) => `${INSIDE}/${part}`);
  await run('tar', ['-xJf', archive, '-C', CACHE, '--strip-components=4', ...members]);
  rmSync(archive);
}

async function download() {
  const response = await fetch(SOURCE);
  if (!response.ok) giveUp(`${SOURCE} answered ${response.status}.`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== SHA_256) giveUp(`${SOURCE} has changed: its SHA-256 is ${hash}.`);
  return bytes;
}

for (const browser of (process.env.BROWSERS ?? 'chromium,firefox').split(',')) {
  if (!existsSync(`dist/${browser}/manifest.json`)) giveUp('Please run npm run build first.');
}
await fetchTests();
const env = { ...process.env, SEALWRIGHT_WPT_WHOLE: '1' };
await runTool('mocha', ['--config=test/browser/mocharc.json', 'test/browser/wpt.test.ts'], { env });
