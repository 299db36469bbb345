import type { Variant } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import type { Primitive } from './primitive.ts';
import type { Leakage } from './statistics.ts';

/** |t| up to here is what chance gives; the project's figure. */
export const CHANCE = 4.5;
/** Beyond this, dudect calls it a leak without doubt; the control has to be. */
export const CERTAIN = 10;

/** What the test found of one primitive. */
export interface LeakRow extends Leakage {
  readonly name: string;
  readonly family: Primitive['family'];
  readonly expected: Primitive['expected'];
  readonly variant: Variant;
  readonly measurements: number;
  /** Calls in each measurement. */
  readonly calls: number;
  /** Median, nanoseconds per call; the difference is in nanoseconds too, or their squares. */
  readonly median: number;
}

/** What bench/results/leak-node.json holds. */
export interface LeakResult {
  readonly suite: 'leak';
  readonly date: string;
  readonly machine: string;
  readonly platform: string;
  readonly quick: boolean;
  readonly rows: readonly LeakRow[];
}

/** Whether a row is as the project says of it; what is reported only always is. */
export function holds({ expected, t }: LeakRow): boolean {
  if (expected === 'reported') return true;
  return expected === 'leak' ? Math.abs(t) > CERTAIN : Math.abs(t) <= CHANCE;
}
