import type { Contender, Kind, Prepared } from './contender.ts';
import type { Timing } from '../src/engine/self-test/measure.ts';

/** What a row is about: the same text names it in results, figures and on the screen. */
export interface RowKey {
  /** "AES-128-CTR" */
  readonly algorithm: string;
  /** In `unit`: the length of the message, iterations, bits of the modulus, blocks or KiB of memory. */
  readonly size: number;
  readonly unit: 'B' | 'iterations' | 'bits' | 'blocks' | 'KiB';
}

/** One line of a table before it is measured: one task, and who can do it. */
export interface RowPlan extends RowKey {
  /** Bytes that one call works on, for rows that are about throughput; 0 for rows about time. */
  readonly bytes: number;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly name: string;
  readonly kind: Kind;
  prepare(): Prepared | undefined | Promise<Prepared | undefined>;
}

/** One task for all contenders. */
export function rowOf<T>(
  key: RowKey & { readonly bytes: number },
  task: T,
  contenders: readonly Contender<T>[],
): RowPlan {
  const entries = contenders.map((contender) => ({
    name: contender.name,
    kind: contender.kind,
    prepare: () => contender.prepare(task),
  }));
  return { ...key, entries };
}

/** The line after it was measured. */
export interface Row extends RowKey {
  readonly bytes: number;
  readonly results: readonly Result[];
}

export interface Result extends Timing {
  readonly name: string;
  readonly kind: Kind;
}

/** "AES-128-CTR, 64 KiB": unique in its suite. */
export function rowName({ algorithm, size, unit }: RowKey): string {
  return `${algorithm}, ${unit === 'B' ? sizeName(size) : `${size.toLocaleString('en')} ${unit}`}`;
}

/** 1024 → "1 KiB", 10⁷ → "10 MB": the round name in either system. */
export function sizeName(bytes: number): string {
  const binary = ['B', 'KiB', 'MiB', 'GiB'];
  const decimal = ['B', 'kB', 'MB', 'GB'];
  const [base, names] = bytes > 0 && bytes % 1000 === 0 ? [1000, decimal] : [1024, binary];
  let [value, unit] = [bytes, 0];
  while (value >= base && value % base === 0) [value, unit] = [value / base, unit + 1];
  return `${value.toLocaleString('en')} ${names[unit]!}`;
}
