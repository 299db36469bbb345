import type { Argon2idWasm } from '../../../src/engine/argon2id/argon2id.ts';

/**
 * The two builds of Argon2id that lie in the package. They are read by
 * `fetch` from the extension's own origin: nothing leaves the machine, and the CSP allows no other
 * address.
 */
export function packagedArgon2id(getUrl: (path: string) => string): Argon2idWasm {
  return {
    simd: (imports) => instantiated(getUrl('wasm/argon2id-simd.wasm'), imports),
    noSimd: (imports) => instantiated(getUrl('wasm/argon2id-no-simd.wasm'), imports),
  };
}

/** From bytes, not streaming: not every browser serves its packages as `application/wasm`. */
async function instantiated(url: string, imports: WebAssembly.Imports) {
  const response = await fetch(url);
  return WebAssembly.instantiate(await response.arrayBuffer(), imports);
}
