import type { LoadWasm } from '../../../src/engine/wasm/loader.ts';

/**
 * Loads modules of the engine `wasm-simd` from wasm/ in the package, at the extension's own origin.
 */
export function packagedWasm(getUrl: (path: string) => string): LoadWasm {
  return async (name) => (await fetch(getUrl(`wasm/${name}.wasm`))).arrayBuffer();
}
