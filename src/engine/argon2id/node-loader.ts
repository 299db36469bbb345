/**
 * Node only: loads the WebAssembly of npm's `argon2id` from node_modules. The extension fetches the same
 * files from its own origin (extension/platform).
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Argon2idWasm, WasmLoader } from './argon2id.ts';

/** The modules of the package, read from node_modules. */
export function argon2idFromNode(): Argon2idWasm {
  return { simd: loader('simd.wasm'), noSimd: loader('no-simd.wasm') };
}

function loader(file: string): WasmLoader {
  return async (imports) => {
    const path = createRequire(import.meta.url).resolve(`argon2id/dist/${file}`);
    return WebAssembly.instantiate(await readFile(path), imports);
  };
}
