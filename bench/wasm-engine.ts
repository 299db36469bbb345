import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { makeWasm } from '../scripts/make-wasm.ts';
import { VARIANTS, type Variant } from '../src/engine/wasm/generator/dsl/lookup.ts';
import { median } from '../src/engine/self-test/measure.ts';
import type { Startup } from './wasm-engine-startup.ts';

/** The whole engine `wasm-simd` in one variant, in Node. */
export interface WasmEngineFigures {
  readonly variant: Variant;
  /** Those that it loads at its start. */
  readonly modules: readonly ModuleSize[];
  /** Of these together. */
  readonly bytes: number;
  /** Each module compressed alone, as a browser would fetch it. */
  readonly brotliBytes: number;
  /** Compiling and instantiating what it loads, in a fresh process; the median of several. */
  readonly startMs: number;
  /** All known answers but scrypt's, right after that, in the same processes. */
  readonly knownAnswersMs: number;
  /** How many algorithms these were. */
  readonly algorithms: number;
}

export interface ModuleSize {
  readonly file: string;
  readonly bytes: number;
  readonly brotliBytes: number;
}

const FOLDER = resolve('.cache/bench/wasm');
const PROCESSES = 9;

export async function measureWasmEngine(): Promise<WasmEngineFigures[]> {
  await makeWasm(FOLDER);
  return VARIANTS.map((variant) => {
    const runs = Array.from({ length: PROCESSES }, () => startUp(variant));
    const { algorithms, files } = runs[0]!;
    const modules = files.map(sizeOf);
    return {
      variant,
      modules,
      bytes: sum(modules.map(({ bytes }) => bytes)),
      brotliBytes: sum(modules.map(({ brotliBytes }) => brotliBytes)),
      startMs: median(runs.map(({ startMs }) => startMs)),
      knownAnswersMs: median(runs.map(({ knownAnswersMs }) => knownAnswersMs)),
      algorithms,
    };
  });
}

function sizeOf(file: string): ModuleSize {
  const bytes = readFileSync(`${FOLDER}/${file}`);
  return { file, bytes: bytes.length, brotliBytes: brotliCompressSync(bytes).length };
}

/** A process that loads the code (not timed) and then starts the engine, once. */
function startUp(variant: Variant): Startup {
  const flags = variant === 'relaxed' ? ['--experimental-wasm-relaxed-simd'] : [];
  const script = resolve('bench/wasm-engine-startup.ts');
  const args = [...flags, '--import', 'tsx', script, FOLDER, variant];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Startup;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
