import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { findRow, ratio, sizeName } from './report.ts';
import type { AesResult } from './result.ts';

/*
 * The README's figures, written from bench/results/*.json, so that no figure is copied by hand.
 */
const START = '<!-- figures: written by npm run bench -->';
const END = '<!-- end of figures -->';
const PLATFORMS = ['node', 'chromium', 'firefox'] as const;
const OURS = 'Sealwright js';
const ALGORITHMS = ['AES-CTR', 'AES-CBC', 'AES-GCM', 'AES-CCM', 'AES-OCB'] as const;
const BYTES = 1 << 16;

export function quoteInReadme(): void {
  const readme = readFileSync('README.md', 'utf8');
  const [before, rest] = readme.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('README.md lacks its markers');
  writeFileSync('README.md', `${before}${START}\n\n${figures()}\n\n${END}${after}`);
}

function figures(): string {
  const results = PLATFORMS.map((platform) => read(platform)).filter((one) => one !== undefined);
  return [
    `${[...new Set(results.map(({ machine, date }) => `${machine}, ${date}`))].join('; ')}.`,
    speeds(results),
    ...results.slice(0, 1).flatMap(({ platform, ...node }) => [core(node), plot(platform)]),
  ].join('\n\n');
}

function read(platform: string): AesResult | undefined {
  const path = `bench/results/aes-${platform}.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as AesResult) : undefined;
}

/** One line per mode: our MB/s in each platform, and how many times that is of the best peers. */
function speeds(results: readonly AesResult[]): string {
  const head = results.map(({ platform }) => ` ${platform} | × noble | × sjcl |`).join('');
  const lines = ALGORITHMS.map((algorithm) => {
    const cells = results.map((result) => {
      const row = findRow(result, algorithm, 128, BYTES);
      const ours = row?.results.find(({ name }) => name === OURS);
      const speed = ours ? `${Math.round(BYTES / ours.median / 1e6)} MB/s` : '–';
      return ` ${speed} | ${times(ratio(row, '@noble/ciphers'))} | ${times(ratio(row, 'sjcl'))} |`;
    });
    return `| ${algorithm.replace('AES', 'AES-128')} |${cells.join('')}`;
  });
  const rule = `| --- |${' ---: | ---: | ---: |'.repeat(results.length)}`;
  return [`| engine \`js\`, ${sizeName(BYTES)} |${head}`, rule, ...lines].join('\n');
}

const times = (value: number | undefined) => (value === undefined ? '–' : `${value.toFixed(1)} ×`);

function core({ precomputation, codeSize }: Omit<AesResult, 'platform'>): string {
  const tables = precomputation
    ? `All tables are computed in ${precomputation.coldMs.toFixed(2)} ms cold, ` +
      `${precomputation.warmMs.toFixed(3)} ms warm. `
    : '';
  const sizes = (codeSize ?? []).map(
    ({ name, minifiedBytes, brotliBytes }) =>
      `${name} ${minifiedBytes.toLocaleString('en')} (${brotliBytes.toLocaleString('en')})`,
  );
  return `${tables}AES core, bytes minified (with brotli): ${sizes.join(', ')}.`;
}

const plot = (platform: string) =>
  `![Throughput of AES-128 modes at 64 KiB in ${platform}, ours and peers](bench/results/aes-node.svg)`;
