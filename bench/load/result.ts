import { existsSync, readFileSync } from 'node:fs';
import { KINDS } from './kinds.ts';

/** How others fared under calls of one kind. Times in ms. */
export interface LoadRow {
  readonly title: string;
  readonly calls: number;
  readonly statusMs: number;
  readonly popupMs: number;
  /** Of some kinds alone. */
  readonly lockMs?: number;
  /** How many calls were not answered yet when all was measured. */
  readonly pending: number;
}

/** What bench/results/load-<browser>.json holds. */
export interface LoadResult {
  readonly date: string;
  readonly machine: string;
  readonly platform: string;
  readonly kinds: number;
  readonly asked: typeof ASKED;
  readonly worst: typeof ASKED;
  readonly rows: readonly LoadRow[];
}

/** What is allowed, in ms. */
export const ASKED = { status: 250, popup: 1_000, lock: 500 };

/** The files of all kinds, and of less than all. */
export function resultPaths(browser: string) {
  const start = `bench/results/load-${browser}`;
  return { whole: `${start}.json`, quick: `${start}-quick.json` };
}

export function loadResult(
  about: Pick<LoadResult, 'date' | 'machine' | 'platform'>,
  rows: readonly LoadRow[],
): LoadResult {
  const order = KINDS.map(({ title }) => title);
  const sorted = [...rows].sort((a, b) => order.indexOf(a.title) - order.indexOf(b.title));
  const most = (what: (row: LoadRow) => number) => Math.round(Math.max(...sorted.map(what)));
  const worst = {
    status: most(({ statusMs }) => statusMs),
    popup: most(({ popupMs }) => popupMs),
    lock: most(({ lockMs = 0 }) => lockMs),
  };
  const kinds = new Set(sorted.map(({ title }) => title)).size;
  return { ...about, kinds, asked: ASKED, worst, rows: sorted };
}

/** The results of all kinds, one of each browser. */
export function loadResults(): LoadResult[] {
  return ['chromium', 'firefox']
    .map((browser) => resultPaths(browser).whole)
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as LoadResult);
}

const WHAT = {
  status: '`status()` of another site',
  popup: 'the popup, until it shows its view',
  lock: 'the lock, from the click to the locked view',
};

/** The table of docs/benchmarks.md: the worst of all kinds, and under which one it was. */
export function loadText(results: readonly LoadResult[]): string {
  const rows = (['status', 'popup', 'lock'] as const).map((name) => {
    const cells = results.map(({ rows: all, worst, asked }) => {
      const time = (row: LoadRow) => Math.round(row[`${name}Ms`] ?? 0);
      const { title, calls } = all.find((row) => time(row) === worst[name])!;
      const ms =
        worst[name] <= asked[name] ? `${worst[name]} ms` : `**${worst[name]} ms** (missed)`;
      return `${ms}: ${calls} of ${title}`;
    });
    return `| ${WHAT[name]} | ${[`${ASKED[name]} ms`, ...cells].join(' | ')} |`;
  });
  const about = results.map(({ platform, kinds, machine, date }) => {
    return `- ${platform}: ${kinds} kinds of call, one and 100 at once; ${machine}, ${date.slice(0, 10)}`;
  });
  const names = ['', 'at most', ...results.map(({ platform }) => platform)];
  return [
    ...about,
    '',
    `| ${names.join(' | ')} |`,
    `| --- | ${Array<string>(names.length - 1)
      .fill('---:')
      .join(' | ')} |`,
    ...rows,
  ].join('\n');
}
