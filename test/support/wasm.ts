/**
 * Modules of the WebAssembly engine for tests: made from the generators as they are now, each
 * assembled once and kept in .cache/wasm under the hash of its text.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import { assemble, MODULES } from '../../scripts/make-wasm.ts';
import { VARIANTS } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import type { Variant } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import type { LoadWasm } from '../../src/engine/wasm/loader.ts';
import { besideTurns } from './turns.ts';

const CACHE = fileURLToPath(new URL('../../.cache/wasm', import.meta.url));

/** The variants that the suites run in; in a page it is the one that the browser takes. */
export const TESTED_VARIANTS: readonly Variant[] = VARIANTS;

/** Made once in a process: the generators take a tenth of a second. */
const made = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** The loader for tests. */
export const loadWasm: LoadWasm = async (name) => {
  const text = MODULES[name];
  if (text === undefined) throw new Error(`no module is ${name}`);
  const bytes = made.get(name) ?? assembleCached(name, text());
  made.set(name, bytes);
  return (await bytes).slice();
};

/** A module from its text; for tests of the generator itself. */
export async function assembleCached(name: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = `${CACHE}/${name}-${hash}.wasm`;
  if (existsSync(file)) return Uint8Array.from(readFileSync(file));
  const bytes = await besideTurns(() => assemble(name, text));
  mkdirSync(CACHE, { recursive: true });
  // Other test processes may do the same at the same time: each file appears whole or not at all.
  writeFileSync(`${file}.${process.pid}`, bytes);
  renameSync(`${file}.${process.pid}`, file);
  return bytes;
}

/** Node 20 has relaxed SIMD behind a flag, which may be set while it runs. */
export function enableRelaxedSimd(): void {
  v8.setFlagsFromString('--experimental-wasm-relaxed-simd');
}
