/**
 * The modules that the engine `wasm-simd` and short messages share. Each is loaded once, at its first use:
 * two instances would need twice the memory.
 */
import { AesModule } from './aes/aes.ts';
import type { Variant } from './generator/dsl/lookup.ts';
import { loadSha } from './hash/sha.ts';
import type { ShaModule } from './hash/sha.ts';
import type { LoadWasm } from './loader.ts';

/** Each function rejects with the errors of the loader and of WebAssembly, at every call. */
export interface SharedModules {
  /** The AES module, which contains keys. */
  aes(): Promise<AesModule>;
  /** The module of SHA-1 and SHA-2. */
  sha(): Promise<ShaModule>;
}

/**
 * @param loadWasm loads the modules that scripts/make-wasm.ts generates
 * @param variant for tests; default: the best one that the platform supports
 */
export function sharedModules(loadWasm: LoadWasm, variant?: Variant): SharedModules {
  return {
    aes: once(() => AesModule.load(loadWasm, variant)),
    sha: once(() => loadSha(loadWasm)),
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => (loaded ??= load());
}
