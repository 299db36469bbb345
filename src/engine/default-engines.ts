import { jsEngine } from './js/js.ts';
import { nativeEngine } from './native/native.ts';
import { Registry, type RegistryOptions } from './registry.ts';
import type { LoadWasm } from './wasm/loader.ts';
import type { SharedModules } from './wasm/shared-modules.ts';
import { wasmSimdEngine } from './wasm/wasm-simd.ts';
import type { AeadParams, AlgorithmName, Cipher, Engine, EngineName, Probe } from './contract.ts';
import type { WebGpuOptions } from './webgpu/webgpu.ts';

/** Options of this build's registry. */
export interface DefaultRegistryOptions extends RegistryOptions {
  /** The platform's Crypto, for tests and other environments; default `globalThis.crypto`. */
  readonly crypto?: Crypto;
  /** Loads the modules of the engine `wasm-simd`, which is absent without it. */
  readonly loadWasm?: LoadWasm;
  /** Algorithms that the engine `js` leaves to faster ones: where those are missing, none does it. */
  readonly compiledOnly?: readonly AlgorithmName[];
  /** Loads the engine `webgpu`, which is absent without it. 'off' is for reports: a caller may ask for it. */
  readonly webGpu?: LoadWebGpu | 'off';
  /** Modules that are shared with other code. With `loadWasm` alone, the engine loads its own. */
  readonly modules?: SharedModules;
}

/** The engine `webgpu` in a script of its own. */
export type LoadWebGpu = () => Promise<{
  readonly webGpuEngine: (options: WebGpuOptions) => Engine;
}>;

/** A registry of all engines of this build. The absent ones have their reason. */
export function defaultRegistry(options: DefaultRegistryOptions = {}): Registry {
  const engines: Engine[] = [
    nativeEngine(options.crypto),
    wasmOrAbsent(options),
    absentEngine('wasm'),
    jsEngine(options.compiledOnly),
    absentEngine('webgl'),
    webGpuOrAbsent(options.webGpu, (keyBytes, params) => gcmBeside(registry, keyBytes, params)),
  ];
  const registry = new Registry(engines, options);
  return registry;
}

/** Loads the engine when it is probed, and only where there is WebGPU at all. */
function webGpuOrAbsent(
  load: DefaultRegistryOptions['webGpu'],
  beside: WebGpuOptions['beside'],
): Engine {
  if (load === undefined) return absentEngine('webgpu');
  if (load === 'off') {
    return absentEngine('webgpu', 'off: { gpu: true } or its name switches it on');
  }
  let engine: Engine | undefined;
  return {
    name: 'webgpu',
    probe: async (): Promise<Probe> => {
      const { gpu } = navigatorHere();
      if (gpu === undefined) {
        return { available: false, reason: 'no WebGPU here (navigator.gpu is missing)' };
      }
      engine = (await load()).webGpuEngine({ gpu, beside });
      return engine.probe();
    },
    fault: () => engine?.fault?.(),
    close: () => engine?.close(),
  };
}

/** Node has a navigator since version 21, old browsers have one without `gpu`. */
function navigatorHere(): { readonly gpu?: GPU } {
  return (globalThis as { navigator?: { readonly gpu?: GPU } }).navigator ?? {};
}

/** AES-GCM of the first safe engine that takes such a message, for the hash beside a card. */
async function gcmBeside(
  registry: Registry,
  keyBytes: number,
  params?: AeadParams,
): Promise<Cipher<AeadParams> | string> {
  const reasons: string[] = [];
  for (const name of ['native', 'wasm-simd'] as const) {
    const cipher = registry.algorithmsOf(name)['AES-GCM'];
    const reason = cipher
      ? ((await cipher.gap?.(keyBytes, params)) ?? (await registry.test(name, 'AES-GCM')))
      : 'has no AES-GCM';
    if (cipher && reason === undefined) return cipher;
    reasons.push(`${name} beside it: ${reason}`);
  }
  return reasons.join('; ');
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
