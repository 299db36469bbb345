/*
 * The process that measures one primitive and nothing else, so that no other code has shaped what
 * the compilers made of it. bench/leak/run-child.ts bundles and starts it, and reads one line.
 *
 *     node child.mjs '{"name": …, "variant": …, "wasmFolder": …, "limits": …}'
 */
import { readFile } from 'node:fs/promises';
import type { Variant } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import { measure } from './measure.ts';
import type { Limits } from './measure.ts';
import { PRIMITIVES } from './primitives.ts';
import type { LeakRow } from './result.ts';
import { leakage, percentile } from './statistics.ts';

export interface Order {
  readonly name: string;
  readonly variant: Variant;
  readonly wasmFolder: string;
  readonly limits: Limits;
}

async function carryOut({ name, variant, wasmFolder, limits }: Order): Promise<LeakRow> {
  const primitive = PRIMITIVES.find((one) => one.name === name);
  if (primitive === undefined) throw new Error(`there is no ${name}`);
  const loadWasm = async (module: string) =>
    Uint8Array.from(await readFile(`${wasmFolder}/${module}.wasm`));
  const operation = await primitive.setUp({ variant, loadWasm });
  const { times, classes, calls } = measure(primitive, operation, limits);
  const { family, expected } = primitive;
  const median = percentile(Float64Array.from(times).sort(), 0.5);
  const common = { name, family, expected, variant, measurements: times.length, calls, median };
  return { ...common, ...leakage(times, classes) };
}

// A refused message costs an Error; its stack would cost more than all else.
Error.stackTraceLimit = 0;
console.log(JSON.stringify(await carryOut(JSON.parse(process.argv[2]!) as Order)));
