/* Runs one input under the bounds of its target. */
import { getHeapStatistics } from 'node:v8';
import { Finding } from './target.ts';
import type { FuzzTarget } from './target.ts';

const DEFAULT_MS = 1_000;
const DEFAULT_MIB = 64;

/** What one input cost. */
interface Cost {
  readonly ms: number;
  readonly bytes: number;
}

/** A clock, in ms. */
type Clock = () => number;

/** Processor time of this process. Reading it takes as long as most inputs do. */
const PROCESSOR: Clock = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const WALL: Clock = () => performance.now();

/**
 * Gives an input to a target.
 *
 * @throws whatever the target throws: the finding
 */
async function costOf(target: FuzzTarget, input: Uint8Array, clock: Clock): Promise<Cost> {
  const bytes = memory();
  const begun = clock();
  // A copy: a parser may keep or wipe what it was given.
  const running = target.fuzz(input.slice());
  if (running !== undefined) await running;
  return { ms: clock() - begun, bytes: memory() - bytes };
}

/**
 * The same, with the bounds of the target. Where more time than allowed has passed, the input is run again: time
 * that passes says little on a busy machine, and processor time is only believed when it comes three times,
 * because garbage of other inputs may have been collected meanwhile.
 *
 * @param isTimed whether the bound of time holds; no test of `npm test` depends on a time
 * @throws Finding where a bound is exceeded
 */
export async function tryInput(
  target: FuzzTarget,
  input: Uint8Array,
  isTimed: boolean,
): Promise<void> {
  const { maxMs = DEFAULT_MS, maxMiB = DEFAULT_MIB } = target;
  const { ms, bytes } = await costOf(target, input, WALL);
  if (bytes > maxMiB * 2 ** 20) {
    throw new Finding(`needs more memory than ${maxMiB} MiB`);
  }
  if (!isTimed || ms <= maxMs) return;
  for (let trial = 0; trial < 3; trial++) {
    if ((await costOf(target, input, PROCESSOR)).ms <= maxMs) return;
  }
  throw new Finding(`needs longer than ${maxMs} ms`);
}

/** Used now, inside and outside the heap. Garbage counts until it is collected. */
function memory(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/** What two findings have in common when they are the same defect: error, text and first own line. */
export function signatureOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${typeof error}`;
  const message = error.message.replaceAll(/\d+/g, '#').slice(0, 100);
  const where = /(?:src|extension)\/[\w./-]+\.tsx?/.exec(error.stack ?? '')?.[0] ?? '';
  return `${error.name}: ${message} ${where}`.trim();
}
