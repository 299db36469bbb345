import { setImmediate } from 'node:timers/promises';
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { build } from 'esbuild';
import type { Answer, Order, PoolWorker } from '../../../src/engine/threads/protocol.ts';
import { serve } from '../../../src/engine/threads/worker.ts';
import { nodePoolWorker } from '../../../src/engine/threads/start-worker.ts';

/** Starts workers that are threads of their own, with the script as a bundle has it. */
export async function threadsOfTheirOwn(): Promise<() => PoolWorker> {
  const entryPoints = ['src/engine/threads/worker.ts'];
  const options = { bundle: true, write: false, format: 'esm', platform: 'node' } as const;
  const { outputFiles } = await build({ entryPoints, ...options });
  const script = `data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`;
  return () => nodePoolWorker(new Worker(new URL(script)));
}

/** Waits for messages between ports until the condition holds, or for a while. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !holds(); turn++) await setImmediate();
}

/** Workers on this thread, behind real ports: messages are copied and buffers transferred as between threads. */
export class WorkersHere {
  /** All that was ordered, by type. */
  readonly orders: Order[] = [];
  running = 0;
  started = 0;
  /** Slices that came back. */
  answered = 0;
  /** Keys as a worker got them: zeros after its call. */
  readonly keys: Uint8Array[] = [];
  /** What a worker answers in place of this. */
  instead: (answer: Answer) => Answer = (answer) => answer;
  /** Called before a worker gets an order. Returns false to lose it. */
  before: (order: Order) => boolean = () => true;
  private readonly errors = new Set<(reason: string) => void>();

  readonly start = (): PoolWorker => {
    this.started++;
    this.running++;
    const { port1, port2 } = new MessageChannel();
    this.serveOn(port2);
    return {
      post: (order, transfer) => port1.postMessage(order, transfer),
      onAnswer: (listener) => port1.on('message', (answer: Answer) => listener(answer)),
      onError: (listener) => this.errors.add(listener),
      keepAlive: (alive) => (alive ? port1.ref() : port1.unref()),
      end: () => {
        this.running--;
        port1.close();
      },
    };
  };

  /** As a worker that ends by itself. */
  fail(reason: string): void {
    for (const listener of this.errors) listener(reason);
  }

  private serveOn(port: MessagePort): void {
    serve({
      post: (answer, transfer) => {
        if (answer.type === 'done') this.answered++;
        port.postMessage(this.instead(answer), transfer);
      },
      onOrder: (listener) => {
        port.on('message', (order: Order) => {
          this.orders.push(order);
          if (order.type === 'begin' && 'key' in order.task) this.keys.push(order.task.key);
          if (this.before(order)) listener(order);
        });
      },
    });
  }
}
