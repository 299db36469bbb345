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

/** What became of sealed texts in one program of markup or mail. */
export interface MarkupRow {
  readonly program: string;
  readonly version: string;
  /** Of each form. */
  readonly texts: number;
  readonly found: Readonly<Record<'swt1' | 'sw1', number>>;
  readonly date: string;
}

/** Whether all texts of web armor were found, and of `sw1.…` a share at least. */
export const isFoundOften = ({ texts, found }: MarkupRow, leastOfOld = 0.99): boolean =>
  found.swt1 === texts && found.sw1 >= leastOfOld * texts;

/** As Markdown: a row for each program. */
export function markupTable(rows: readonly MarkupRow[]): string {
  return [
    '| program | texts of each form | `swt1…` found | `sw1.…` found | tried on |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ program, version, texts, found, date }) =>
        `| ${program} ${version} | ${texts} | ${found.swt1} | ${found.sw1} | ${date} |`,
    ),
  ].join('\n');
}

/** The document with the table that `npm run COMMAND` writes in its place. */
export function withTable(text: string, command: string, table: string): string {
  const start = `<!-- ${command}: written by npm run ${command} -->`;
  const end = `<!-- end of ${command} -->`;
  const [before, rest] = text.split(start) as [string, string];
  return `${before}${start}\n\n${table}\n\n${end}${rest.split(end)[1]!}`;
}
