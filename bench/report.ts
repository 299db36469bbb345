import { askedText, measuredText, metText, type Verdict } from './figures.ts';
import { rowName, type Result, type Row } from './row.ts';

/** One line as soon as a row is measured, the fastest first. */
export function rowLine(row: Row, progress: number): string {
  const cells = [...row.results]
    .sort((a, b) => a.median - b.median)
    .map((result) => `${result.name} ${speedText(row, result)}`);
  const percent = `${Math.round(100 * progress)} %`.padStart(5);
  return `${percent}  ${rowName(row).padEnd(32)} ${cells.join(' · ')}`;
}

/** Megabytes (10^6) per second, or the time of a call for rows about time. */
export function speedText({ bytes }: Row, { median }: Result): string {
  return bytes > 0 ? `${digits(bytes / median / 1e6)} MB/s` : timeText(median);
}

/** Three digits that mean something, never as a power of ten. */
export function digits(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

/** 0.00345 → "3.45 ms" */
export function timeText(seconds: number): string {
  if (seconds >= 1) return `${digits(seconds)} s`;
  return seconds >= 1e-3 ? `${digits(seconds * 1e3)} ms` : `${digits(seconds * 1e6)} µs`;
}

/** What was asked or measured, as a table for the terminal: figure, asked, measured, met or not. */
export function figuresTable(all: readonly Verdict[]): string {
  const verdicts = all.filter(
    ({ asked, measured }) => asked !== undefined || measured !== undefined,
  );
  const plain = verdicts.some(({ withoutFlags }) => withoutFlags !== undefined);
  const head = ['figure', 'asked', 'measured', '', ...(plain ? ['without flags'] : [])];
  const lines = verdicts.map((verdict) => [
    verdict.figure.what,
    askedText(verdict),
    measuredText(verdict.figure, verdict.measured),
    metText(verdict),
    ...(plain ? [measuredText(verdict.figure, verdict.withoutFlags)] : []),
  ]);
  const widths = head.map((_, i) => Math.max(...[head, ...lines].map((line) => line[i]!.length)));
  const pad = (cell: string, i: number) =>
    i === 0 || i === 3 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!);
  return [head, ...lines].map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

/** "41 of 43 figures met, 2 not: …" */
export function summary(verdicts: readonly Verdict[]): string {
  const asked = verdicts.filter(({ met }) => met !== undefined);
  const missed = asked.filter(({ met }) => met === false);
  const count = `${asked.length - missed.length} of ${asked.length} figures met`;
  return missed.length === 0
    ? count
    : `${count}; not: ${missed.map(({ figure }) => figure.what).join('; ')}`;
}
