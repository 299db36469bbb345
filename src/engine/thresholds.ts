/**
 * Which of several engines a message goes to. Pure: the registry says who is there, the self-test
 * may say what was measured on this machine.
 */
import type { AlgorithmName, ConstantTime, EngineName } from './contract.ts';

/**
 * From how many bytes on an engine overtakes those that come after it. Below, the next one may
 * stand in. Absent: from the first byte; for GPU engines, never, until this machine was measured.
 */
export type Thresholds = {
  readonly [A in AlgorithmName]?: { readonly [E in EngineName]?: number };
};

/**
 * A call into WebCrypto has a price before the first byte (performance.md, section 8). Measured by
 * src/engine/self-test.ts in Node 20.20, November 2026: below these sizes floor 0 had the result
 * sooner. AES is not here: floor 0's AES is not constant-time and does not stand in for native's.
 */
export const DEFAULT_THRESHOLDS: Thresholds = {
  'SHA-1': { native: 1024 },
  'SHA-256': { native: 1024 },
  'SHA-384': { native: 512 },
  'SHA-512': { native: 512 },
};

const GPU_ENGINES: ReadonlySet<EngineName> = new Set(['webgl', 'webgpu']);

export interface Candidate {
  readonly engine: EngineName;
  readonly constantTime: ConstantTime;
}

/**
 * @param candidates engines that could do it, best first; at least one
 * @param bytes length of the message
 * @returns the first whose threshold the message reaches, or which no later one may replace. An
 *   engine that leaks through its timing never replaces one that does not.
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

/**
 * The slow path asserts that it was meant to run: every engine ahead of the chosen one has to be
 * under its threshold. Catches a fault in the choice, or in thresholds put in by a caller.
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
    if (chosen.constantTime === 'no' && constantTime !== 'no') {
      throw new Error(`${chosen.engine} leaks where ${engine} would not, at ${algorithm}`);
    }
  }
}

function mayReplace(candidate: Candidate, first: Candidate): boolean {
  return candidate.constantTime !== 'no' || first.constantTime === 'no';
}

function thresholdOf(engine: EngineName, algorithm: AlgorithmName, thresholds: Thresholds): number {
  return thresholds[algorithm]?.[engine] ?? (GPU_ENGINES.has(engine) ? Infinity : 0);
}
