import { jsEngine } from './js/js.ts';
import { nativeEngine } from './native/native.ts';
import { Registry, type RegistryOptions } from './registry.ts';
import type { LoadWasm } from './wasm/loader.ts';
import type { SharedModules } from './wasm/shared-modules.ts';
import { wasmSimdEngine } from './wasm/wasm-simd.ts';
import type {
  AeadParams,
  AlgorithmName,
  CardOptions,
  Cipher,
  Engine,
  EngineName,
  GcmBeside,
  Probe,
} from './contract.ts';

/** Options of this build's registry. */
export interface DefaultRegistryOptions extends RegistryOptions {
  /** The platform's Crypto, for tests and other environments; default `globalThis.crypto`. */
  readonly crypto?: Crypto;
  /** Loads the modules of the engine `wasm-simd`, which is absent without it. */
  readonly loadWasm?: LoadWasm;
  /** Algorithms that the engine `js` leaves to faster ones: where those are missing, none does it. */
  readonly compiledOnly?: readonly AlgorithmName[];
  /** Loads engines on a graphics card; absent without it. 'off' is for reports: a caller may ask for them. */
  readonly cards?: { readonly [E in 'webgpu' | 'webgl']?: LoadCard } | 'off';
  /** Loads the engine `wasm-threads`; absent without it. 'off' is for reports: a caller may ask for it. */
  readonly threads?: LoadThreads | 'off';
  /** Modules that are shared with other code. With `loadWasm` alone, the engine loads its own. */
  readonly modules?: SharedModules;
}

/** An engine on a graphics card, in a script of its own. */
export type LoadCard = () => Promise<{ readonly cardEngine: (options: CardOptions) => Engine }>;

/** The engine `wasm-threads`, in a script of its own, over the modules of `wasm-simd`. */
export type LoadThreads = (loadWasm: LoadWasm) => Promise<Engine>;

/** A registry of all engines of this build. The absent ones have their reason. */
export function defaultRegistry(options: DefaultRegistryOptions = {}): Registry {
  const beside: GcmBeside = (keyBytes, params) => gcmBeside(registry, keyBytes, params);
  const engines: Engine[] = [
    nativeEngine(options.crypto),
    threadsOrAbsent(options),
    wasmOrAbsent(options),
    jsEngine(options.compiledOnly),
    cardOrAbsent('webgl', options.cards, beside),
    cardOrAbsent('webgpu', options.cards, beside),
  ];
  const registry = new Registry(engines, options);
  return registry;
}

/** Loads the engine when it is probed. */
function threadsOrAbsent({ threads, loadWasm }: DefaultRegistryOptions): Engine {
  const name = 'wasm-threads';
  if (threads === 'off') {
    return absentEngine(name, 'off: the option threads or its name switches it on');
  }
  if (threads === undefined || loadWasm === undefined) return absentEngine(name);
  let engine: Engine | undefined;
  return {
    name,
    probe: async (): Promise<Probe> => {
      engine = await threads(loadWasm);
      return engine.probe();
    },
    fault: () => engine?.fault?.(),
    close: () => engine?.close(),
  };
}

type Cards = DefaultRegistryOptions['cards'];
type CardName = keyof Exclude<Cards, 'off' | undefined>;

/** What a runtime must have before an engine is worth loading. */
const MISSING: Readonly<Record<CardName, () => string | undefined>> = {
  // Node has a navigator since version 21, and old browsers have one without `gpu`.
  webgpu: () => {
    const { navigator } = globalThis as { navigator?: { readonly gpu?: GPU } };
    return navigator?.gpu ? undefined : 'no WebGPU here (navigator.gpu is missing)';
  },
  webgl: () =>
    'OffscreenCanvas' in globalThis ? undefined : 'no WebGL here (OffscreenCanvas is missing)',
};

/** Loads the engine when it is probed, and only where there is such an interface at all. */
function cardOrAbsent(name: CardName, cards: Cards, beside: GcmBeside): Engine {
  if (cards === 'off') return absentEngine(name, 'off: { gpu: true } or its name switches it on');
  const load = cards?.[name];
  if (load === undefined) return absentEngine(name);
  let engine: Engine | undefined;
  return {
    name,
    probe: async (): Promise<Probe> => {
      const reason = MISSING[name]();
      if (reason !== undefined) return { available: false, reason };
      engine = (await load()).cardEngine({ beside });
      return engine.probe();
    },
    fault: () => engine?.fault?.(),
    close: () => engine?.close(),
  };
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
