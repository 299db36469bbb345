/**
 * Modular exponentiation for `sealwright/bigint` and `sealwright/classical`. These are synchronous,
 * so the module of WebAssembly is awaited while they are imported.
 *
 * The modules lie in wasm/ beside the library. Where a bundler or a content security policy keeps
 * them away, the portable arithmetic answers: the same results, several times slower.
 */
import type { OddPower } from '../crypto/bigint/odd-power.ts';
import { oddPower } from '../crypto/bigint/odd-power.ts';
import { fastestPower } from '../engine/fastest-power.ts';
import { loadWasmBeside } from '../engine/wasm/load-beside.ts';

const FOLDER = import.meta.url.replace(/[^/]*$/, 'wasm/');

export const libraryPower: OddPower = await fastestPower(loadWasmBeside(FOLDER)).catch(
  () => oddPower,
);
