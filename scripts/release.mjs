/*
 * `npm run release:check`: prints the list of docs/release.md, with what files and git show of each item.
 * Fails where an item is known to be missing. It changes nothing.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const LIST = 'docs/release.md';
/** What may change after a nightly run without a new one. */
const NOT_CODE = [':!bench/results', ':!docs', ':!*.md'];
/** How many attack tests (T) and faults (R) the threat model has. */
const ATTACKS = new Map([
  ['T', 20],
  ['R', 13],
]);
/** In place of an account's name. */
const PLACEHOLDER = 'OWNER';
const LEAK = { chance: 4.5, certain: 10 };

/** The rows of the table, in its order. */
export function releaseItems(text = readFileSync(LIST, 'utf8')) {
  return [...text.matchAll(/^\| `([\w-]+)` \| (.*?) \| (.*?) ?\|$/gm)].map(
    ([, name, needed, command]) => ({ name, needed, command: command.replaceAll('`', '') }),
  );
}

const json = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);

function git(...args) {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/** A check of a part of the last nightly run; unknown where it was of other code or had no such part. */
function ofNightly(holds) {
  const result = json('bench/results/nightly.json');
  if (result === undefined) return { note: 'bench/results/nightly.json is missing' };
  const changed = git('diff', '--name-only', result.commit ?? '', 'HEAD', '--', '.', ...NOT_CODE);
  const note = `of ${result.date.slice(0, 10)}, commit ${result.commit?.slice(0, 10)}`;
  if (changed !== '' || result.clean === false) return { ok: false, note: `${note}: other code` };
  return { ok: holds(result.parts), note };
}

/** Names of nightly parts that checks look for. */
export const NIGHTLY_NAMES = { wpt: 'web-platform-tests', proof: 'Proof', reproducible: 'Builds' };

const parts = (name) => (all) => {
  const wanted = all.filter(({ title }) => title.includes(NIGHTLY_NAMES[name]));
  return wanted.length === 0 ? undefined : wanted.every(({ state }) => state === 'passed');
};

/** The rows of a table whose first cells are a letter and a number, each with the tests that it names. */
export function attackRows(page = readFileSync('docs/threats.md', 'utf8')) {
  return [...page.matchAll(/^\| ([A-Z]\d+) \|.*$/gm)].map(([text, id]) => ({
    id,
    // A file with words of the titles of its tests: `test/a.test.ts: "one", "another"`.
    tests: [...text.matchAll(/(test\/[\w./-]+\.test\.ts): ((?:"[^"]+"(?:, )?)+)/g)].flatMap(
      ([, file, titles]) =>
        [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => ({ file, title })),
    ),
    isLeftOut: text.includes('not tested yet: '),
  }));
}

/** What docs/threats.md lacks: a row of each in order, a test or the reason why one is missing, tests that exist. */
export function attackProblems(page = readFileSync('docs/threats.md', 'utf8'), counts = ATTACKS) {
  const rows = attackRows(page);
  const ids = [...counts.entries()].flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, i) => `${letter}${i + 1}`),
  );
  const given = rows.map(({ id }) => id);
  const without = rows.filter(({ tests }) => tests.length === 0);
  const count = `Rows without a test: ${without.length} of ${rows.length}.`;
  const exists = ({ file, title }) =>
    existsSync(file) && readFileSync(file, 'utf8').includes(title);
  return [
    ...(given.join() === ids.join() ? [] : [`the rows are ${given.join(', ')}`]),
    ...without.filter(({ isLeftOut }) => !isLeftOut).map(({ id }) => `${id} names no test`),
    ...(page.includes(count) ? [] : [`it does not say "${count}"`]),
    ...rows.flatMap(({ id, tests }) =>
      tests
        .filter((test) => !exists(test))
        .map(({ file, title }) => `${id} names "${title}" of ${file}, which does not exist`),
    ),
  ];
}

/** Whether the changelog has a head for a version, with its date. */
export function hasChangelogHead(version, text) {
  const escaped = version.replaceAll('.', '\\.');
  return new RegExp(`^## \\[?${escaped}\\]? (?:-|–) \\d{4}-\\d{2}-\\d{2}$`, 'm').test(text);
}

