import type { ModuleScripts } from './library-loader.ts';

/**
 * The library's WebAssembly modules as scripts, which scripts/library.mjs makes of them. A script needs neither a rule of a
 * bundler for files, nor `fetch`, nor a line in `connect-src`, so that every toolchain has the modules where it has the
 * library. Each import is written out, because bundlers only find scripts in that form. There is one table a family, so that
 * they ship the scripts of the algorithms that are used.
 */

/** What `sealwright/bigint` and `sealwright/classical` load: powers modulo an odd number, nothing else. */
export const POWER_MODULES: ModuleScripts = {
  'montgomery.relaxed': () => import('wasm:montgomery.relaxed'),
  'montgomery.simd': () => import('wasm:montgomery.simd'),
};

/** AES and its modes. */
export const AES_MODULES: ModuleScripts = {
  'aes.relaxed': () => import('wasm:aes.relaxed'),
  'aes.simd': () => import('wasm:aes.simd'),
};

/** Argon2. */
export const ARGON2_MODULES: ModuleScripts = {
  argon2: () => import('wasm:argon2'),
};

/** ChaCha20, Salsa20 and Poly1305. */
export const ARX_MODULES: ModuleScripts = {
  'arx.relaxed': () => import('wasm:arx.relaxed'),
  'arx.simd': () => import('wasm:arx.simd'),
};

/** BLAKE2b and BLAKE3. */
export const BLAKE_MODULES: ModuleScripts = {
  'blake.relaxed': () => import('wasm:blake.relaxed'),
  'blake.simd': () => import('wasm:blake.simd'),
};

/** SHA-3. */
export const KECCAK_MODULES: ModuleScripts = {
  keccak: () => import('wasm:keccak'),
};

/** ML-DSA. */
export const ML_DSA_MODULES: ModuleScripts = {
  'ml-dsa': () => import('wasm:ml-dsa'),
};

/** ML-KEM. */
export const ML_KEM_MODULES: ModuleScripts = {
  'ml-kem': () => import('wasm:ml-kem'),
};

/** ROMix of scrypt, which needs SHA too. */
export const SCRYPT_MODULES: ModuleScripts = {
  scrypt: () => import('wasm:scrypt'),
};

/** SHA-1 and SHA-2. */
export const SHA_MODULES: ModuleScripts = {
  sha: () => import('wasm:sha'),
};

/** All modules of the engine. */
export const ENGINE_MODULES: ModuleScripts = /* @__PURE__ */ allModules();

function allModules(): ModuleScripts {
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
