import {
  ENGINE_NAMES,
  type AlgorithmName,
  type ConstantTime,
  type EngineName,
} from './contract.ts';

/**
 * Selects one of several engines for a message. Pure functions: the registry passes the engines that can do
 * the work; the self-test may pass thresholds measured on this machine.
 */

/**
 * The length in bytes from which on an engine is faster than those after it. Below it, the next one may do
 * the work. Default: 0; for threads a MiB; for GPU engines infinity, until this machine was measured.
 */
export type Thresholds = {
  readonly [A in AlgorithmName]?: { readonly [E in EngineName]?: number };
};

/**
 * A call to WebCrypto costs 4 … 8 µs in Chromium before the first byte, more in Node. In that
 * time JavaScript digests 1 … 2 KiB (SHA-1, SHA-256: about 250 MB/s at 1 … 4 KiB) or half of that
 * (SHA-384, SHA-512: about 110 MB/s), and wasm-simd seals 1 KiB with GCM or encrypts 2 KiB with CTR. HMAC
 * uses the platform at every size, because js would replace it if wasm-simd is missing; for AES js never does
 * (`prefer`).
 *
 * Two threads are no faster than one at 1 MiB where a byte costs so little that copies and new memory count: ChaCha20
 * and BLAKE3 (`npm run bench -- threads`).
 */
export const DEFAULT_THRESHOLDS: Thresholds = {
  'AES-GCM': { native: 1024 },
  'AES-CTR': { native: 2048 },
  'SHA-1': { native: 2048 },
  'SHA-256': { native: 2048 },
  'SHA-384': { native: 1024 },
  'SHA-512': { native: 1024 },
  'ChaCha20-Poly1305': { 'wasm-threads': 0x100_0000 },
  'XChaCha20-Poly1305': { 'wasm-threads': 0x100_0000 },
  BLAKE3: { 'wasm-threads': 0x100_0000 },
  // Of memory; each slice of a pass is a message to every thread and back.
  Argon2d: { 'wasm-threads': 0x100_0000 },
  Argon2i: { 'wasm-threads': 0x100_0000 },
  Argon2id: { 'wasm-threads': 0x100_0000 },
};

const GPU_ENGINES: ReadonlySet<EngineName> = new Set(['webgl', 'webgpu']);

/** Thresholds of all algorithms of an engine; 0 for the others. */
const ENGINE_THRESHOLDS: { readonly [E in EngineName]?: number } = {
  // A slice costs two copies and two messages between threads.
  'wasm-threads': 0x10_0000,
  webgl: Infinity,
  webgpu: Infinity,
};

/** An engine, and the claim of its implementation about its timing. */
interface Claim {
  readonly engine: EngineName;
  readonly constantTime: ConstantTime;
}

/** A measurement of the self-test. */
interface Speed extends Claim {
  readonly algorithm: AlgorithmName;
  readonly bytes: number;
  readonly bytesPerSecond: number;
}

/** The threshold of an engine that is slower at every measured size; JSON has no Infinity. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Thresholds as measured on this machine: the threshold of an engine is the smallest measured size from which
 * on it is at least as fast as every engine after it that may replace it.
 */
export function measuredThresholds(speeds: readonly Speed[]): Thresholds {
  const algorithms = new Set(speeds.map(({ algorithm }) => algorithm));
  return Object.fromEntries(
    [...algorithms].map((algorithm) => {
      const own = speeds.filter((speed) => speed.algorithm === algorithm);
      const engines = new Set(own.map(({ engine }) => engine));
      return [
        algorithm,
        Object.fromEntries([...engines].map((engine) => [engine, crossover(engine, own)])),
      ];
    }),
  );
}

/** @param speeds of one algorithm */
function crossover(engine: EngineName, speeds: readonly Speed[]): number {
  const rank = rankOf(engine);
  const isSlowerAt = (bytes: number) => {
    const at = speeds.filter((speed) => speed.bytes === bytes);
    const own = at.find((speed) => speed.engine === engine);
    const rivals = at.filter((one) => rankOf(one.engine) > rank && (!own || mayReplace(one, own)));
    return rivals.some(({ bytesPerSecond }) => bytesPerSecond > (own?.bytesPerSecond ?? 0));
  };
  const sizes = [...new Set(speeds.map(({ bytes }) => bytes))].sort((a, b) => a - b);
  const lastSlow = sizes.findLastIndex(isSlowerAt);
  return lastSlow < 0 ? 0 : (sizes[lastSlow + 1] ?? NEVER);
}

