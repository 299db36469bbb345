import type { AlgorithmName, EngineName } from '../contract.ts';
import type { Registry } from '../registry.ts';
import { prepareTask } from '../self-test/tasks.ts';
import { DEFAULT_THRESHOLDS, measuredThresholds } from '../thresholds.ts';
import type { Thresholds } from '../thresholds.ts';

type GpuAlgorithm = 'AES-ECB' | 'AES-CTR' | 'AES-GCM' | 'AES-OCB';
const ALGORITHMS: readonly GpuAlgorithm[] = ['AES-ECB', 'AES-CTR', 'AES-GCM', 'AES-OCB'];
const SIZES = [0x1_0000, 0x4_0000, 0x10_0000, 0x40_0000, 0x100_0000];
const ROUNDS = 3;
/** No further round after so long a one: Firefox tells of a result a tenth of a second late. */
const LONG_MS = 50;
/** Larger messages are not tried where the card takes so many times as long for one of 1 MiB. */
const HOPELESS = 8;
const HOPELESS_BYTES = 0x10_0000;

/** What `breakEven` measured at one size. */
type Speed = Parameters<typeof measuredThresholds>[0][number];

/**
 * The lengths from which on a card is faster here than the engine that would do the work without it, with all
 * transfers.
 *
 * @param registry probed
 * @returns the default thresholds, and those of the card
 */
export async function breakEven(
  registry: Registry,
  card: 'webgl' | 'webgpu',
  now: () => number = () => performance.now(),
): Promise<Thresholds> {
  const thresholds: Record<string, Thresholds[AlgorithmName]> = { ...DEFAULT_THRESHOLDS };
  for (const algorithm of ALGORITHMS) {
    if ((await registry.test(card, algorithm)) !== undefined) continue;
    const speeds = await compare(registry, card, algorithm, now);
    const fromBytes = measuredThresholds(speeds)[algorithm]?.[card];
    if (fromBytes !== undefined) {
      thresholds[algorithm] = { ...thresholds[algorithm], [card]: fromBytes };
    }
  }
  return thresholds;
}

async function compare(
  registry: Registry,
  card: EngineName,
  algorithm: GpuAlgorithm,
  now: () => number,
): Promise<Speed[]> {
  const speeds: Speed[] = [];
  for (const bytes of SIZES) {
    const own = await timeOf(registry, card, algorithm, bytes, now);
    const other = await timeOf(registry, usual(registry, algorithm, bytes), algorithm, bytes, now);
    if (own === undefined || other === undefined) return speeds;
    speeds.push(own, other);
    const isHopeless = own.bytesPerSecond * HOPELESS < other.bytesPerSecond;
    if (bytes >= HOPELESS_BYTES && isHopeless) return speeds;
  }
  return speeds;
}

/** The engine for such a message before anything is known of the card. */
function usual(registry: Registry, algorithm: AlgorithmName, bytes: number): EngineName {
  return registry.choose(algorithm, bytes, 'auto');
}

/** The best of a few calls, after one that is not counted. */
async function timeOf(
  registry: Registry,
  engine: EngineName,
  algorithm: GpuAlgorithm,
  bytes: number,
  now: () => number,
): Promise<Speed | undefined> {
  const algorithms = registry.algorithmsOf(engine);
  const task = await prepareTask(algorithm, algorithms, bytes);
  if (task === undefined) return undefined;
  await task();
  let best = Infinity;
  for (let round = 0; round < ROUNDS && (round === 0 || best < LONG_MS); round++) {
    const start = now();
    await task();
    best = Math.min(best, now() - start);
  }
  const { constantTime } = algorithms[algorithm]!;
  return { engine, algorithm, constantTime, bytes, bytesPerSecond: (1000 * bytes) / best };
}
