/** Bundles the measuring process, makes the modules that it loads, and runs it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { makeWasm } from '../../scripts/make-wasm.ts';
import type { LeakRow } from './result.ts';
import type { Order } from './row.ts';

/** Where primitives are measured. */
export interface Measuring {
  /** Name and version, as the result has it. */
  readonly platform: string;
  readonly measure: (order: Order) => Promise<LeakRow>;
  readonly close: () => Promise<void>;
}

/** A process of Node for each primitive. */
export async function prepareChild(folder: string): Promise<Measuring> {
  const wasmFolder = `${folder}/wasm`;
  const outfile = `${folder}/child.mjs`;
  await makeWasm(wasmFolder);
  await build({
    entryPoints: ['bench/leak/child.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  return {
    platform: `Node ${process.version}`,
    async measure(order) {
      const args = [...flagsFor(order.variant), outfile, JSON.stringify(order), wasmFolder];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      return JSON.parse(stdout) as LeakRow;
    },
    close: () => Promise.resolve(),
  };
}

/** Young objects have so much room that they are collected where `measure` asks for it. */
function flagsFor(variant: Order['variant']): string[] {
  const memory = ['--expose-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'];
  return variant === 'relaxed' ? [...memory, '--experimental-wasm-relaxed-simd'] : memory;
}