/** The position in the order of preference. GPU engines, if opted in, come first. */
function rankOf(engine: EngineName): number {
  return GPU_ENGINES.has(engine) ? -1 : ENGINE_NAMES.indexOf(engine);
}

/** An engine that could do the work. */
export type Candidate = Claim;

/**
 * @param candidates engines that can do the work, best first; at least one
 * @param bytes length of the message
 * @returns the first engine whose threshold the message reaches, or which no later one may replace. An engine
 * that leaks through its timing never replaces one that does not, except a GPU engine, which nothing but its
 * speed speaks for.
 */
export function prefer<C extends Candidate>(
  candidates: readonly [C, ...C[]],
  algorithm: AlgorithmName,
  bytes: number,
  thresholds: Thresholds,
): C {
  const [first, ...rest] = candidates;
  const [next, ...others] = rest.filter((candidate) => mayReplace(candidate, first));
  if (next === undefined || bytes >= thresholdOf(first.engine, algorithm, thresholds)) return first;
  return prefer([next, ...others], algorithm, bytes, thresholds);
}

/** Engines whose work leaves the calling thread. */
const ON_OTHER_THREADS: ReadonlySet<EngineName> = new Set([
  'native',
  'wasm-threads',
  'webgl',
  'webgpu',
]);

/**
 * Selects for work that is too short to leave the thread: WebAssembly before the platform, and JavaScript
 * last.
 *
 * @param candidates engines that can do the work, best first
 * @returns undefined if all of them leak through their timing
 */
export function preferThread<C extends Candidate>(candidates: readonly C[]): C | undefined {
  const safe = candidates.filter(({ constantTime }) => constantTime !== 'no');
  const compiled = safe.filter(({ engine }) => engine !== 'js' && !ON_OTHER_THREADS.has(engine));
  return compiled[0] ?? safe[0];
}

/**
 * Asserts that the message is below the threshold of every engine before the chosen one. Detects an error of
 * the selection, or of thresholds that a caller passed.
 *
 * @throws Error that names both engines
 */
export function assertMeant(
  chosen: Candidate,
  candidates: readonly Candidate[],
  algorithm: AlgorithmName,
  bytes: number,
  thresholds: Thresholds,
): void {
  const ahead = candidates.slice(0, candidates.indexOf(chosen));
  for (const candidate of ahead.filter((each) => mayReplace(each, chosen))) {
    const { engine, constantTime } = candidate;
    if (bytes >= thresholdOf(engine, algorithm, thresholds)) {
      throw new Error(`${chosen.engine} runs ${algorithm} of ${bytes} bytes in place of ${engine}`);
    }
    if (chosen.constantTime === 'no' && constantTime !== 'no' && !GPU_ENGINES.has(engine)) {
      throw new Error(`${chosen.engine} leaks where ${engine} would not, at ${algorithm}`);
    }
  }
}

function mayReplace(candidate: Claim, first: Claim): boolean {
  return (
    candidate.constantTime !== 'no' || first.constantTime === 'no' || GPU_ENGINES.has(first.engine)
  );
}

function thresholdOf(engine: EngineName, algorithm: AlgorithmName, thresholds: Thresholds): number {
  return thresholds[algorithm]?.[engine] ?? ENGINE_THRESHOLDS[engine] ?? 0;
}

/** One threshold, in the form in which thresholds are sent and stored. */
export interface ThresholdRow {
  readonly algorithm: string;
  readonly engine: string;
  /** The engine is used for messages of at least this many bytes. */
  readonly fromBytes: number;
}

/** The thresholds as a list, to be sent and stored. */
export function toRows(thresholds: Thresholds): ThresholdRow[] {
  return Object.entries(thresholds).flatMap(([algorithm, engines]) =>
    Object.entries(engines).map(([engine, fromBytes]) => ({ algorithm, engine, fromBytes })),
  );
}

/**
 * The shipped thresholds with those of the rows, algorithm by algorithm. Ignores unknown engines; unknown
 * algorithms have no effect.
 */
export function fromRows(rows: readonly ThresholdRow[]): Thresholds {
  const measured: Record<string, Partial<Record<EngineName, number>>> = {};
  for (const { algorithm, engine, fromBytes } of rows) {
    const name = ENGINE_NAMES.find((known) => known === engine);
    if (name !== undefined) measured[algorithm] = { ...measured[algorithm], [name]: fromBytes };
  }
  return { ...DEFAULT_THRESHOLDS, ...measured };
}
