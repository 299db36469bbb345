/* All that the five works print, beside our figures: a part of site/measurements.md. */
import { existsSync, readFileSync } from 'node:fs';
import { measureOf, valueOf, type Measure } from '../../lab/beside.ts';
import { enginesOf } from '../../lab/plots.ts';
import { figuresOf, WORK_IDS } from '../../lab/printed/table.ts';
import type {
  PrintedFigure,
  PrintedTable,
  PrintedWork,
  Unmeasured,
} from '../../lab/printed/table.ts';
import { WORKS } from '../../lab/printed/works.ts';
import type { LabEngine, LabResult } from '../../lab/result.ts';
import { DERIVED, DERIVED_CAPTION } from '../../lab/derived.ts';
import type { PlatformKind } from '../result.ts';
import { HARD_CODED, type BuildSizes, type ColdTimes } from './builds.ts';
import { worksPlots } from './plots.ts';

/** The five works in one place. */
export interface WorksRun {
  /** With its version, and flags if there were any. */
  readonly platform: string;
  readonly machine: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly results: readonly TimelessResult[];
  /** Absent in results of before. */
  readonly cold?: ColdTimes;
  /** Measured in Node alone. */
  readonly sizes?: BuildSizes;
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
  build: 'of another build: ours are in the tables of builds',
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
  return [
    `<details><summary>${title}</summary>`,
    ...tables,
    ...(work.id === 'stark' ? buildsText(work, runs) : []),
    ...derivedText(work, columns),
    ...plotsText(work, runs),
    '</details>',
  ].join('\n\n');
}

/** Tables IV to VI in our builds: sizes, changes, and the time to have the tables at load. */
function buildsText({ tables }: PrintedWork, runs: readonly WorksRun[]): string[] {
  const sizes = runs.find((run) => run.sizes)?.sizes;
  if (sizes === undefined) return [];
  const printedSize = (table: string, row: string) =>
    tables.find((one) => one.table === table)?.rows.find(([name]) => name === row)?.[1];
  const bytes = (count: unknown) =>
    typeof count === 'number' ? `${count.toLocaleString('en')} bytes` : '–';
  const hardCoded = HARD_CODED.map((build, i) => {
    const times = runs.map(({ cold }) => (cold ? `${cold[build].toFixed(2)} ms` : '–'));
    const cells = [bytes(printedSize('IV', build)), bytes(sizes.tables[i]?.minifiedBytes)];
    return [build, ...cells, ...times];
  });
  const unrolled = sizes.unrolled.map(({ name, minifiedBytes }) => {
    const [table, variant] = name.split(': ');
    const base = sizes.unrolled.find((one) => one.name === `${table!}: None`)!.minifiedBytes;
    const change = `${(100 * (minifiedBytes / base - 1)).toFixed(0)} %`;
    const printed = bytes(printedSize(table!, variant!));
    return [name, printed, bytes(minifiedBytes), variant === 'None' ? '–' : change];
  });
  return [
    '**Builds, Table IV: the AES core, minified, and the first evaluation of its tables in a fresh worker, with parsing**',
    table(['hard-coded', 'printed size', 'our size', ...runs.map(nameOf)], hardCoded),
    '**Builds, Tables V and VI and CCM: each function with the block encryption that it calls, minified**',
    table(['unrolled', 'printed size', 'our size', 'change against None'], unrolled),
  ];
}

function derivedText({ id }: PrintedWork, columns: readonly Column[]): string[] {
  if (DERIVED[id].length === 0) return [];
  const rows = DERIVED[id].map(({ what, printed, measure }) => [
    ...[what, printed === '' ? '–' : printed],
    ...columns.map(({ engine, samples }) => ownText(measure, samples, engine)),
  ]);
  const heads = ['', 'from what is printed', ...columns.map(({ head }) => head)];
  return [`**${DERIVED_CAPTION}**`, table(heads, rows)];
}

/** The plots of the first platform, and where those of the others are. */
function plotsText({ id }: PrintedWork, runs: readonly WorksRun[]): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  return worksPlots(first)
    .filter(({ work }) => work === id)
    .map(({ title, path }) => {
      const links = others.flatMap((run) => {
        const same = worksPlots(run).find((plot) => plot.work === id && plot.title === title);
        return same ? [`[${nameOf(run)}](../${same.path})`] : [];
      });
      const also = links.length > 0 ? `\n\nThe same in ${links.join(' and ')}.` : '';
      return `![${title}, ${nameOf(first)}](../${path})${also}`;
    });
}

/** "Node", "Chrome", "Firefox" */
export const nameOf = ({ platform }: WorksRun): string => platform.split(/[ /]/)[0]!;

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return [
    `| ${heads.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(heads.length - 1)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

/** One engine on one platform. */
interface Column {
  readonly head: string;
  readonly engine: LabEngine;
  readonly samples: LabResult['samples'];
}

function columnsOf({ id }: PrintedWork, runs: readonly WorksRun[]): Column[] {
  return runs.flatMap((run) => {
    const samples = run.results.find(({ work }) => work === id)?.samples ?? [];
    return enginesOf(id)
      .filter((engine) => samples.some((sample) => sample.engine === engine))
      .map((engine) => ({ head: `${nameOf(run)}, ${engine}`, engine, samples }));
  });
}

function tableText(work: PrintedWork, printed: PrintedTable, columns: readonly Column[]): string {
  const heads = ['printed there', ...columns.map(({ head }) => head)];
  return [
    `**${printed.table}: ${printed.caption}**`,
    table(
      ['', ...heads],
      figuresOf(work.id, printed).map((figure) => figureCells(figure, columns)),
    ),
  ].join('\n\n');
}

/** The name of a figure in the tables. */
export function figureName({ row, column, qualifier }: PrintedFigure): string {
  const name = column === 'Value' ? row : `${row} · ${column}`;
  return (qualifier === undefined ? name : `${name} (${qualifier})`).replaceAll('|', '\\|');
}

/** The printed number with its unit. */
export const printedText = ({ value, unit }: PrintedFigure): string => withUnit(`${value}`, unit);

function figureCells(figure: PrintedFigure, columns: readonly Column[]): string[] {
  const measure = measureOf(figure);
  const own = columns.map(({ engine, samples }) =>
    measure ? ownText(measure, samples, engine) : '–',
  );
  const reason =
    figure.unmeasured !== undefined
      ? `; ${REASONS[figure.unmeasured]}`
      : own.every((cell) => cell === '–')
        ? '; not measured yet'
        : '';
  return [figureName(figure), `${printedText(figure)}${reason}`, ...own];
}

function ownText(measure: Measure, samples: LabResult['samples'], engine: LabEngine): string {
  const value = valueOf(measure, samples, engine);
  return value === undefined ? '–' : withUnit(rounded(value), measure.unit);
}

function withUnit(number: string, unit: string): string {
  return unit === 'x' ? `${number} ×` : unit === '' ? number : `${number} ${unit}`;
}

const rounded = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 3 });
