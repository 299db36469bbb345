import type { Engine, Probe } from '../contract.ts';
import { bestVariant, type LoadWasm } from '../wasm/loader.ts';
import { threadAlgorithms } from './algorithms.ts';
import { argon2InThreads, mayShareMemory } from './argon2.ts';
import { Pool } from './pool.ts';
import type { PoolWorker } from './protocol.ts';
import { SliceModules } from './slices.ts';
import {
  missingWorkers,
  nodePoolWorker,
  nodeThreads,
  processors,
  webPoolWorker,
} from './start-worker.ts';

/** More threads than this would wait for memory. */
const MAX_THREADS = 8;
const IDLE_MS = 30_000;
const FAMILIES = ['aes', 'arx', 'blake'];

/** Of the engine `wasm-threads`. */
export interface ThreadsOptions {
  /** The number of threads, the calling one among them: at least 2; default: that of processors, 2 to 8. */
  readonly threads?: number | undefined;
  /** For tests; default: a worker that runs `threads-worker.js` beside this script. */
  readonly startWorker?: (() => PoolWorker) | undefined;
  /** How long workers without work are kept, in milliseconds. */
  readonly idleMs?: number | undefined;
}

/**
 * The engine `wasm-threads`: the kernels of `wasm-simd` on the calling thread and in workers, which are started
 * with the first message.
 */
export function threadsEngine(loadWasm: LoadWasm, options: ThreadsOptions = {}): Engine {
  const threads = options.threads ?? Math.max(2, Math.min(processors(), MAX_THREADS));
  let pool: Pool | undefined;
  return {
    name: 'wasm-threads',
    probe: async (): Promise<Probe> => {
      const reason = options.startWorker ? undefined : missingWorkers();
      if (reason !== undefined) return { available: false, reason };
      const variant = bestVariant();
      if (variant === undefined) return { available: false, reason: 'WebAssembly SIMD is missing' };
      const shared = mayShareMemory() ? ['argon2.shared'] : [];
      const names = [...FAMILIES.map((family) => `${family}.${variant}`), ...shared];
      const loaded = await Promise.all(names.map((name) => loadWasm(name)));
      const bytes = Object.fromEntries(names.map((name, i) => [name, loaded[i]!]));
      const modules = new SliceModules((name) => Promise.resolve(bytes[name]!), variant);
      const own = [modules.aes(), modules.arx(), modules.blake3()] as const;
      const [aes, arx, blake3] = await Promise.all(own);
      const argon2 = shared.length > 0 ? await modules.argon2() : undefined;
      pool = new Pool({
        threads,
        startWorker: options.startWorker ?? startWorker,
        bytes,
        variant,
        modules,
        idleMs: options.idleMs ?? IDLE_MS,
      });
      const algorithms = {
        ...threadAlgorithms(pool, { aes, arx, blake3 }),
        ...(argon2 && argon2InThreads(pool, argon2)),
      };
      return { available: true, algorithms };
    },
    fault: () => pool?.fault,
    close: () => pool?.close(),
  };
}

/** Written out, because bundlers find a worker's script in that form alone. */
function startWorker(): PoolWorker {
  const node = nodeThreads();
  if (node && typeof Worker !== 'function') {
    return nodePoolWorker(new node.Worker(new URL('./threads-worker.js', import.meta.url)));
  }
  return webPoolWorker(
    new Worker(new URL('./threads-worker.js', import.meta.url), { type: 'module' }),
  );
}
