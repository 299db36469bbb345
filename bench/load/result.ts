import { existsSync, readFileSync } from 'node:fs';
import { KINDS } from './kinds.ts';

/** How others fared once. Times in ms. */
export interface LoadTry {
  /** The longest answer to another site. */
  readonly statusMs: number;
  readonly popupMs: number;
  /** Of some kinds alone. */
  readonly lockMs?: number;
  /** How many calls were not answered yet when all was measured. */
  readonly pending: number;
  /** How many were answered with an error. */
  readonly refused?: number;
}

/** How others fared under calls of one kind. What exceeds a limit is tried again. */
export interface LoadRow {
  readonly title: string;
  /** Of each origin, at once. */
  readonly calls: number;
  readonly origins: number;
  readonly tries: readonly LoadTry[];
}

/** What is measured. */
export type Measured = 'status' | 'popup' | 'lock';
type Times = Readonly<Record<Measured, number>>;

/** What bench/results/load-<browser>.json holds. */
export interface LoadResult {
  readonly date: string;
  readonly machine: string;
  readonly platform: string;
  readonly kinds: number;
  readonly asked: Times;
  readonly worst: Times;
  readonly rows: readonly LoadRow[];
}

/** What is allowed, in ms. */
export const ASKED: Times = { status: 100, popup: 500, lock: 500 };

/** The files of all kinds, and of less than all. */
export function resultPaths(browser: string) {
  const start = `bench/results/load-${browser}`;
  return { whole: `${start}.json`, quick: `${start}-quick.json` };
}

/** The median of a row's tries, in ms; undefined where none has measured it. */
export function medianOf({ tries }: LoadRow, what: Measured): number | undefined {
  const times = timesOf(tries, what).sort((a, b) => a - b);
  return times[Math.floor((times.length - 1) / 2)];
}

function timesOf(tries: readonly LoadTry[], what: Measured): number[] {
  return tries.flatMap((one) => one[`${what}Ms`] ?? []);
}

/** Whether the median of a row's tries is longer than is allowed. */
export function isMissed(row: LoadRow, asked: Times = ASKED): boolean {
  const names = Object.keys(asked) as Measured[];
  return names.some((name) => (medianOf(row, name) ?? 0) > asked[name]);
}

export function loadResult(
  about: Pick<LoadResult, 'date' | 'machine' | 'platform'>,
  rows: readonly LoadRow[],
): LoadResult {
  const order = KINDS.map(({ title }) => title);
  const sorted = [...rows].sort(
    (a, b) =>
      order.indexOf(a.title) - order.indexOf(b.title) || a.origins - b.origins || a.calls - b.calls,
  );
  const most = (what: Measured) =>
    Math.round(Math.max(0, ...sorted.map((row) => medianOf(row, what) ?? 0)));
  const worst = { status: most('status'), popup: most('popup'), lock: most('lock') };
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

const WHAT: Readonly<Record<Measured, string>> = {
  status: '`status()` of another site',
  popup: 'the popup, until it shows its view',
  lock: 'the lock, from the click to the locked view',
};

/** "16 of AES-GCM: encrypt, of 4 origins each" */
export function rowTitle({ title, calls, origins }: LoadRow): string {
  return `${calls} of ${title}${origins === 1 ? '' : `, of ${origins} origins each`}`;
}

/** The rows whose median is longest, and how long the longest of their tries was. */
export function worstRows(rows: readonly LoadRow[], what: Measured, count: number): string[] {
  const timed = rows.filter((row) => medianOf(row, what) !== undefined);
  const sorted = timed.sort((a, b) => medianOf(b, what)! - medianOf(a, what)!);
  return sorted.slice(0, count).map((row) => {
    const longest = Math.round(Math.max(...timesOf(row.tries, what)));
    const several = row.tries.length > 1 ? ` (longest of ${row.tries.length}: ${longest} ms)` : '';
    return `${Math.round(medianOf(row, what)!)} ms${several}: ${rowTitle(row)}`;
  });
}

/** The table of docs/benchmarks.md: the worst of all kinds, and under which one it was. */
export function loadText(results: readonly LoadResult[]): string {
  const rows = (Object.keys(WHAT) as Measured[]).map((name) => {
    const cells = results.map(({ rows: all, worst, asked }) => {
      const [row] = worstRows(all, name, 1);
      return worst[name] <= asked[name] ? row! : `**missed** ${row!}`;
    });
    const [{ asked } = { asked: ASKED }] = results;
    return `| ${WHAT[name]} | ${[`${asked[name]} ms`, ...cells].join(' | ')} |`;
  });
  const about = results.map((result) => `- ${aboutText(result)}`);
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

/** What was measured where, and how much of it took longer than is allowed. */
function aboutText({ platform, kinds, machine, date, rows, asked }: LoadResult): string {
  const some = (values: readonly number[]) =>
    [...new Set(values)]
      .sort((a, b) => a - b)
      .join(', ')
      .replace(/, (\d+)$/, ' and $1');
  const calls = some(rows.map((row) => row.calls));
  const origins = some(rows.map((row) => row.origins));
  const missed = rows.filter((row) => isMissed(row, asked));
  const named = missed.slice(0, NAMED).map(rowTitle);
  const more = missed.length > NAMED ? ' and others' : '';
  const verdict =
    missed.length === 0 ? '' : `; above a limit: ${missed.length} (${named.join('; ')}${more})`;
  const how = `${calls} at once of ${origins} ${origins === '1' ? 'origin' : 'origins'}`;
  return `${platform}: ${kinds} kinds of call, ${how}, ${rows.length} rows${verdict}; ${machine}, ${date.slice(0, 10)}`;
}

/** As many of the rows above a limit as the document names; the result has all. */
const NAMED = 4;
