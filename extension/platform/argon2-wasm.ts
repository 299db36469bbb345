/*
 * The Argon2id modules lie beside the background in the package. They are read by `fetch` from the
 * extension's own origin: nothing leaves the machine, and the CSP allows no other address.
 */

/** @returns the compiled module, instantiated with the library's imports */
export type WasmLoader = (
  imports: WebAssembly.Imports,
) => Promise<WebAssembly.WebAssemblyInstantiatedSource>;

/** Two loaders, as the `argon2id` library wants them: it tries SIMD and falls back by itself. */
export function packagedArgon2id(getUrl: (path: string) => string): {
  readonly simd: WasmLoader;
  readonly noSimd: WasmLoader;
} {
  return {
    simd: (imports) => instantiated(getUrl('argon2id-simd.wasm'), imports),
    noSimd: (imports) => instantiated(getUrl('argon2id-no-simd.wasm'), imports),
  };
}

/** From bytes, not streaming: file servers of some browsers send no `application/wasm`. */
async function instantiated(url: string, imports: WebAssembly.Imports) {
  const response = await fetch(url);
  return WebAssembly.instantiate(await response.arrayBuffer(), imports);
}
