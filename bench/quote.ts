import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { compareWithPeers, extremesText, peersText } from './best-of-kind.ts';
import { askedText, judge, measuredText, type Verdict } from './figures.ts';
import { traceText } from './lane/trace/account-text.ts';
import type { LaneTrace } from './lane/trace/run-trace.ts';
import { JS, WASM } from './names.ts';
import { speedText, timeText } from './report.ts';
import { type CodeSize, type PlatformKind, Readings, type SuiteResult } from './result.ts';
import { rowName, sizeName, type Result, type Row, type RowKey } from './row.ts';
import type { Suite } from './suite.ts';

/*
 * The figures of docs/benchmarks.md and README.md, written from bench/results/*.json, so that no
 * figure is copied by hand.
 */
const PLATFORMS: readonly PlatformKind[] = ['node', 'chromium', 'firefox'];

export function quoteResults(suites: readonly Suite[]): void {
  const all = suites.map(({ name }) => readResults(name));
  for (const [i, suite] of suites.entries()) {
    const results = all[i]!;
    if (results.length > 0) {
      quoteIn('docs/benchmarks.md', suite.name, suiteText(suite, results, '../bench/results'));
    }
  }
  const compared = compareWithPeers(all.flat());
  if (compared.length > 0) {
    quoteIn('docs/benchmarks.md', 'peers', peersText(compared));
    quoteIn('README.md', 'peers', extremesText(compared));
  }
  const aes = readResults('aes');
  if (aes.length > 0) quoteIn('README.md', 'figures', readmeText(aes));
}

/** The accounts of calls that `npm run bench -- lane --trace` makes. */
export function quoteTraces(): void {
  const traces = readResults<LaneTrace>('lane-trace');
  if (traces.length > 0) quoteIn('docs/benchmarks.md', 'lane-trace', traceText(traces));
}

/** Of one suite, by platform, as `npm run bench` kept them. */
export function readResults<T = SuiteResult>(suite: string): T[] {
  return PLATFORMS.map((platform) => `bench/results/${suite}-${platform}.json`)
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as T);
}

/** Writes a text between the markers of that name. */
export function quoteIn(path: string, name: string, text: string): void {
  writeFileSync(path, replaceBlock(readFileSync(path, 'utf8'), name, text));
}

/** What stands between the two markers of that name. @throws if they are not there */
export function replaceBlock(document: string, name: string, text: string): string {
  const start = `<!-- ${name}: written by npm run bench -->`;
  const end = `<!-- end of ${name} -->`;
  const [before, rest] = document.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`no markers of ${name}`);
  return `${before}${start}\n\n${text}\n\n${end}${after}`;
}

