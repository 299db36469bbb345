import type { Kind } from '../../bench/contender.ts';
import type { SuiteResult } from '../../bench/result.ts';
import type { Row } from '../../bench/row.ts';

/** A row of which the medians are given, in seconds. */
export function rowOfTimes(
  algorithm: string,
  size: number,
  times: Readonly<Record<string, readonly [kind: Kind, seconds: number]>>,
): Row {
  const results = Object.entries(times).map(([name, [kind, seconds]]) => ({
    name,
    kind,
    median: seconds,
    best: seconds,
    rounds: [seconds],
  }));
  return { algorithm, size, unit: 'B', bytes: size, results };
}

export const resultOf = (rows: readonly Row[], more: Partial<SuiteResult> = {}): SuiteResult => ({
  suite: 'test',
  date: '2026-11-21',
  machine: 'a machine',
  platform: 'Node v20',
  kind: 'node',
  flags: [],
  quick: false,
  rounds: 5,
  versions: { peer: '1.2.3' },
  rows,
  ...more,
});
