import type { Variant } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import type { LoadWasm } from '../../src/engine/wasm/loader.ts';
import { measure } from './measure.ts';
import type { Limits } from './measure.ts';
import { PRIMITIVES } from './primitives.ts';
import type { LeakRow } from './result.ts';
import { leakage, percentile } from './statistics.ts';

/** What is to be measured, as JSON. */
export interface Order {
  readonly name: string;
  readonly variant: Variant;
  readonly limits: Limits;
}

/** Measures one primitive, in a process or worker that does nothing else. */
export async function measuredRow(
  { name, variant, limits }: Order,
  loadWasm: LoadWasm,
): Promise<LeakRow> {
  const primitive = PRIMITIVES.find((one) => one.name === name);
  if (primitive === undefined) throw new Error(`there is no ${name}`);
  // A refused message costs an Error; its stack would cost more than all else.
  Error.stackTraceLimit = 0;
  const operation = await primitive.setUp({ variant, loadWasm });
  const { times, classes, calls } = measure(primitive, operation, limits);
  const { family, expected } = primitive;
  const median = percentile(Float64Array.from(times).sort(), 0.5);
  const common = { name, family, expected, variant, measurements: times.length, calls, median };
  return { ...common, ...leakage(times, classes) };
}
