import type { ModuleUrls } from '../engine/wasm/load-url.ts';

/**
 * The modules of `blockCipher`, in wasm/ beside the library's scripts; see src/engine/wasm/module-urls.ts. They have a
 * file of their own, so that bundlers find them in no other entry.
 */
export const CIPHER_MODULES: ModuleUrls = {
  idea: () => new URL('./wasm/idea.wasm', import.meta.url),
  mars: () => new URL('./wasm/mars.wasm', import.meta.url),
  rc6: () => new URL('./wasm/rc6.wasm', import.meta.url),
  sc2000: () => new URL('./wasm/sc2000.wasm', import.meta.url),
  serpent: () => new URL('./wasm/serpent.wasm', import.meta.url),
  twofish: () => new URL('./wasm/twofish.wasm', import.meta.url),
};