/** Fields of package.json that still name the owner that no repository has. */
export function placeholders(manifest = json('package.json')) {
  return ['repository', 'bugs', 'homepage'].filter((field) => {
    const value = JSON.stringify(manifest[field] ?? PLACEHOLDER);
    return value.includes(PLACEHOLDER);
  });
}

/** Each gives `{ ok, note }`; `ok` is undefined for what is not known. */
const CHECKS = {
  version() {
    const [manifest, ours] = ['manifest.json', 'package.json'].map((path) => json(path).version);
    const isReleased = (git('tag', '--list', `v${ours}`) ?? '') !== '';
    return { ok: manifest === ours && !isReleased, note: ours };
  },
  changelog() {
    const { version } = json('package.json');
    return { ok: hasChangelogHead(version, readFileSync('CHANGELOG.md', 'utf8')) };
  },
  address() {
    const left = placeholders();
    const note = left.length === 0 ? '' : `still to be set in package.json: ${left.join(', ')}`;
    return { ok: left.length === 0, note };
  },
  clean: () => ({ ok: git('status', '--porcelain') === '' }),
  nightly: () => ofNightly((all) => all.every(({ state }) => state === 'passed')),
  wpt: () => ofNightly(parts('wpt')),
  proof: () => ofNightly(parts('proof')),
  reproducible: () => ofNightly(parts('reproducible')),
  fuzz() {
    const result = json('bench/results/fuzz.json');
    if (result === undefined) return {};
    const targets = Object.values(result.targets);
    const least = Math.min(...targets.map(({ last }) => last.executions));
    const findings = targets.reduce((sum, each) => sum + each.findings, 0);
    const ok = targets.length >= 12 && result.executions >= 1e8 && least >= 1e6 && findings === 0;
    const note = `${targets.length} targets, ${result.executions} executions, at least ${least} each`;
    return { ok, note };
  },
  soak() {
    const result = json('bench/results/soak.json');
    if (result === undefined) return {};
    const { calls, failures, memory, date } = result;
    const ok = calls >= 100_000 && failures.length === 0 && memory.growthPercent <= 10;
    return { ok, note: `${date.slice(0, 10)}, memory ${memory.growthPercent} %` };
  },
  leak() {
    const results = ['node', 'firefox'].map((place) => json(`bench/results/leak-${place}.json`));
    if (results.includes(undefined)) return {};
    const holds = ({ expected, t }) => {
      if (expected === 'reported') return true;
      return expected === 'leak' ? Math.abs(t) > LEAK.certain : Math.abs(t) <= LEAK.chance;
    };
    const ok = results.every(({ rows }) => rows.every(holds));
    return { ok, note: results.map(({ platform, date }) => `${platform}: ${date}`).join(', ') };
  },
  load() {
    const results = ['chromium', 'firefox'].map((name) => json(`bench/results/load-${name}.json`));
    if (results.includes(undefined)) return {};
    const ok = results.every(({ kinds, asked, worst }) => {
      return kinds >= 200 && Object.keys(asked).every((name) => worst[name] <= asked[name]);
    });
    return { ok, note: results.map(({ worst }) => JSON.stringify(worst)).join(', ') };
  },
  security() {
    const problems = attackProblems();
    return { ok: problems.length === 0, note: problems.join('; ') };
  },
};

/** @returns the items with `ok` and a note */
export function checkedItems() {
  return releaseItems().map((item) => {
    const { ok, note = '' } = CHECKS[item.name]?.() ?? {};
    return { ...item, ok, note };
  });
}

if (import.meta.filename === process.argv[1]) {
  const items = checkedItems();
  for (const { name, needed, command, ok, note } of items) {
    const mark = ok === undefined ? '?' : ok ? 'yes' : 'no';
    console.log(`${mark.padEnd(4)} ${name.padEnd(13)} ${needed}`);
    if (note !== '') console.log(`${' '.repeat(19)}${note}`);
    if (ok !== true && command !== '') console.log(`${' '.repeat(19)}${command}`);
  }
  process.exitCode = items.some(({ ok }) => ok === false) ? 1 : 0;
}
