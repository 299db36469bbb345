import type { ModuleUrls } from '../engine/wasm/load-url.ts';

/** What `sealwright/bigint` and `sealwright/classical` load; see engine-modules.ts. */
export const POWER_MODULES: ModuleUrls = {
  'montgomery.relaxed': () => new URL('./wasm/montgomery.relaxed.wasm', import.meta.url),
  'montgomery.simd': () => new URL('./wasm/montgomery.simd.wasm', import.meta.url),
};
