import type { ModuleScripts } from '../engine/wasm/library-loader.ts';

/** The modules of `blockCipher`. They have a file of their own, so that no other entry leads to them. */
export const CIPHER_MODULES: ModuleScripts = {
  idea: () => import('wasm:idea'),
  mars: () => import('wasm:mars'),
  rc6: () => import('wasm:rc6'),
  sc2000: () => import('wasm:sc2000'),
  serpent: () => import('wasm:serpent'),
  twofish: () => import('wasm:twofish'),
};
