import type { LoadWasm } from '../../../src/engine/wasm/loader.ts';

/**
 * The modules of the engine `wasm-simd`, from wasm/ in the package, each read when it is first
 * asked for; as argon2-wasm.ts says, nothing leaves the machine.
 */
export function packagedWasm(getUrl: (path: string) => string): LoadWasm {
  return async (name) => (await fetch(getUrl(`wasm/${name}.wasm`))).arrayBuffer();
}
