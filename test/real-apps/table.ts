import type { BrowserName } from '../browser/drivers/driver.ts';

/** What became of one field in one browser. */
export interface Outcome {
  /** Steps that were done, in their order. */
  readonly done: readonly string[];
  /** What was wrong in the step after them; null if there was none. */
  readonly problem: string | null;
}

/** One field of an application. */
export interface Row {
  readonly application: string;
  readonly version: string;
  readonly field: string;
  readonly way: 'marked' | 'window';
  readonly date: string;
  readonly browsers: Readonly<Partial<Record<BrowserName, Outcome>>>;
}

const START = '<!-- realapps: written by npm run realapps -->';
const END = '<!-- end of realapps -->';
const WAYS = { marked: 'always sealed', window: 'written in the window' } as const;

/** As Markdown: a row for each field. */
export function applicationsTable(rows: readonly Row[]): string {
  return [
    '| application | field | text is | in Chromium | in Firefox | tried on |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ application, version, field, way, date, browsers }) =>
        `| ${application} ${version} | ${field} | ${WAYS[way]} | ${cell(browsers.chromium)} | ${cell(browsers.firefox)} | ${date} |`,
    ),
  ].join('\n');
}

function cell(outcome: Outcome | undefined): string {
  if (!outcome) return 'not tried';
  const done = outcome.done.join(', ');
  return outcome.problem === null ? done : `${done || 'nothing'}; then not`;
}

/** The document with the table in its place. */
export function withTable(text: string, table: string): string {
  const [before, rest] = text.split(START) as [string, string];
  return `${before}${START}\n\n${table}\n\n${END}${rest.split(END)[1]!}`;
}
