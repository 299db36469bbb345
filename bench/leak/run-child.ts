/** Bundles the measuring process, makes the modules that it loads, and runs it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { makeWasm } from '../../scripts/make-wasm.ts';
import type { Order } from './child.ts';
import type { LeakRow } from './result.ts';

/** @returns runs the process for one primitive */
export async function prepareChild(
  folder: string,
): Promise<(order: Omit<Order, 'wasmFolder'>) => Promise<LeakRow>> {
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
  return async (order) => {
    const flags = flagsFor(order.variant);
    const argument = JSON.stringify({ ...order, wasmFolder });
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, outfile, argument]);
    return JSON.parse(stdout) as LeakRow;
  };
}

/** Young objects have so much room that they are collected where `measure` asks for it. */
function flagsFor(variant: Order['variant']): string[] {
  const memory = ['--expose-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'];
  return variant === 'relaxed' ? [...memory, '--experimental-wasm-relaxed-simd'] : memory;
}
