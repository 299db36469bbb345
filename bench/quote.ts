import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { askedText, judge, measuredText, type Verdict } from './figures.ts';
import { JS, WASM } from './names.ts';
import { speedText, timeText } from './report.ts';
import { type PlatformKind, Readings, type SuiteResult } from './result.ts';
import { rowName, sizeName, type Row, type RowKey } from './row.ts';
import type { Suite } from './suite.ts';

/*
 * The figures of docs/benchmarks.md and README.md, written from bench/results/*.json, so that no
 * figure is copied by hand.
 */
const PLATFORMS: readonly PlatformKind[] = ['node', 'chromium', 'firefox'];

export function quoteResults(suites: readonly Suite[]): void {
  for (const suite of suites) {
    const results = readResults(suite.name);
    if (results.length > 0) {
      quoteIn('docs/benchmarks.md', suite.name, suiteText(suite, results, '../bench/results'));
    }
  }
  const [aes] = [readResults('aes')];
  if (aes.length > 0) quoteIn('README.md', 'figures', readmeText(aes));
}

function readResults(suite: string): SuiteResult[] {
  return PLATFORMS.map((platform) => `bench/results/${suite}-${platform}.json`)
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as SuiteResult);
}

function quoteIn(path: string, name: string, text: string): void {
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
    ...suite.plots.map(
      ({ name, alternative }) =>
        `![${alternative}](${folder}/${suite.name}-${name}-${results[0]!.kind}.svg)`,
    ),
    ...results.filter(({ rows }) => rows.length > 0).map(tableText),
  ].join('\n\n');
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

/** All rows, by contenders. */
function tableText({ platform, rows }: SuiteResult): string {
  const names = [...new Set(rows.flatMap(({ results }) => results.map(({ name }) => name)))]
    // Contenders of one row alone would make a column each; they stand in the row's figures.
    .filter(
      (name) => rows.filter((row) => row.results.some((one) => one.name === name)).length > 2,
    );
  const lines = rows.map(
    (row) => `| ${rowName(row)} | ${names.map((name) => cell(row, name)).join(' | ')} |`,
  );
  return [
    `<details><summary>All rows, ${platform}</summary>\n`,
    `| | ${names.join(' | ')} |`,
    `| --- |${' ---: |'.repeat(names.length)}`,
    ...lines,
    '\n</details>',
  ].join('\n');
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
  const sizes = (extras?.codeSize ?? []).map(
    ({ name, minifiedBytes, brotliBytes }) =>
      `${name} ${minifiedBytes.toLocaleString('en')} (${brotliBytes.toLocaleString('en')})`,
  );
  return `${tables}AES core, bytes minified (with brotli): ${sizes.join(', ')}.`;
}
