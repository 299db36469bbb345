/* What the page of plots draws: the medians of bench/results, as `npm run bench` wrote them. */
import { existsSync, readFileSync } from 'node:fs';
import { sizeName, type Row } from '../bench/row.ts';
import type { SuiteResult } from '../bench/result.ts';
import { SUITES } from '../bench/suites.ts';

/** One run of a suite on a platform. */
export interface PlottedRun {
  /** "AES, Node v20.20.2" */
  readonly title: string;
  /** Machine and date. */
  readonly about: string;
  readonly algorithms: readonly PlottedAlgorithm[];
}

export interface PlottedAlgorithm {
  readonly name: string;
  /** "16 B", "1 KiB": one for each point. */
  readonly sizes: readonly string[];
  /** Bytes that one call works on, for each point; 0 where the rows are about time alone. */
  readonly bytes: readonly number[];
  readonly contenders: readonly {
    readonly name: string;
    /** Seconds of one call, the median; null where it was not measured. */
    readonly medians: readonly (number | null)[];
  }[];
}

const PLATFORMS = ['node', 'chromium', 'firefox'];

/** Every run whose rows have several contenders, in the order of the suites. */
export function plottedRuns(): PlottedRun[] {
  return SUITES.flatMap(({ name, title }) =>
    PLATFORMS.flatMap((platform) => {
      const file = `bench/results/${name}-${platform}.json`;
      if (!existsSync(file)) return [];
      const result = JSON.parse(readFileSync(file, 'utf8')) as SuiteResult;
      const algorithms = plottedAlgorithms(result.rows.filter(({ results }) => results.length > 1));
      if (algorithms.length === 0) return [];
      const about = `${result.machine}, ${result.date}, ${result.rounds} rounds`;
      return [{ title: `${title}, ${result.platform}`, about, algorithms }];
    }),
  );
}

function plottedAlgorithms(rows: readonly Row[]): PlottedAlgorithm[] {
  const names = [...new Set(rows.map(({ algorithm, unit }) => JSON.stringify([algorithm, unit])))];
  return names.map((key) => {
    const [name, unit] = JSON.parse(key) as [string, Row['unit']];
    const points = rows
      .filter((row) => row.algorithm === name && row.unit === unit)
      .sort((a, b) => a.size - b.size);
    const contenders = [
      ...new Set(points.flatMap(({ results }) => results.map((one) => one.name))),
    ];
    return {
      name,
      sizes: points.map(({ size }) =>
        unit === 'B' ? sizeName(size) : `${size.toLocaleString('en')} ${unit}`,
      ),
      bytes: points.map(({ bytes }) => bytes),
      contenders: contenders.map((contender) => ({
        name: contender,
        medians: points.map(
          ({ results }) => results.find((one) => one.name === contender)?.median ?? null,
        ),
      })),
    };
  });
}
