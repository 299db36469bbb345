import { absentEngine } from './absent.ts';
import { jsEngine } from './js.ts';
import { nativeEngine } from './native.ts';
import { Registry } from './registry.ts';
import type { RegistryOptions } from './registry.ts';

export interface DefaultRegistryOptions extends RegistryOptions {
  /** The platform's Crypto, for tests and unusual places; `globalThis.crypto` if absent. */
  readonly crypto?: Crypto;
}

/** Every engine that this build has, and those it does not have yet with the reason. */
export function defaultRegistry(options: DefaultRegistryOptions = {}): Registry {
  const engines = [
    nativeEngine(options.crypto),
    absentEngine('wasm-simd'),
    absentEngine('wasm'),
    jsEngine(),
    absentEngine('webgl'),
    absentEngine('webgpu'),
  ];
  return new Registry(engines, options);
}
