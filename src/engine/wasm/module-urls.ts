import type { ModuleUrls } from './load-url.ts';

/**
 * The URLs of the library's WebAssembly modules: in wasm/ beside its scripts. Each URL is written
 * out, because bundlers (webpack, Vite, Rollup, Parcel) only find files in that form. There is one table a family, so
 * that bundlers ship the files of the algorithms that are used.
 *
 * A script without an address of its own (in a data: or blob: URL, or bundled into a classic
 * script) has no modules beside it: the URL throws, and the library runs on other engines.
 */

/** What `sealwright/bigint` and `sealwright/classical` load: powers modulo an odd number, nothing else. */
export const POWER_MODULES: ModuleUrls = {
  'montgomery.relaxed': () => new URL('./wasm/montgomery.relaxed.wasm', import.meta.url),
  'montgomery.simd': () => new URL('./wasm/montgomery.simd.wasm', import.meta.url),
};

/** AES and its modes. */
export const AES_MODULES: ModuleUrls = {
  'aes.relaxed': () => new URL('./wasm/aes.relaxed.wasm', import.meta.url),
  'aes.simd': () => new URL('./wasm/aes.simd.wasm', import.meta.url),
};

/** Argon2. */
export const ARGON2_MODULES: ModuleUrls = {
  argon2: () => new URL('./wasm/argon2.wasm', import.meta.url),
};

/** ChaCha20, Salsa20 and Poly1305. */
export const ARX_MODULES: ModuleUrls = {
  'arx.relaxed': () => new URL('./wasm/arx.relaxed.wasm', import.meta.url),
  'arx.simd': () => new URL('./wasm/arx.simd.wasm', import.meta.url),
};

/** BLAKE2b and BLAKE3. */
export const BLAKE_MODULES: ModuleUrls = {
  'blake.relaxed': () => new URL('./wasm/blake.relaxed.wasm', import.meta.url),
  'blake.simd': () => new URL('./wasm/blake.simd.wasm', import.meta.url),
};

/** SHA-3. */
export const KECCAK_MODULES: ModuleUrls = {
  keccak: () => new URL('./wasm/keccak.wasm', import.meta.url),
};

/** ML-DSA. */
export const ML_DSA_MODULES: ModuleUrls = {
  'ml-dsa': () => new URL('./wasm/ml-dsa.wasm', import.meta.url),
};

/** ML-KEM. */
export const ML_KEM_MODULES: ModuleUrls = {
  'ml-kem': () => new URL('./wasm/ml-kem.wasm', import.meta.url),
};

/** ROMix of scrypt, which needs SHA too. */
export const SCRYPT_MODULES: ModuleUrls = {
  scrypt: () => new URL('./wasm/scrypt.wasm', import.meta.url),
};

/** SHA-1 and SHA-2. */
export const SHA_MODULES: ModuleUrls = {
  sha: () => new URL('./wasm/sha.wasm', import.meta.url),
};

/** All modules of the engine. */
export const ENGINE_MODULES: ModuleUrls = /* @__PURE__ */ allModules();

function allModules(): ModuleUrls {
  return {
    ...POWER_MODULES,
    ...AES_MODULES,
    ...ARGON2_MODULES,
    ...ARX_MODULES,
    ...BLAKE_MODULES,
    ...KECCAK_MODULES,
    ...ML_DSA_MODULES,
    ...ML_KEM_MODULES,
    ...SCRYPT_MODULES,
    ...SHA_MODULES,
  };
}
