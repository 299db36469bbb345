import type { ModuleUrls } from '../engine/wasm/load-url.ts';

/**
 * The URLs of the library's WebAssembly modules: in wasm/ beside its scripts. Each URL is written
 * out, because bundlers (webpack, Vite, Rollup, Parcel) only find files in that form.
 *
 * A script without an address of its own (in a data: or blob: URL, or bundled into a classic
 * script) has no modules beside it: the URL throws, and the library runs on other engines.
 */

/** What `sealwright/bigint` and `sealwright/classical` load: powers modulo an odd number, nothing else. */
export const POWER_MODULES: ModuleUrls = {
  'montgomery.relaxed': () => new URL('./wasm/montgomery.relaxed.wasm', import.meta.url),
  'montgomery.simd': () => new URL('./wasm/montgomery.simd.wasm', import.meta.url),
};

/** All modules of the library. */
export const ENGINE_MODULES: ModuleUrls = {
  ...POWER_MODULES,
  'aes.relaxed': () => new URL('./wasm/aes.relaxed.wasm', import.meta.url),
  'aes.simd': () => new URL('./wasm/aes.simd.wasm', import.meta.url),
  'argon2id-simd': () => new URL('./wasm/argon2id-simd.wasm', import.meta.url),
  'arx.relaxed': () => new URL('./wasm/arx.relaxed.wasm', import.meta.url),
  'arx.simd': () => new URL('./wasm/arx.simd.wasm', import.meta.url),
  'blake.relaxed': () => new URL('./wasm/blake.relaxed.wasm', import.meta.url),
  'blake.simd': () => new URL('./wasm/blake.simd.wasm', import.meta.url),
  keccak: () => new URL('./wasm/keccak.wasm', import.meta.url),
  scrypt: () => new URL('./wasm/scrypt.wasm', import.meta.url),
  sha: () => new URL('./wasm/sha.wasm', import.meta.url),
};
