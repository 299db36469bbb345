/**
 * Modular exponentiation for `sealwright/bigint` and `sealwright/classical`. These are synchronous,
 * so the module of WebAssembly is awaited while they are imported. (Chromium's service workers
 * refuse modules that await; a worker or a page imports them.)
 *
 * Where the module does not load, because a bundler left it behind or a content security policy
 * forbids it, the portable arithmetic answers: the same results, several times slower.
 */
import type { OddPower } from '../crypto/bigint/odd-power.ts';
import { oddPower } from '../crypto/bigint/odd-power.ts';
import { fastestPower } from '../engine/fastest-power.ts';
import { loadWasmAt } from '../engine/wasm/load-url.ts';
import { POWER_MODULES } from '../subtle/engine-modules.ts';

export const libraryPower: OddPower = await fastestPower(loadWasmAt(POWER_MODULES)).catch(
  () => oddPower,
);
