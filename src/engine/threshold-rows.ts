/** Thresholds as a list: the shape in which they are sent and stored. */
import { ENGINE_NAMES } from './contract.ts';
import type { EngineName } from './contract.ts';
import { DEFAULT_THRESHOLDS } from './thresholds.ts';
import type { Thresholds } from './thresholds.ts';

export interface ThresholdRow {
  readonly algorithm: string;
  readonly engine: string;
  /** The engine is used for messages of so many bytes and more. */
  readonly fromBytes: number;
}

export function toRows(thresholds: Thresholds): ThresholdRow[] {
  return Object.entries(thresholds).flatMap(([algorithm, engines]) =>
    Object.entries(engines).map(([engine, fromBytes]) => ({ algorithm, engine, fromBytes })),
  );
}

/**
 * The shipped thresholds, with those of the rows in place of them where there are any. Engines that
 * this build does not know are left out; an algorithm that nobody asks for does no harm.
 */
export function fromRows(rows: readonly ThresholdRow[]): Thresholds {
  const measured: Record<string, Partial<Record<EngineName, number>>> = {};
  for (const { algorithm, engine, fromBytes } of rows) {
    const name = ENGINE_NAMES.find((known) => known === engine);
    if (name !== undefined) measured[algorithm] = { ...measured[algorithm], [name]: fromBytes };
  }
  return { ...DEFAULT_THRESHOLDS, ...measured };
}
