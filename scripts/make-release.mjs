/*
 * `npm run release -- --tag v1.2.3`: builds the sources of the tag in a folder of their own, and writes what is
 * published to artifacts/release: packages for the stores, sources for their reviewers, the npm tarball, the page open.html,
 * lists of files and of bundled packages, notices, SHA-256 sums. It uploads nothing. `-- --head` tries it with the last commit.
 */
import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { hasChangelogHead } from './release.mjs';
import { giveUp, run } from './run.mjs';
import { setUp } from './setup.mjs';

const OUT = 'artifacts/release';
const CREATE = 'dist/create-sealwright';
const NOTICES = 'THIRD-PARTY-NOTICES.txt';
/** Folders that are made, and are not sources. */
const MADE = /^(node_modules|dist|artifacts|\.cache|\.git)(\/|$)/;
const RULE = `\n${'-'.repeat(80)}\n\n`;
/** The heading of a package in the notices (scripts/notices.mjs). */
const NOTICE_HEAD = /^((?:@[\w.-]+\/)?[\w.-]+) (\d\S*) \((.+)\)$/m;

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const programsOf = (folder) => Object.values(json(join(folder, 'package.json')).bin);
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** What the sources of a release lack, in words; a tag names their version. */
export function releaseProblems(folder, tag) {
  const [manifest, npm] = ['manifest.json', 'package.json'].map(
    (name) => json(join(folder, name)).version,
  );
  return [
    ...(manifest === npm ? [] : [`manifest.json has version ${manifest}, package.json ${npm}`]),
    ...(tag === undefined || tag === `v${npm}` ? [] : [`the tag of version ${npm} is v${npm}`]),
    ...(hasChangelogHead(npm, readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'))
      ? []
      : [`CHANGELOG.md has no head "## ${npm} - YYYY-MM-DD"`]),
  ];
}

/**
 * The files of a release, from the sources and the build in the current folder.
 *
 * @param about the commit, and its date as ISO 8601
 * @returns contents by name
 */
export async function releaseFiles(about) {
  const { packageTarball, zipOf } = await import('./archives.mjs');
  const { LIST_NAME, PAGE_NAME, filesBelow } = await import('./packed-files.mjs');
  const { name, version } = json('package.json');
  const prefix = `${name}-${version}`;
  const sources = filesBelow('.', (path) => !MADE.test(path));
  const sourceZip = [...sources].map(([path, bytes]) => [`${prefix}/${path}`, bytes]);
  sourceZip.push([`${prefix}/BUILDING.md`, Buffer.from(buildingText(about))]);
  const files = new Map([
    [`${prefix}-source.zip`, zipOf(new Map(sourceZip))],
    [`${prefix}.tgz`, packageTarball(filesBelow('dist/package'), programsOf('dist/package'))],
    [`create-${prefix}.tgz`, packageTarball(filesBelow(CREATE), programsOf(CREATE))],
    [LIST_NAME, readFileSync(join('dist/lib', LIST_NAME))],
    [PAGE_NAME, readFileSync(join('dist', PAGE_NAME))],
    [`${prefix}-${NOTICES}`, Buffer.from(allNotices())],
  ]);
  for (const target of ['chromium', 'firefox', 'test']) {
    const file = `${prefix}-${target}.zip`;
    files.set(file, readFileSync(join('dist/artifacts', file)));
  }
  files.set(`${prefix}.cdx.json`, Buffer.from(bundledPackages(files, prefix, about)));
  const names = [...files.keys()].sort();
  const sums = names.map((file) => `${sha256(files.get(file))}  ${file}\n`).join('');
  return new Map([
    ...names.map((file) => [file, files.get(file)]),
    ['SHA256SUMS', Buffer.from(sums)],
  ]);
}

function buildingText({ commit, date }) {
  const text = readFileSync('store/building.md', 'utf8');
  return `${text.trimEnd()}\n\nThese are the sources of commit ${commit}, of ${date}.\n`;
}

/** @param place a folder with the file of the notices, or the page, which has them in itself */
const noticesOf = (place) =>
  readFileSync(place.endsWith('.html') ? place : join(place, NOTICES), 'utf8').split(RULE);

/** Those of all packages, each once. */
function allNotices() {
  const [head] = noticesOf('dist/lib');
  const all = ['dist/chromium', 'dist/firefox', 'dist/lib'].flatMap((folder) =>
    noticesOf(folder).slice(1),
  );
  const texts = new Map(all.map((text) => [NOTICE_HEAD.exec(text)[0], text.trimEnd()]));
  return `${[head.trimEnd(), ...[...texts.keys()].sort().map((each) => texts.get(each))].join(`\n${RULE}`)}\n`;
}

/** The packages whose code is in a published file, as CycloneDX 1.6: no package that only builds or tests. */
function bundledPackages(files, prefix, { commit, date }) {
  const { packages: locked } = json('package-lock.json');
  const { version, license, description } = json('package.json');
  const components = new Map();
  const dependencies = [];
  const parts = [
    [`${prefix}-chromium.zip`, 'application', 'dist/chromium'],
    [`${prefix}-firefox.zip`, 'application', 'dist/firefox'],
    [`${prefix}-test.zip`, 'application', 'dist/test'],
    [`${prefix}.tgz`, 'library', 'dist/lib'],
    ['open.html', 'application', 'dist/open.html'],
    // It has no code of others: no notices.
    [`create-${prefix}.tgz`, 'application'],
  ];
  for (const [file, type, folder] of parts) {
    const hashes = [{ alg: 'SHA-256', content: sha256(files.get(file)) }];
    components.set(file, { type, 'bom-ref': file, name: file, version, hashes });
    const dependsOn = (folder === undefined ? [] : noticesOf(folder)).slice(1).map((text) => {
      const [, name, of, licence] = NOTICE_HEAD.exec(text);
      const ref = `pkg:npm/${name.replace('@', '%40')}@${of}`;
      components.set(ref, packageComponent(ref, { name, version: of, licence }, locked));
      return ref;
    });
    dependencies.push({ ref: file, dependsOn: dependsOn.sort() });
  }
  const component = { type: 'application', 'bom-ref': 'sealwright', name: 'sealwright', version };
  const properties = [{ name: 'commit', value: commit }];
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        timestamp: date,
        component: { ...component, description, licenses: [{ expression: license }] },
        properties,
      },
      components: [...components.keys()].sort().map((ref) => components.get(ref)),
      dependencies: [
        { ref: 'sealwright', dependsOn: parts.map(([file]) => file) },
        ...dependencies,
      ],
    },
    null,
    2,
  )}\n`;
}

function packageComponent(ref, { name, version, licence }, locked) {
  const entry = Object.entries(locked).find(
    ([path, each]) => path.endsWith(`node_modules/${name}`) && each.version === version,
  );
  const [, digest] = /^sha512-(\S+)$/.exec(entry?.[1].integrity ?? '') ?? [];
  const content = digest && Buffer.from(digest, 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': ref,
    name,
    version,
    purl: ref,
    ...(content && { hashes: [{ alg: 'SHA-512', content }] }),
    licenses: [{ expression: licence }],
  };
}

/** Builds in the current folder, which has the sources alone, and writes the release to another. */
export async function buildRelease(out, about) {
  const { build } = await import('./build.mjs');
  await build();
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [file, bytes] of await releaseFiles(about)) writeFileSync(join(out, file), bytes);
}

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

async function main() {
  const { values } = parseArgs({
    options: { tag: { type: 'string' }, head: { type: 'boolean' }, out: { type: 'string' } },
  });
  const { tag, head, out = OUT } = values;
  if ((tag === undefined) === (head === undefined)) {
    giveUp('Give --tag v1.2.3, or --head to try it with the last commit');
  }
  const commit = git('rev-parse', '--verify', `${head ? 'HEAD' : `refs/tags/${tag}`}^{commit}`);
  const date = new Date(git('show', '-s', '--format=%cI', commit)).toISOString();
  const folder = mkdtempSync(join(tmpdir(), 'sealwright-release-'));
  try {
    const tar = join(folder, 'sources.tar');
    execFileSync('git', ['archive', '--format=tar', `--output=${tar}`, commit]);
    execFileSync('tar', ['-xf', tar, '-C', folder]);
    rmSync(tar);
    const problems = releaseProblems(folder, tag);
    if (problems.length > 0 && !head) giveUp(`This is not a release: ${problems.join('; ')}`);
    for (const problem of problems) console.log(`Not yet a release: ${problem}`);
    await setUp({ browsers: [], workspaces: ['site'] });
    const locks = ['package-lock.json', join(folder, 'package-lock.json')].map((path) =>
      readFileSync(path, 'utf8'),
    );
    if (locks[0] !== locks[1]) giveUp(`Check ${tag} out first: its package-lock.json is another`);
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    // The code of the tag builds it and packs it.
    const call = `buildRelease(${JSON.stringify(resolve(out))}, ${JSON.stringify({ commit, date })})`;
    const script = `import('./scripts/make-release.mjs').then((one) => one.${call})`;
    await run(process.execPath, ['-e', script], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${readFileSync(join(out, 'SHA256SUMS'), 'utf8')}\nin ${out}, of commit ${commit}`);
}

if (import.meta.filename === process.argv[1]) {
  if (!existsSync('.git')) giveUp('A release is made in a clone');
  await main();
}