/** Everything about one suite: where it ran, its figures, plots and tables. */
export function suiteText(suite: Suite, results: readonly SuiteResult[], folder: string): string {
  return [
    results.map(whereText).join('\n'),
    figuresText(results.map((result) => ({ result, verdicts: judge(suite.figures, result) }))),
    ...suite.plots.map(({ name, alternative }) =>
      plotText(suite, name, alternative, results, folder),
    ),
    results.flatMap(extrasText).join('\n'),
    ...results.filter(({ rows }) => rows.length > 0).map(tableText),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The first platform's picture, and where those of the others are. */
function plotText(
  suite: Suite,
  name: string,
  alternative: string,
  results: readonly SuiteResult[],
  folder: string,
): string {
  const path = ({ kind }: SuiteResult) => `${folder}/${suite.name}-${name}-${kind}.svg`;
  const [first, ...others] = results;
  const picture = `![${alternative}](${path(first!)})`;
  if (others.length === 0) return picture;
  const links = others.map((result) => `[${result.platform.split(/[ /]/)[0]!}](${path(result)})`);
  return `${picture}\n\nThe same in ${links.join(' and ')}.`;
}

function whereText({ platform, machine, date, flags, rounds, versions }: SuiteResult): string {
  const flagged = flags.length > 0 ? ` with \`${flags.join(' ')}\`` : '';
  const peers = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `- ${platform}${flagged}, ${machine}, ${date}, ${rounds} rounds; ${peers.join(', ')}`;
}

interface Judged {
  readonly result: SuiteResult;
  readonly verdicts: readonly Verdict[];
}

/** A line per figure, a column per platform: measured, asked, and a mark where it is missed. */
function figuresText(all: readonly Judged[]): string {
  const heads = all.flatMap(({ result }) => [
    result.platform,
    ...(result.withoutFlags ? ['without the flag'] : []),
  ]);
  const lines = all[0]!.verdicts.map(({ figure }, i) => {
    const cells = all.flatMap(({ result, verdicts }) => [
      verdictText(verdicts[i]!),
      ...(result.withoutFlags ? [measuredText(figure, verdicts[i]!.withoutFlags)] : []),
    ]);
    return `| ${figure.what} | ${cells.join(' | ')} |`;
  });
  return [
    `| figure | ${heads.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(heads.length)}`,
    ...lines,
  ].join('\n');
}

export function verdictText(verdict: Verdict): string {
  const measured = measuredText(verdict.figure, verdict.measured);
  if (verdict.met === undefined) return measured;
  return verdict.met
    ? `${measured} (${askedText(verdict)})`
    : `**${measured}** (missed: ${askedText(verdict)})`;
}

/** Contenders that are in more rows than this get a column. */
const FEW_ROWS = 2;

/** All rows by contenders; those of contenders that stand in one row alone come first, as lists. */
function tableText({ platform, rows }: SuiteResult): string {
  const names = [...new Set(rows.flatMap(({ results }) => results.map(({ name }) => name)))];
  const rowsOf = (name: string) => rows.filter((row) => cell(row, name) !== '').length;
  const columns = names.filter((name) => rowsOf(name) > FEW_ROWS);
  const hasColumn = ({ name }: Result) => columns.includes(name);
  const asides = rows.filter(({ results }) => !results.every(hasColumn));
  const lines = rows
    .filter((row) => !asides.includes(row))
    .map((row) => `| ${rowName(row)} | ${columns.map((name) => cell(row, name)).join(' | ')} |`);
  return [
    ...asides.map((row) => `- ${rowName(row)}, ${platform}: ${listText(row)}`),
    `\n<details><summary>All rows, ${platform}</summary>\n`,
    `| | ${columns.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(columns.length)}`,
    ...lines,
    '\n</details>',
  ].join('\n');
}

const listText = (row: Row): string =>
  row.results.map(({ name }) => `${name} ${cell(row, name)}`).join('; ');

/** What was measured beside the rows. */
function extrasText({ extras }: SuiteResult): string[] {
  const { codeSize, unrolledSize, wasmEngine } = extras ?? {};
  return [
    ...(codeSize ? [sizesText('AES core', codeSize)] : []),
    ...(unrolledSize ? [sizesText('round function', unrolledSize)] : []),
    ...(wasmEngine ?? []).map(({ variant, bytes, modules }) => {
      const each = modules.map((one) => `${one.file} ${one.brotliBytes.toLocaleString('en')}`);
      const all = `variant ${variant}: ${bytes.toLocaleString('en')} bytes in all`;
      return `- ${all}, with brotli ${each.join(', ')}`;
    }),
  ];
}

/** "AES core, bytes minified (with brotli): sjcl 2,128 (890)" */
export function sizesText(what: string, sizes: readonly CodeSize[]): string {
  const each = sizes.map(
    ({ name, minifiedBytes, brotliBytes }) =>
      `${name} ${minifiedBytes.toLocaleString('en')} (${brotliBytes.toLocaleString('en')})`,
  );
  return `- ${what}, bytes minified (with brotli): ${each.join(', ')}`;
}

function cell(row: Row, name: string): string {
  const result = row.results.find((one) => one.name === name);
  return result
    ? `${timeText(result.median)}${row.bytes > 0 ? `, ${speedText(row, result)}` : ''}`
    : '';
}

const README_ROWS = ['CTR', 'CBC', 'GCM', 'CCM', 'OCB', 'SIV', 'GCM-SIV'].map((mode): RowKey => ({
  algorithm: `AES-128-${mode}`,
  size: 1 << 16,
  unit: 'B',
}));

/** The few lines of the README: AES in our engines beside the best known peers. */
export function readmeText(results: readonly SuiteResult[]): string {
  const [first] = results;
  const heads = results.map(({ platform }) => ` ${platform}: ${WASM} | ${JS} | noble | sjcl |`);
  const lines = README_ROWS.map((key) => {
    const cells = results.map(({ rows }) => {
      const readings = new Readings(rows);
      return [WASM, JS, '@noble/ciphers', 'sjcl']
        .map((name) => readings.throughput(key, name))
        .map((speed) => (speed === undefined ? ' – |' : ` ${Math.round(speed / 1e6)} |`))
        .join('');
    });
    return `| ${key.algorithm} |${cells.join('')}`;
  });
  return [
    `${first!.machine}, ${first!.date}; MB/s at ${sizeName(1 << 16)}. [All figures](docs/benchmarks.md)`,
    [
      `| |${heads.join('')}`,
      `| --- |${' ---: | ---: | ---: | ---: |'.repeat(results.length)}`,
      ...lines,
    ].join('\n'),
    coreText(first!),
    `![Throughput of AES-128 at 64 KiB, ours and peers](bench/results/aes-modes-${first!.kind}.svg)`,
  ].join('\n\n');
}

function coreText({ extras }: SuiteResult): string {
  const tables = extras?.precomputation
    ? `All tables of engine \`js\` are computed in ${extras.precomputation.coldMs.toFixed(2)} ms cold, ` +
      `${extras.precomputation.warmMs.toFixed(3)} ms warm. `
    : '';
  const sizes = sizesText('AES core', extras?.codeSize ?? []).slice('- '.length);
  return `${tables}${sizes}.`;
}
