/*
 * One start of the engine `wasm-simd` in a process of its own, for wasm-engine.ts: says as JSON how
 * long it took.
 *
 *     node --import tsx bench/wasm-engine-startup.ts FOLDER simd|relaxed
 */
import { readFileSync } from 'node:fs';
import type { AlgorithmName } from '../src/engine/contract.ts';
import { Registry } from '../src/engine/registry.ts';
import type { Variant } from '../src/engine/wasm/generator/dsl/lookup.ts';
import { wasmSimdEngine } from '../src/engine/wasm/wasm-simd.ts';
import { modulesOf } from './wasm-modules.ts';

export interface Startup {
  /** Files that it loads at its start; others are loaded when an algorithm is first used. */
  readonly files: readonly string[];
  readonly startMs: number;
  readonly knownAnswersMs: number;
  readonly algorithms: number;
}

/** Slow on purpose. */
const SLOW: ReadonlySet<string> = new Set(['scrypt']);

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  return [await work(), performance.now() - start];
}

async function askAll(registry: Registry, algorithms: readonly AlgorithmName[]): Promise<void> {
  for (const algorithm of algorithms) {
    const fault = await registry.test('wasm-simd', algorithm);
    if (fault !== undefined) throw new Error(`${algorithm}: ${fault}`);
  }
}

const [folder, variant] = process.argv.slice(2) as [string, Variant];
const modules = new Map(
  modulesOf(variant, folder).map((file) => [
    file.replace(/\.wasm$/, ''),
    Uint8Array.from(readFileSync(`${folder}/${file}`)),
  ]),
);
const loaded: string[] = [];
const load = (name: string) => {
  loaded.push(name);
  return Promise.resolve(modules.get(name)!);
};
const engine = wasmSimdEngine(load, { variant });
const registry = new Registry([engine]);
const [, startMs] = await timed(() => registry.ready());
const files = loaded.map((name) => `${name}.wasm`).sort();
const algorithms = (Object.keys(registry.algorithmsOf('wasm-simd')) as AlgorithmName[]).filter(
  (name) => !SLOW.has(name),
);
const [, knownAnswersMs] = await timed(() => askAll(registry, algorithms));
const result: Startup = { files, startMs, knownAnswersMs, algorithms: algorithms.length };
console.log(JSON.stringify(result));
