import { jsEngine } from './js/js.ts';
import { nativeEngine } from './native/native.ts';
import { Registry, type RegistryOptions } from './registry.ts';
import type { LoadWasm } from './wasm/loader.ts';
import type { SharedModules } from './wasm/shared-modules.ts';
import { wasmSimdEngine } from './wasm/wasm-simd.ts';
import type { AlgorithmName, Engine, EngineName } from './contract.ts';

/** Options of this build's registry. */
export interface DefaultRegistryOptions extends RegistryOptions {
  /** The platform's Crypto, for tests and other environments; default `globalThis.crypto`. */
  readonly crypto?: Crypto;
  /** Loads the modules of the engine `wasm-simd`, which is absent without it. */
  readonly loadWasm?: LoadWasm;
  /** Algorithms that the engine `js` leaves to faster ones: where those are missing, none does it. */
  readonly compiledOnly?: readonly AlgorithmName[];
  /** Modules that are shared with other code. With `loadWasm` alone, the engine loads its own. */
  readonly modules?: SharedModules;
}

/** A registry of all engines of this build. The absent ones have their reason. */
export function defaultRegistry(options: DefaultRegistryOptions = {}): Registry {
  const engines = [
    nativeEngine(options.crypto),
    wasmOrAbsent(options),
    absentEngine('wasm'),
    jsEngine(options.compiledOnly),
    absentEngine('webgl'),
    absentEngine('webgpu'),
  ];
  return new Registry(engines, options);
}

function wasmOrAbsent({ loadWasm, modules }: DefaultRegistryOptions): Engine {
  return loadWasm ? wasmSimdEngine(loadWasm, { modules }) : absentEngine('wasm-simd');
}

/** An engine that this build does not have. Reports show it with the reason. */
export function absentEngine(name: EngineName, reason = 'not part of this build'): Engine {
  return {
    name,
    probe: () => ({ available: false, reason }),
    close: () => undefined,
  };
}
