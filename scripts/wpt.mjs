/*
 * `npm run wpt`: all of the web-platform-tests of the Web Cryptography API, in both browsers (or
 * those in $BROWSERS), with `sealwright.subtle` in place of `crypto.subtle`. Needs a build.
 *
 * The tests come from $SEALWRIGHT_WPT, or from the source package of Node.js from 24 on, which carries those
 * of its version with the `tentative` ones; else from that of Firefox, which is thirty times as large. The system's
 * package client (apt) fetches it, from the machine's own package sources and their unstable suite. It is fetched
 * once, into .cache/wpt, and is not part of this repository.
 *
 * They run over the library in Node.js too (test/browser/wpt/node.test.ts).
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
/** Packages whose source carries the tests, and where; the first that is there is taken. */
const CARRIERS = [
  { name: 'nodejs', from: 24, inside: 'test/fixtures/wpt' },
  { name: 'firefox-esr', from: 153, inside: 'testing/web-platform/tests' },
  { name: 'nodejs', from: 0, inside: 'test/fixtures/wpt' },
];
const SOURCES = '/etc/apt/sources.list';
const SOURCE_FOLDER = '/etc/apt/sources.list.d';

/**
 * The machine's package sources, as sources of source packages, and Debian's unstable suite at the same place. Both
 * formats of apt: one line each (`deb …`, in *.list) and deb822 (`Types: deb`, in *.sources).
 */
function writeSources(folder) {
  const files = [SOURCES, ...list(SOURCE_FOLDER)].filter((path) => existsSync(path));
  const target = join(folder, 'sources');
  mkdirSync(target);
  for (const [index, path] of files.entries()) {
    const text = readFileSync(path, 'utf8');
    if (path.endsWith('.sources')) {
      const types = text.replace(/^Types:.*$/gm, 'Types: deb-src');
      const main = types.split(/\n{2,}/).filter((block) => /^URIs:.*\/debian\/?$/m.test(block));
      const unstable = main.map((block) => block.replace(/^Suites:.*$/m, 'Suites: sid'));
      writeFileSync(join(target, `${index}.sources`), [types, ...unstable].join('\n\n'));
    } else if (path.endsWith('.list')) {
      const lines = text.split('\n').filter((line) => /^deb\s/.test(line));
      const types = lines.map((line) => line.replace(/^deb\s/, 'deb-src '));
      const main = types.filter((line) => /\/debian\/?\s/.test(line));
      const unstable = main.map((line) => line.replace(/(\/debian\/?\s+)\S+/, '$1sid'));
      writeFileSync(join(target, `${index}.list`), `${[...types, ...unstable].join('\n')}\n`);
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
  for (const { name, from, inside } of CARRIERS) {
    for (const version of versionsOf(name, options)) {
      if (parseInt(version) < from) continue;
      const source = [...options, 'source', '--only-source', '--download-only', '-qq'];
      const what = `${name}=${version}`;
      const cwd = join(folder, what.replaceAll(/[^\w.=-]/g, '_'));
      mkdirSync(cwd, { recursive: true });
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
await runTool('mocha', ['test/browser/wpt/node.test.ts'], { env });
await runTool('mocha', ['--config=test/browser/mocharc.json', 'test/browser/wpt/wpt.test.ts'], {
  env,
});
