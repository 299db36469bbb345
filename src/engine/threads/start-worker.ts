/** A worker's end of a pool, and the pool's end of a worker: in browsers, and in Node, Deno and Bun. */
import type { Answer, Order, PoolPort, PoolWorker } from './protocol.ts';

/** Of `node:worker_threads`. */
interface NodeWorker {
  postMessage(value: unknown, transfer: readonly ArrayBuffer[]): void;
  on(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}

interface NodeThreads {
  readonly Worker: new (url: URL, options?: object) => NodeWorker;
  readonly parentPort: NodeWorker | null;
}

interface NodeProcess {
  getBuiltinModule?(name: 'node:worker_threads'): NodeThreads | undefined;
  getBuiltinModule?(name: 'node:os'): { availableParallelism(): number } | undefined;
}

const { process: nodeProcess } = globalThis as { process?: NodeProcess };

/** `node:worker_threads`, where that is what there is. */
export function nodeThreads(): NodeThreads | undefined {
  return nodeProcess?.getBuiltinModule?.('node:worker_threads');
}

/** Why no worker can be started here; undefined if one may be. */
export function missingWorkers(): string | undefined {
  if (typeof Worker === 'function' || nodeThreads()) return undefined;
  return 'no workers here (Worker is missing)';
}

/** The processors that the platform tells of. */
export function processors(): number {
  const { navigator } = globalThis as { navigator?: { readonly hardwareConcurrency?: number } };
  return (
    navigator?.hardwareConcurrency ??
    nodeProcess?.getBuiltinModule?.('node:os')?.availableParallelism() ??
    2
  );
}

/** @param worker that was just started */
export function webPoolWorker(worker: Worker): PoolWorker {
  return {
    post: (order, transfer) => worker.postMessage(order, [...transfer]),
    onAnswer: (listener) => {
      worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => listener(data));
    },
    onError: (listener) => {
      worker.addEventListener('error', ({ message }) => listener(message || 'it did not load'));
      worker.addEventListener('messageerror', () => listener('a message could not be read'));
    },
    keepAlive: () => undefined,
    end: () => worker.terminate(),
  };
}

/** @param worker that was just started */
export function nodePoolWorker(worker: NodeWorker): PoolWorker {
  return {
    post: (order, transfer) => worker.postMessage(order, transfer),
    onAnswer: (listener) => worker.on('message', (value) => listener(value as Answer)),
    onError: (listener) => {
      worker.on('error', (error) => listener(String(error)));
      worker.on('exit', (code) => listener(`it ended with ${String(code)}`));
    },
    keepAlive: (alive) => (alive ? worker.ref() : worker.unref()),
    end: () => void worker.terminate(),
  };
}

/** The port of this worker; undefined on a thread that is none. */
export function ownPort(): PoolPort | undefined {
  const parent = nodeThreads()?.parentPort;
  if (parent) {
    return {
      post: (answer, transfer) => parent.postMessage(answer, transfer),
      onOrder: (listener) => parent.on('message', (value) => listener(value as Order)),
    };
  }
  if (!('WorkerGlobalScope' in globalThis)) return undefined;
  const scope = globalThis as unknown as MessagePort;
  return {
    post: (answer, transfer) => scope.postMessage(answer, [...transfer]),
    onOrder: (listener) => {
      scope.addEventListener('message', ({ data }: MessageEvent<Order>) => listener(data));
    },
  };
}
