import { ENGINE_NAMES } from '../engine/contract.ts';
import { defaultRegistry } from '../engine/default-engines.ts';
import type { EngineChoice, EngineReport, Registry } from '../engine/registry.ts';
import { loadWasmAt } from '../engine/wasm/load-url.ts';
import type { RandomSource } from '../random/contract.ts';
import { SystemSource } from '../random/system-source.ts';
import { ENGINE_MODULES } from './engine-modules.ts';
import { Runtime } from './runtime.ts';
import { Subtle } from './subtle.ts';
import { toOneOf } from './webidl/web-idl.ts';

/** The engine, the registry and the generator of a `Subtle`. */
export interface SubtleOptions {
  /** 'auto' chooses by algorithm and size; with a name, no other engine is used. */
  readonly engine?: EngineChoice;
  /** Engines and what is known about them; a fresh one of all engines of this build if absent. */
  readonly registry?: Registry;
  /** For generateKey; the platform's generator if absent. */
  readonly random?: RandomSource;
}

/**
 * SubtleCrypto over the engines of this library.
 *
 *     const subtle = await createSubtle({ engine: 'auto' });
 *     const key = await subtle.generateKey({ name: 'AES-OCB', length: 256 }, false, ['encrypt']);
 *     const iv = crypto.getRandomValues(new Uint8Array(15));
 *     const sealed = await subtle.encrypt({ name: 'AES-OCB', iv }, key, data);
 *
 * @throws TypeError if there is no engine of that name. One that is not available here is no
 *   error: its methods reject with NotSupportedError and the reason.
 */
export async function createSubtle(options: SubtleOptions = {}): Promise<Subtle> {
  const { registry = libraryRegistry(), random = new SystemSource() } = options;
  const engine = toOneOf('engine', options.engine ?? 'auto', ['auto', ...ENGINE_NAMES]);
  await registry.ready();
  return new Subtle(new Runtime(registry, engine, random));
}

/** Every engine that this library knows: whether it is available, its algorithms, its test result. */
export function engines(): Promise<EngineReport[]> {
  return libraryRegistry().report();
}

function libraryRegistry(): Registry {
  return defaultRegistry({ loadWasm: loadWasmAt(ENGINE_MODULES) });
}
