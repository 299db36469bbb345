import { checkOptions, type NamesOf } from '../crypto/errors.ts';
import { ENGINE_NAMES } from '../engine/contract.ts';
import { defaultRegistry, type DefaultRegistryOptions } from '../engine/default-engines.ts';
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
  /**
   * Lets 'auto' use a graphics card for messages so long that it is faster there, which is measured first.
   * Key and data are then in the card's memory for a while: docs/library.md says what that means.
   */
  readonly gpu?: boolean;
  /** Engines and what is known about them; a fresh one of all engines of this build if absent. */
  readonly registry?: Registry;
  /** For generateKey; the platform's generator if absent. */
  readonly random?: RandomSource;
}

const OPTIONS: NamesOf<SubtleOptions> = {
  engine: true,
  gpu: true,
  registry: true,
  random: true,
};

/**
 * SubtleCrypto over the engines of this library.
 *
 *     const subtle = await createSubtle({ engine: 'auto' });
 *     const key = await subtle.generateKey({ name: 'AES-OCB', length: 256 }, false, ['encrypt']);
 *     const iv = crypto.getRandomValues(new Uint8Array(15));
 *     const sealed = await subtle.encrypt({ name: 'AES-OCB', iv }, key, data);
 *
 * @throws TypeError if there is no engine of that name, and for unknown options. An engine that is not
 *   available here is no error: the methods reject with NotSupportedError and the reason.
 */
export async function createSubtle(options: SubtleOptions = {}): Promise<Subtle> {
  checkOptions('options', options, OPTIONS);
  const engine = toOneOf('engine', options.engine ?? 'auto', ['auto', ...ENGINE_NAMES]);
  const usesGpu = options.gpu === true && engine === 'auto';
  const { registry = libraryRegistry(usesGpu ? LOAD_CARDS : named(engine)) } = options;
  const { random = new SystemSource() } = options;
  await registry.ready();
  if (usesGpu && options.registry === undefined) await measureCard(registry);
  return new Subtle(new Runtime(registry, engine, random));
}

/**
 * Every engine that this library knows: whether it is available, its algorithms, its test result.
 *
 * @param options `gpu`: also those on a graphics card, which are off otherwise
 */
export async function engines(options: { readonly gpu?: boolean } = {}): Promise<EngineReport[]> {
  const registry = libraryRegistry(options.gpu === true ? LOAD_CARDS : 'off');
  const report = await registry.report();
  registry.close();
  return report;
}

function libraryRegistry(cards: DefaultRegistryOptions['cards']): Registry {
  return defaultRegistry({
    loadWasm: loadWasmAt(ENGINE_MODULES),
    ...(cards && { cards }),
    ...(cards === LOAD_CARDS && { optIn: ['webgpu', 'webgl'] }),
  });
}

/** Scripts of their own (webpack.config.js), loaded at the first call that asks for a card. */
const LOAD_CARDS = {
  webgpu: () => import('../engine/webgpu/webgpu.ts'),
  webgl: () => import('../engine/webgl/webgl.ts'),
} satisfies DefaultRegistryOptions['cards'];

/** The card that a caller names, and no other. */
function named(engine: EngineChoice): DefaultRegistryOptions['cards'] {
  return engine === 'webgpu' || engine === 'webgl' ? { [engine]: LOAD_CARDS[engine] } : 'off';
}

/** Lets 'auto' use the better interface to the card, from the length on from which it is faster. */
async function measureCard(registry: Registry): Promise<void> {
  const available = registry.available();
  const card = (['webgpu', 'webgl'] as const).find((name) => available.includes(name));
  if (card === undefined) return;
  const { breakEven } = await LOAD_CARDS[card]();
  registry.useThresholds(await breakEven(registry, card));
}
