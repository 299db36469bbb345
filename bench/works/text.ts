/* All that the five works print, beside our figures: the text of docs/benchmarks.md. */
import { existsSync, readFileSync } from 'node:fs';
import { measureOf, valueOf } from '../../src/lab/beside.ts';
import { enginesOf } from '../../src/lab/plots.ts';
import { figuresOf, WORK_IDS } from '../../src/lab/printed/table.ts';
import type {
  PrintedFigure,
  PrintedTable,
  PrintedWork,
  Unmeasured,
} from '../../src/lab/printed/table.ts';
import { WORKS } from '../../src/lab/printed/works.ts';
import type { LabEngine, LabResult } from '../../src/lab/result.ts';
import type { PlatformKind } from '../result.ts';

/** The five works in one place. */
export interface WorksRun {
  /** With its version, and flags if there were any. */
  readonly platform: string;
  readonly machine: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly results: readonly TimelessResult[];
}

/** The run of one work, without when it was. */
export type TimelessResult = Omit<LabResult, 'time'>;

const KINDS: readonly PlatformKind[] = ['node', 'chromium', 'firefox'];

/** The file of the results of a platform. */
export const worksPath = (kind: PlatformKind): string => `bench/results/works-${kind}.json`;

/** What has been measured so far. */
export function readWorks(): WorksRun[] {
  return KINDS.map(worksPath)
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as WorksRun);
}

/** Why there is no figure of ours. */
const REASONS: Readonly<Record<Unmeasured, string>> = {
  'internet-explorer': 'there is no Internet Explorer any more',
  safari: 'no Safari here',
  phone: "no phone here: the Lab's page runs there",
  cited: 'quoted by the work from others',
  setting: 'a choice of the method',
  'other-code': 'of code that is not ours',
  build: 'the size of another build',
};

/** Every figure that the works print, each with ours or the reason why we have none. */
export function worksText(runs: readonly WorksRun[]): string {
  return [
    runs.map(({ platform, machine, date }) => `- ${platform}, ${machine}, ${date}`).join('\n'),
    ...WORK_IDS.map((id) => workText(WORKS[id], runs)),
  ].join('\n\n');
}

function workText(work: PrintedWork, runs: readonly WorksRun[]): string {
  const columns = columnsOf(work, runs);
  const tables = work.tables
    .filter((printed) => figuresOf(work.id, printed).length > 0)
    .map((printed) => tableText(work, printed, columns));
  const title = `${work.authors}: ${work.title} (${work.year})`;
  return [`<details><summary>${title}</summary>`, ...tables, '</details>'].join('\n\n');
}

/** One engine on one platform. */
interface Column {
  readonly head: string;
  readonly engine: LabEngine;
  readonly samples: LabResult['samples'];
}

function columnsOf({ id }: PrintedWork, runs: readonly WorksRun[]): Column[] {
  return runs.flatMap(({ platform, results }) => {
    const samples = results.find(({ work }) => work === id)?.samples ?? [];
    const [name] = platform.split(/[ /]/);
    return enginesOf(id)
      .filter((engine) => samples.some((sample) => sample.engine === engine))
      .map((engine) => ({ head: `${name!}, ${engine}`, engine, samples }));
  });
}

function tableText(work: PrintedWork, printed: PrintedTable, columns: readonly Column[]): string {
  const heads = ['printed there', ...columns.map(({ head }) => head)];
  return [
    `**${printed.table}: ${printed.caption}**`,
    [
      `| | ${heads.join(' | ')} |`,
      `| --- |${' ---: |'.repeat(heads.length)}`,
      ...figuresOf(work.id, printed).map((figure) => figureText(figure, columns)),
    ].join('\n'),
  ].join('\n\n');
}

/** The name of a figure in the tables. */
export function figureName({ row, column, qualifier }: PrintedFigure): string {
  const name = column === 'Value' ? row : `${row} · ${column}`;
  return (qualifier === undefined ? name : `${name} (${qualifier})`).replaceAll('|', '\\|');
}

/** The printed number with its unit. */
export const printedText = ({ value, unit }: PrintedFigure): string => withUnit(`${value}`, unit);

function figureText(figure: PrintedFigure, columns: readonly Column[]): string {
  const measure = measureOf(figure);
  const own = columns.map(({ engine, samples }) => {
    const value = measure && valueOf(measure, samples, engine);
    return value === undefined ? '–' : withUnit(rounded(value), measure!.unit);
  });
  const mark = figure.unmeasured === undefined ? '' : `; ${REASONS[figure.unmeasured]}`;
  return `| ${figureName(figure)} | ${printedText(figure)}${mark} | ${own.join(' | ')} |`;
}

function withUnit(number: string, unit: string): string {
  return unit === 'x' ? `${number} ×` : unit === '' ? number : `${number} ${unit}`;
}

const rounded = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 3 });
