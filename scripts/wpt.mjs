/*
 * `npm run wpt`: all of the web-platform-tests of the Web Cryptography API, in both browsers (or
 * those in $BROWSERS), with `sealwright.subtle` in place of `crypto.subtle`. Needs a build.
 *
 * The tests come from $SEALWRIGHT_WPT, or from the source package of Firefox, which carries those of
 * its version; else from that of Node.js. The system's package client (apt) fetches it, from the
 * machine's own package sources. It is fetched once, into .cache/wpt, and is not part of this
 * repository.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveUp, run, runTool, succeeds } from './run.mjs';

const CACHE = '.cache/wpt';
const PARTS = ['LICENSE.md', 'WebCryptoAPI', 'common', 'resources'];
/** Packages whose source carries the tests, and where; the first has the newer ones. */
const CARRIERS = [
  { name: 'firefox-esr', inside: 'testing/web-platform/tests' },
  { name: 'nodejs', inside: 'test/fixtures/wpt' },
];
const SOURCES = '/etc/apt/sources.list';
const SOURCE_FOLDER = '/etc/apt/sources.list.d';

/**
 * The machine's package sources, as sources of source packages. Both formats of apt: one line each
 * (`deb …`, in *.list) and deb822 (`Types: deb`, in *.sources).
 */
function writeSources(folder) {
  const files = [SOURCES, ...list(SOURCE_FOLDER)].filter((path) => existsSync(path));
  const target = join(folder, 'sources');
  mkdirSync(target);
  for (const [index, path] of files.entries()) {
    const text = readFileSync(path, 'utf8');
    if (path.endsWith('.sources')) {
      const types = text.replace(/^Types:.*$/gm, 'Types: deb-src');
      writeFileSync(join(target, `${index}.sources`), types);
    } else if (path.endsWith('.list')) {
      const lines = text.split('\n').filter((line) => /^deb\s/.test(line));
      const types = lines.map((line) => `${line.replace(/^deb\s/, 'deb-src ')}\n`);
      writeFileSync(join(target, `${index}.list`), types.join(''));
    }
  }
}

const list = (folder) =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];

/** Options that keep apt away from the machine's configuration, lists and cache. */
function aptOptions(folder) {
  mkdirSync(join(folder, 'lists/partial'), { recursive: true });
  mkdirSync(join(folder, 'cache/archives/partial'), { recursive: true });
  return [
    ['Dir::Etc::sourcelist', '/dev/null'],
    ['Dir::Etc::sourceparts', join(folder, 'sources')],
    ['Dir::State::lists', join(folder, 'lists')],
    ['Dir::Cache', join(folder, 'cache')],
    // The folder is ours alone: apt's own user could not write to it.
    ['APT::Sandbox::User', 'root'],
  ].flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** Versions of a source package, the newest first. An index may list versions that are not there. */
function versionsOf(name, options) {
  const shown = execFileSync('apt-cache', [...options, 'showsrc', '--only-source', name], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const versions = [...shown.matchAll(/^Version: (\S+)$/gm)].map(([, version]) => version);
  const byNumber = new Intl.Collator('en', { numeric: true });
  return [...new Set(versions)].sort((a, b) => byNumber.compare(b, a));
}

async function download(folder) {
  const options = aptOptions(folder);
  await run('apt-get', [...options, 'update', '-qq']);
  for (const { name, inside } of CARRIERS) {
    for (const version of versionsOf(name, options)) {
      const source = [...options, 'source', '--only-source', '--download-only', '-qq'];
      const what = `${name}=${version}`;
      const cwd = join(folder, what.replaceAll(/[^\w.=-]/g, '_'));
      mkdirSync(cwd);
      // The description is small: it says whether the rest is there.
      const isThere = await succeeds('apt-get', [...source, '--dsc-only', what], { cwd });
      if (!isThere) continue;
      console.log(`Fetching the web-platform-tests with the source of ${what} …`);
      await run('apt-get', [...source, '--tar-only', what], { cwd });
      const archive = readdirSync(cwd).find((file) => /\.orig\.tar\.\w+$/.test(file));
      return { archive: join(cwd, archive), inside, what };
    }
  }
  giveUp('No package source of this machine has the source of firefox-esr or nodejs.');
}

async function fetchTests() {
  if (process.env.SEALWRIGHT_WPT || existsSync(`${CACHE}/resources/testharness.js`)) return;
  if (!(await succeeds('apt-get', ['--version']))) {
    giveUp('Without apt, SEALWRIGHT_WPT must name a folder with the web-platform-tests.');
  }
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-wpt-source-'));
  try {
    writeSources(folder);
    const { archive, inside, what } = await download(folder);
    mkdirSync(CACHE, { recursive: true });
    // Below the one folder that an archive begins with.
    const depth = inside.split('/').length + 1;
    const members = PARTS.map((part) => `*/${inside}/${part}`);
    await run('tar', [
      ...['-xf', archive, '-C', CACHE, `--strip-components=${depth}`],
      ...['--wildcards', '--no-wildcards-match-slash', ...members],
    ]);
    writeFileSync(`${CACHE}/source`, `${what}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const browser of (process.env.BROWSERS ?? 'chromium,firefox').split(',')) {
  if (!existsSync(`dist/${browser}/manifest.json`)) giveUp('Please run npm run build first.');
}
await fetchTests();
const env = { ...process.env, SEALWRIGHT_WPT_WHOLE: '1' };
await runTool('mocha', ['--config=test/browser/mocharc.json', 'test/browser/wpt.test.ts'], { env });
