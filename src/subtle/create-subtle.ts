import { checkInteger, checkOptions, type NamesOf } from '../crypto/errors.ts';
import { ENGINE_NAMES, type EngineName } from '../engine/contract.ts';
import {
  defaultRegistry,
  type DefaultRegistryOptions,
  type LoadThreads,
} from '../engine/default-engines.ts';
import type { EngineChoice, EngineReport, Registry } from '../engine/registry.ts';
import { folderUrl, loadWasmAt, warnOfJs } from '../engine/wasm/library-loader.ts';
import type { ModuleScripts } from '../engine/wasm/library-loader.ts';
import { ENGINE_MODULES } from '../engine/wasm/module-scripts.ts';
import type { RandomSource } from '../random/contract.ts';
import { SystemSource } from '../random/system-source.ts';
import { Runtime } from './runtime.ts';
import { Subtle } from './subtle.ts';
import { toOneOf, toSequenceOf } from './webidl/web-idl.ts';

/** The engine, the registry and the generator of a `Subtle`. */
export interface SubtleOptions {
  /** 'auto' chooses by algorithm and size; with a name, no other engine is used. */
  readonly engine?: EngineChoice | undefined;
  /**
   * In place of `engine`: the engines that 'auto' may use, the preferred one first. Between two of them, the length
   * from which on the first is faster still counts.
   */
  readonly engines?: readonly EngineName[] | undefined;
  /**
   * Uses no implementation whose timing depends on secrets: where only such ones are available, the methods reject
   * with NotSupportedError and the reason.
   */
  readonly constantTime?: boolean | undefined;
  /** The URL of a copy of the package's folder dist/lib/wasm, where an app serves it itself. */
  readonly wasmBase?: string | URL | undefined;
  /**
   * Lets 'auto' use a graphics card for messages so long that it is faster there, which is measured first.
   * Key and data are then in the card's memory for a while: docs/library.md says what that means.
   */
  readonly gpu?: boolean | undefined;
  /**
   * Lets 'auto' use the engine wasm-threads for messages of a MiB and more that the platform does not process itself:
   * so many threads, or with `true` one for each processor, 2 to 8, the calling one among them.
   */
  readonly threads?: boolean | number | undefined;
  /** Engines and what is known about them; a fresh one of all engines of this build if absent. */
  readonly registry?: Registry | undefined;
  /** For generateKey; the platform's generator if absent. */
  readonly random?: RandomSource | undefined;
}

const OPTIONS: NamesOf<SubtleOptions> = {
  engine: true,
  engines: true,
  constantTime: true,
  wasmBase: true,
  gpu: true,
  threads: true,
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
  const order = toOrder(options.engines);
  refuseBoth(options, 'engines', ['engine', 'gpu', 'registry']);
  refuseBoth(options, 'registry', ['constantTime', 'wasmBase', 'threads']);
  checkThreads(options.threads);
  const used = order ?? (options.gpu === true && engine === 'auto' ? CARDS : [engine]);
  const usesGpu = engine === 'auto' && used.some((name) => CARDS.includes(name as Card));
  const { random = new SystemSource() } = options;
  const { registry = libraryRegistry(used, options, order) } = options;
  await registry.ready();
  if (usesGpu && options.registry === undefined) await measureCard(registry);
  return new Subtle(new Runtime(registry, engine, random));
}

function toOrder(engines: unknown): EngineName[] | undefined {
  if (engines === undefined) return undefined;
  const order = toSequenceOf('engines', engines, ENGINE_NAMES);
  if (order.length === 0) throw new TypeError('engines must name at least one engine');
  return order;
}

/** @throws TypeError if an option is given together with one that it replaces */
function refuseBoth(
  options: SubtleOptions,
  name: keyof SubtleOptions,
  others: readonly (keyof SubtleOptions)[],
): void {
  if (options[name] === undefined) return;
  const other = others.find((each) => options[each] !== undefined);
  if (other) throw new TypeError(`${name} and ${other} cannot be given together`);
}

/** @throws TypeError, RangeError */
function checkThreads(threads: unknown): void {
  if (threads === undefined || typeof threads === 'boolean') return;
  checkInteger('threads', threads, 2, MAX_THREADS);
}

/**
 * Every engine that this library knows: whether it is available, its algorithms, its test result.
 *
 * @param options `gpu` and `threads`: also the engines that are off otherwise; `wasmBase` as for `createSubtle`
 */
export async function engines(
  options: Pick<SubtleOptions, 'gpu' | 'threads' | 'wasmBase'> = {},
): Promise<EngineReport[]> {
  checkOptions('options', options, { gpu: true, threads: true, wasmBase: true });
  checkThreads(options.threads);
  const registry = libraryRegistry(options.gpu === true ? CARDS : [], options);
  const report = await registry.report();
  registry.close();
  return report;
}

/** @param threads the option of that name */
function usesThreads(used: readonly EngineChoice[], threads: boolean | number = false): boolean {
  return used.includes('wasm-threads') || threads !== false;
}

/** Argon2's lanes in several threads; not among those of the engine, which scripts without threads list too. */
export const SHARED_ARGON2_MODULES: ModuleScripts = {
  'argon2.shared': () => import('wasm:argon2.shared'),
};

/** @param used names of engines: those on a graphics card among them are loaded */
function libraryRegistry(
  used: readonly EngineChoice[],
  { wasmBase, constantTime, threads }: SubtleOptions,
  order?: readonly EngineName[],
): Registry {
  const cards = CARDS.filter((name) => used.includes(name));
  return defaultRegistry({
    loadWasm: loadWasmAt({ ...ENGINE_MODULES, ...SHARED_ARGON2_MODULES }, folderUrl(wasmBase)),
    threads: usesThreads(used, threads) ? LOAD_THREADS(threads) : 'off',
    cards: cards.length > 0 ? Object.fromEntries(cards.map((name) => [name, LOAD[name]])) : 'off',
    optIn: [...cards, ...(usesThreads([], threads) ? (['wasm-threads'] as const) : [])],
    order,
    constantTime,
    onJs: warnOfJs,
  });
}

type Card = 'webgpu' | 'webgl';

/** The better one first. */
const CARDS: readonly Card[] = ['webgpu', 'webgl'];

/** Scripts of their own (scripts/library.mjs), loaded at the first call that asks for a card. */
const LOAD = {
  webgpu: () => import('../engine/webgpu/webgpu.ts'),
  webgl: () => import('../engine/webgl/webgl.ts'),
} satisfies DefaultRegistryOptions['cards'];

/** The most that a caller may ask for. */
const MAX_THREADS = 16;

/** A script of its own, as those for cards. */
const LOAD_THREADS =
  (threads?: boolean | number): LoadThreads =>
  async (loadWasm) => {
    const { threadsEngine } = await import('../engine/threads/threads.ts');
    return threadsEngine(loadWasm, typeof threads === 'number' ? { threads } : {});
  };

/** Lets 'auto' use the better interface to the card, from the length on from which it is faster. */
async function measureCard(registry: Registry): Promise<void> {
  const available = registry.available();
  const card = CARDS.find((name) => available.includes(name));
  if (card === undefined) return;
  const { breakEven } = await LOAD[card]();
  registry.useThresholds(await breakEven(registry, card));
}
