import { type Extras, type PlatformKind, Readings, type SuiteResult } from './result.ts';
import { rowName, type RowKey } from './row.ts';
import type { Kind } from './contender.ts';

/** A figure that the project holds itself to: something measured, and what is asked of it. */
export interface Figure {
  readonly what: string;
  /** By platform; where nothing is asked the figure is reported alone. */
  readonly asked: Asked;
  readonly bound: 'at least' | 'at most';
  readonly unit: '×' | '%' | 'µs' | 'ms' | 'bytes' | 'calls' | 'passes' | 'lanes';
  /** Which rows and contenders it needs. */
  readonly uses: readonly Use[];
  readonly measure: (readings: Readings) => number | undefined;
}

export type Asked = Partial<Record<PlatformKind, number>>;
export interface Use {
  readonly row: RowKey;
  readonly names: readonly string[];
}

/** Node and Chromium. */
export const inV8 = (value: number): Asked => ({ node: value, chromium: value });

/** How many times as fast ours is as a peer. */
export function timesAsFast(row: RowKey, ours: string, peer: string, asked: Asked): Figure {
  return {
    what: `${rowName(row)}: ${ours} over ${peer}`,
    asked,
    bound: 'at least',
    unit: '×',
    uses: [{ row, names: [ours, peer] }],
    measure: (readings) => quotient(readings.median(row, peer), readings.median(row, ours)),
  };
}

/** How many times as much time one takes as the other. */
export function timesTheTime(row: RowKey, ours: string, other: string, asked: Asked): Figure {
  return {
    what: `${rowName(row)}: time of ${ours} over time of ${other}`,
    asked,
    bound: 'at most',
    unit: '×',
    uses: [{ row, names: [ours, other] }],
    measure: (readings) => quotient(readings.median(row, ours), readings.median(row, other)),
  };
}

/** What one costs over the other, in percent of the other's time. */
export function overhead(row: RowKey, ours: string, other: string, asked: Asked): Figure {
  const { measure, uses } = timesTheTime(row, ours, other, {});
  return {
    what: `${rowName(row)}: overhead of ${ours} over ${other}`,
    asked,
    bound: 'at most',
    unit: '%',
    uses,
    measure: (readings) => {
      const times = measure(readings);
      return times === undefined ? undefined : 100 * (times - 1);
    },
  };
}

/** One row over another, both of one contender: the quotient of their times. */
export function rowOverRow(
  what: string,
  name: string,
  [above, below]: readonly [RowKey, RowKey],
  more: Pick<Figure, 'asked' | 'bound'>,
): Figure {
  return {
    what,
    ...more,
    unit: '×',
    uses: [
      { row: above, names: [name] },
      { row: below, names: [name] },
    ],
    measure: (readings) => quotient(readings.median(above, name), readings.median(below, name)),
  };
}

/** How many times as fast ours is as the fastest of a kind. */
export function timesTheFastest(row: RowKey, ours: string, kind: Kind, asked: Asked): Figure {
  return {
    what: `${rowName(row)}: ${ours} over the fastest in ${kind}`,
    asked,
    bound: 'at least',
    unit: '×',
    uses: [{ row, names: [ours] }],
    measure: (readings) => {
      const peers = readings.row(row)?.results.filter((result) => result.kind === kind) ?? [];
      if (peers.length === 0) return undefined;
      return quotient(Math.min(...peers.map(({ median }) => median)), readings.median(row, ours));
    },
  };
}

/** Microseconds of one call. */
export function callTime(row: RowKey, ours: string, asked: Asked): Figure {
  return {
    what: `${rowName(row)}: one call of ${ours}`,
    asked,
    bound: 'at most',
    unit: 'µs',
    uses: [{ row, names: [ours] }],
    measure: (readings) => quotient(readings.median(row, ours), 1e-6),
  };
}

/** What is measured beside the rows and should be little: sizes, times to begin. */
export function atMost(
  what: string,
  unit: Figure['unit'],
  asked: Asked,
  read: (extras: Extras) => number | undefined,
): Figure {
  return { what, unit, asked, bound: 'at most', uses: [], measure: ({ extras }) => read(extras) };
}

/** What is measured beside the rows and should be much. */
export function atLeast(...figure: Parameters<typeof atMost>): Figure {
  return { ...atMost(...figure), bound: 'at least' };
}

function quotient(dividend: number | undefined, divisor: number | undefined): number | undefined {
  return dividend === undefined || divisor === undefined ? undefined : dividend / divisor;
}

export interface Verdict {
  readonly figure: Figure;
  readonly asked: number | undefined;
  readonly measured: number | undefined;
  /** Undefined where nothing is asked or nothing was measured. */
  readonly met: boolean | undefined;
  /** Measured without the platform's flags, where there are such rows. */
  readonly withoutFlags: number | undefined;
}

/** Every figure of a suite beside what a run measured. */
export function judge(figures: readonly Figure[], result: SuiteResult): Verdict[] {
  const readings = new Readings(result.rows, result.extras);
  const plain = new Readings(result.withoutFlags ?? []);
  const inWasm = new Set(wasmFigures(figures));
  return figures.map((figure) => {
    const asked = figure.asked[result.kind];
    const measured = figure.measure(readings);
    const met =
      asked === undefined || measured === undefined
        ? undefined
        : figure.bound === 'at least'
          ? measured >= asked
          : measured <= asked;
    return {
      figure,
      asked,
      measured,
      met,
      withoutFlags: inWasm.has(figure) ? figure.measure(plain) : undefined,
    };
  });
}

/** Those that flags of the platform change: figures of WebAssembly. */
export const wasmFigures = (figures: readonly Figure[]): Figure[] =>
  figures.filter(({ uses }) =>
    uses.some(({ names }) => names.some((name) => name.includes('wasm-simd'))),
  );

/** Names of rows, and of contenders in them, that these figures need. */
export function usesOf(figures: readonly Figure[]): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const use of figures.flatMap(({ uses }) => uses)) {
    const known = (names[rowName(use.row)] ??= []);
    known.push(...use.names.filter((name) => !known.includes(name)));
  }
  return names;
}

/** "≥ 6 ×" */
export function askedText({ figure, asked }: Verdict): string {
  if (asked === undefined) return '–';
  return `${figure.bound === 'at least' ? '≥' : '≤'} ${asked.toLocaleString('en')} ${figure.unit}`;
}

export function measuredText({ unit }: Figure, value: number | undefined): string {
  if (value === undefined) return '–';
  const isCount = ['bytes', 'calls', 'passes', 'lanes'].includes(unit);
  if (isCount) return `${value.toLocaleString('en')} ${unit}`;
  // Three figures; no more are worth reading.
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.max(Math.abs(value), 0.01))));
  const shown = Math.min(digits, 3);
  const options = { minimumFractionDigits: shown, maximumFractionDigits: shown };
  return `${value.toLocaleString('en', options)} ${unit}`;
}

export const metText = ({ met }: Verdict): string =>
  met === undefined ? '–' : met ? 'met' : 'NOT MET';
