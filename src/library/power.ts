/**
 * Modular exponentiation for `sealwright/bigint` and `sealwright/classical`. Their functions are
 * synchronous, so this module awaits its WebAssembly when it is imported. Chromium's service workers
 * do not support modules with top-level await; pages and other workers do.
 */
import type { OddPower } from '../crypto/bigint/odd-power.ts';
import { oddPower } from '../crypto/bigint/odd-power.ts';
import { fastestPower } from '../engine/fastest-power.ts';
import { loadWasmAt } from '../engine/wasm/load-url.ts';
import { POWER_MODULES } from '../subtle/engine-modules.ts';

/**
 * The power function of WebAssembly. If it does not load, because a bundler omitted it or a content
 * security policy forbids it, the portable one: the same results, several times slower.
 */
export const libraryPower: OddPower = await fastestPower(loadWasmAt(POWER_MODULES)).catch(
  () => oddPower,
);
