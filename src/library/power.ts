/**
 * Modular exponentiation for `sealwright/bigint` and `sealwright/classical`. Their functions are synchronous, and
 * WebAssembly loads asynchronously. No module awaits it at its top level, because `require()`, service workers and
 * classic scripts of bundlers cannot have modules that do.
 */
import { checkOptions } from '../crypto/errors.ts';
import { laterPower } from '../engine/fastest-power.ts';
import { folderUrl, loadWasmAt, readWasmFiles, warnOfJs } from '../engine/wasm/library-loader.ts';
import { POWER_MODULES } from '../engine/wasm/module-scripts.ts';

/** Options of `ready`. */
export interface ReadyOptions {
  /** The URL of a copy of the package's folder dist/lib/wasm, where an app serves it itself. */
  readonly wasmBase?: string | URL | undefined;
}

/** One for the whole bundle. */
export const libraryPower = /* @__PURE__ */ laterPower(
  loadWasmAt(POWER_MODULES),
  (reason) => warnOfJs('modular exponentiation', reason),
  readWasmFiles,
);

/**
 * Loads the WebAssembly of modular exponentiation. Without this call Node reads it at the first use; elsewhere it begins
 * to load then, and portable arithmetic, which is several times slower, does the work until it is there. Both give the
 * same results, in a time that does not depend on secrets.
 *
 * @returns the engine in use: 'js' where the module does not load, which a warning on the console explains
 * @throws TypeError for unknown options and for a wasmBase that is no URL
 */
export async function ready(options: ReadyOptions = {}): Promise<'wasm-simd' | 'js'> {
  checkOptions('options', options, { wasmBase: true });
  const base = folderUrl(options.wasmBase);
  return libraryPower.ready(base && loadWasmAt(POWER_MODULES, base));
}
