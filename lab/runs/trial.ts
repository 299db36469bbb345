/** What a work measures: trials, in each of which several calls take turns. */
import type { Algorithms, Awaitable, EngineName } from '../../src/engine/contract.ts';
import type { Registry } from '../../src/engine/registry.ts';
import type { LoadWasm } from '../../src/engine/wasm/loader.ts';
import type { CardFacts, LabEngine, LabMode, Sample } from '../result.ts';

/** One engine at one task. */
export interface Call extends Pick<Sample, 'task' | 'engine' | 'amount'> {
  /** Keys and arrays are there already. */
  readonly run: () => unknown;
  /** The bytes to compare; default: the result is one array. */
  readonly answer?: (result: never) => Awaitable<Uint8Array>;
}

/** Calls that are timed side by side, after those of each task have given the same answer. */
export interface Trial {
  readonly size: number;
  readonly calls: readonly Call[];
  /** The answer of something that is not timed, by task. */
  readonly witnesses?: Readonly<
    Record<string, { readonly name: string; readonly answer: Uint8Array }>
  >;
}

/** What a trial needs. It has no key but those written in this folder, and no input. */
export interface Surroundings {
  readonly registry: Registry;
  readonly loadWasm: LoadWasm;
}

/** Prepares a trial when it is its turn. */
export type MakeTrial = (surroundings: Surroundings) => Promise<Trial>;

/** The measurements of a work. */
export interface Plan {
  readonly trials: (mode: LabMode) => readonly MakeTrial[];
  /** Whether the engines on a graphics card take part, and what the browser tells of the cards. */
  readonly cards?: () => Promise<readonly CardFacts[]>;
}

/** The engines of our own code; the browser's is no question of these works. */
export const OURS = ['js', 'wasm-simd'] as const satisfies readonly EngineName[];

/** The engines among these that can do a task, as calls. */
export async function callsOf(
  { registry }: Surroundings,
  engines: readonly EngineName[],
  { task, amount }: Pick<Call, 'task' | 'amount'>,
  prepare: (
    algorithms: Algorithms,
  ) => Awaitable<Omit<Call, 'task' | 'engine' | 'amount'> | undefined>,
): Promise<Call[]> {
  const calls: Call[] = [];
  for (const engine of engines) {
    const call = await prepare(registry.algorithmsOf(engine));
    if (call) calls.push({ task, engine: engine satisfies LabEngine, amount, ...call });
  }
  return calls;
}

/** Bytes that look like a message, the same at every run. */
export function pattern(lengthBytes: number, seed: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    { length: lengthBytes },
    (_, i) => (i * 167 + seed * 29 + (i >> 8)) & 0xff,
  );
}
