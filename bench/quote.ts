import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { compareWithPeers, everyPeerText, extremesText, peersText } from './best-of-kind.ts';
import type { Study } from './entropy/text.ts';
import { entropyText } from './entropy/text.ts';
import { askedText, judge, measuredText, type Verdict } from './figures.ts';
import { traceText } from './lane/trace/account-text.ts';
import type { LaneTrace } from './lane/trace/run-trace.ts';
import { loadResults, loadText } from './load/result.ts';
import { speedText, timeText } from './report.ts';
import type { CodeSize, PlatformKind, SuiteResult } from './result.ts';
import { rowName, type Result, type Row } from './row.ts';
import type { Suite } from './suite.ts';
import { SUITES } from './suites.ts';
import { readWorks, worksText } from './works/text.ts';

/*
 * The figures of the documents, written from bench/results/*.json, so that no figure is copied by hand: verdicts and
 * comparisons in docs/benchmarks.md and README.md, by `npm run bench`, and every row in site/measurements.md, by
 * `npm run site`.
 */
const PLATFORMS: readonly PlatformKind[] = ['node', 'chromium', 'firefox'];
const MEASUREMENTS = 'docs/benchmarks.md';

/** What each document has between its markers, by their name. */
export function quotations(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const compared = compareWithPeers(SUITES.flatMap(({ name }) => readResults(name)));
  return {
    'README.md': { peers: extremesText(compared) },
    [MEASUREMENTS]: {
      peers: peersText(compared),
      verdicts: verdictsText(SUITES.map((suite) => ({ suite, results: readResults(suite.name) }))),
      load: loadText(loadResults()),
    },
  };
}

/** Writes them after a run. */
export function quoteResults(): void {
  for (const [path, blocks] of Object.entries(quotations())) {
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, withBlocks(text, blocks));
  }
}

/** site/measurements.md with all that has been measured. */
export function everyMeasurement(): string {
  const results = SUITES.map((suite) => [suite, readResults(suite.name)] as const);
  const study = JSON.parse(readFileSync('bench/results/entropy.json', 'utf8')) as Study;
  return withBlocks(readFileSync('site/measurements.md', 'utf8'), {
    ...Object.fromEntries(
      results.map(([suite, all]) => [suite.name, suiteText(suite, all, '../bench/results')]),
    ),
    peers: everyPeerText(compareWithPeers(results.flatMap(([, all]) => all))),
    'lane-trace': traceText(readResults<LaneTrace>('lane-trace')),
    works: worksText(readWorks()),
    entropy: entropyText(study),
    load: loadText(loadResults()),
  });
}

/** Of one suite, by platform, as `npm run bench` kept them. */
export function readResults<T = SuiteResult>(suite: string): T[] {
  return PLATFORMS.map((platform) => `bench/results/${suite}-${platform}.json`)
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')) as T);
}

/** The document with its blocks replaced. @throws Error where a block has no markers */
export function withBlocks(document: string, blocks: Readonly<Record<string, string>>): string {
  return Object.entries(blocks).reduce(
    (text, [name, block]) => replaceBlock(text, name, block),
    document,
  );
}

/** What stands between the two markers of that name. @throws Error if they are not there */
export function replaceBlock(document: string, name: string, text: string): string {
  const [start, end] = [
    new RegExp(`<!-- ${name}: written by npm run \\w+ -->`),
    `<!-- end of ${name} -->`,
  ];
  const marker = start.exec(document);
  const last = document.indexOf(end);
  if (marker === null || last < marker.index) throw new Error(`no markers of ${name}`);
  const before = document.slice(0, marker.index + marker[0].length);
  return `${before}\n\n${text}\n\n${document.slice(last)}`;
}

/** Of each suite where it ran, and which of its figures it met. */
export function verdictsText(
  all: readonly { readonly suite: Suite; readonly results: readonly SuiteResult[] }[],
): string {
  return all
    .filter(({ results }) => results.length > 0)
    .map(({ suite, results }) => {
      const rows = results.map((result) => {
        const asked = judge(suite.figures, result).filter(({ met }) => met !== undefined);
        const missed = asked.filter(({ met }) => !met);
        const about = `${result.platform}, ${result.date} | ${result.rows.length}`;
        const list = missed.map(
          (verdict) =>
            `${verdict.figure.what}: ${measuredText(verdict.figure, verdict.measured)} (${askedText(verdict)})`,
        );
        return `| ${about} | ${asked.length - missed.length} of ${asked.length} | ${list.join('; ') || '–'} |`;
      });
      return [
        `**${suite.title}**`,
        [
          '| where, when | rows | figures met | missed |',
          '| --- | ---: | ---: | --- |',
          ...rows,
        ].join('\n'),
      ].join('\n\n');
    })
    .join('\n\n');
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
