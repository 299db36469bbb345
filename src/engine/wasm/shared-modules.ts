/**
 * The modules that both the engine `wasm-simd` and short messages work with. Each is loaded when
 * it is first asked for, and once: two instances would take memory twice.
 */
import { AesModule } from './aes/aes.ts';
import type { Variant } from './generator/dsl/lookup.ts';
import { loadSha } from './hash/sha.ts';
import type { ShaModule } from './hash/sha.ts';
import type { LoadWasm } from './loader.ts';

/** Each function rejects with what the loader and WebAssembly throw, at every call. */
export interface SharedModules {
  /** The AES module, with keys in it. */
  aes(): Promise<AesModule>;
  /** The module of SHA-1 and SHA-2. */
  sha(): Promise<ShaModule>;
}

/**
 * @param loadWasm brings the modules that scripts/make-wasm.ts makes
 * @param variant for tests; the best that the platform takes if absent
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
