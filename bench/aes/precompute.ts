import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { computeTables } from '../../src/crypto/aes/tables.ts';
import { measure, median } from '../../src/engine/self-test/measure.ts';
import type { Precomputation } from '../result.ts';

const COLD_RUNS = 15;

/** How long all AES tables take to compute, in a fresh process and when warm. */
export async function measurePrecomputation(): Promise<Precomputation> {
  const cold = Array.from({ length: COLD_RUNS }, coldMs);
  const [warm] = await measure([{ run: computeTables, first: 0 }], {
    rounds: 9,
    minimumMs: 50,
  });
  return { coldMs: median(cold), warmMs: warm!.median * 1000 };
}

/** One process that does nothing but load the code (not timed) and compute the tables once. */
function coldMs(): number {
  mkdirSync('.cache/bench', { recursive: true });
  const module = resolve('.cache/bench/tables.mjs');
  buildSync({ entryPoints: ['src/crypto/aes/tables.ts'], outfile: module, format: 'esm' });
  const script = `
    const { computeTables } = await import(${JSON.stringify(module)});
    const start = performance.now();
    computeTables();
    console.log(performance.now() - start);`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script]));
}
