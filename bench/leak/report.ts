/** The result in lines for a terminal, and as the table of docs/constant-time.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { CERTAIN, CHANCE, holds } from './result.ts';
import type { LeakResult, LeakRow } from './result.ts';

const PAGE = 'docs/constant-time.md';
/** What stands around the table of each place. */
const MARKS = {
  node: ['<!-- figures: written by npm run leak -->', '<!-- end of figures -->'],
  firefox: [
    '<!-- figures of Firefox: written by npm run leak -->',
    '<!-- end of figures of Firefox -->',
  ],
} as const;

export function printLeakRow(row: LeakRow): void {
  const { name, variant, measurements, calls, median, part } = row;
  const mark = holds(row) ? ' ' : '!';
  const count = `${measurements.toLocaleString('en')} × ${calls}`;
  const where = `(${part}, ${count} calls, ${time(median)})`;
  console.log(`${mark} ${variant.padEnd(7)} ${name.padEnd(52)} t ${signed(row.t)}  ${where}`);
}

/** @returns whether every row is as the project says */
export function printVerdict(rows: readonly LeakRow[]): boolean {
  const broken = rows.filter((row) => !holds(row));
  const tested = rows.filter(({ expected }) => expected === 'constant').length;
  console.log(
    broken.length === 0
      ? `\n${tested} primitives within ±${CHANCE}, every control beyond ±${CERTAIN}`
      : `\nNot as claimed: ${broken.map(({ name, variant }) => `${name} (${variant})`).join('; ')}`,
  );
  return broken.length === 0;
}

export function quoteInDocs(result: LeakResult, place: keyof typeof MARKS): void {
  const page = readFileSync(PAGE, 'utf8');
  const [start, end] = MARKS[place];
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${PAGE} lacks its markers`);
  writeFileSync(PAGE, `${before}${start}\n\n${table(result)}\n\n${end}${after}`);
}

export function table({ machine, platform, date, rows }: LeakResult): string {
  const names = [...new Set(rows.map(({ name }) => name))];
  const lines = names.map((name) => {
    const of = (variant: LeakRow['variant']) =>
      rows.find((row) => row.name === name && row.variant === variant);
    const { expected } = (of('relaxed') ?? of('simd'))!;
    return `| ${name} | ${CLAIMS[expected]} | ${cells(of('simd'))} | ${cells(of('relaxed'))} |`;
  });
  return [
    `${platform}; ${machine}; ${date}.`,
    '',
    '| primitive | claim | simd: t | measurements | relaxed: t | measurements |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...lines,
  ].join('\n');
}

const CLAIMS: Readonly<Record<LeakRow['expected'], string>> = {
  constant: 'constant time',
  leak: 'control: must show',
  reported: 'none',
};

function cells(row: LeakRow | undefined): string {
  if (row === undefined) return '– | –';
  return `${signed(row.t).trim()} | ${row.measurements.toLocaleString('en')} × ${row.calls}`;
}

function signed(t: number): string {
  const digits = Math.abs(t) < 100 ? 2 : 0;
  return `${t < 0 ? '−' : '+'}${Math.abs(t).toFixed(digits)}`.padStart(8);
}

function time(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds.toPrecision(3)} ns`;
  return nanoseconds < 1e6
    ? `${(nanoseconds / 1e3).toPrecision(3)} µs`
    : `${(nanoseconds / 1e6).toPrecision(3)} ms`;
}
