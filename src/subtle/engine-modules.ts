/**
 * Where the library's modules of WebAssembly lie: in wasm/ beside its scripts. Each address is
 * written out, because that is the form in which bundlers (webpack, Vite, Rollup, Parcel) find a
 * file and carry it along.
 *
 * A script without an address of its own (in a data: or blob: URL, or bundled into a classic
 * script) has no modules beside it: the URL throws, and the library runs on other engines.
 */
import type { ModuleUrls } from '../engine/wasm/load-url.ts';
import { POWER_MODULES } from './power-modules.ts';

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
