/** The loader for Node: modules as files of one folder, as scripts/make-wasm.ts writes them. */
import { readFile } from 'node:fs/promises';
import type { LoadWasm } from './module.ts';

/** @param folder a file: URL that ends in a slash */
export function loadWasmFrom(folder: URL): LoadWasm {
  return async (name) => Uint8Array.from(await readFile(new URL(`${name}.wasm`, folder)));
}
