import type { SubtleOrder, SubtleWorker } from '../../../src/service/subtle/worker-order.ts';
import { ReusedWorkers, WorkerFailed, type StartWorker } from './worker-call.ts';
import type { SubtleWorkerAnswer } from './worker-channel.ts';

/** Its engines are a large script, and no other place does the work: patience is all there is. */
const READY_MS = 30_000;
/** WebAssembly gives no memory back: a worker that has used more ends with its order. */
const REUSED_BYTES = 16 * 1024 * 1024;

/** Does orders of pages' `subtle` in workers (extension/entries/workers/subtle-worker.ts). */
export function workerSubtle(start: StartWorker): SubtleWorker {
  const workers = new ReusedWorkers(start, 'subtle-worker.js', READY_MS);
  return async (order, signal) => {
    const isReusable = (answer: unknown): boolean =>
      memoryOf(order) <= REUSED_BYTES && !isFailure(answer as SubtleWorkerAnswer);
    const given = () => ({ order, transfer: [] });
    const answer = (await workers.run(given, isReusable, signal)) as SubtleWorkerAnswer;
    if (!isFailure(answer)) return answer;
    throw new WorkerFailed(answer === 'ready' ? answer : answer.failed);
  };
}

function isFailure(answer: SubtleWorkerAnswer): answer is 'ready' | { readonly failed: string } {
  return answer === 'ready' || 'failed' in answer;
}

/** What Argon2 (RFC 9106) and scrypt (RFC 7914, section 2) fill, in bytes. */
function memoryOf({ algorithm }: SubtleOrder): number {
  // A page may have passed anything: what is no number is refused before any work.
  const number = (value: unknown): number => Number(value ?? 0);
  return 1024 * number(algorithm.memory) + 128 * number(algorithm.N) * number(algorithm.r);
}
