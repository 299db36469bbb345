import type { Argon2idWasm } from '../../../src/engine/argon2id/argon2id.ts';

/**
 * The two builds of Argon2id in the package. They are fetched from the extension's own origin; the CSP
 * allows no other.
 */
export function packagedArgon2id(getUrl: (path: string) => string): Argon2idWasm {
  return {
    simd: (imports) => instantiated(getUrl('wasm/argon2id-simd.wasm'), imports),
    noSimd: (imports) => instantiated(getUrl('wasm/argon2id-no-simd.wasm'), imports),
  };
}

/** Not by streaming: not every browser serves packaged files as `application/wasm`. */
async function instantiated(url: string, imports: WebAssembly.Imports) {
  const response = await fetch(url);
  return WebAssembly.instantiate(await response.arrayBuffer(), imports);
}
