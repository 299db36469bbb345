import type { SubtleWorker } from '../../../src/service/subtle/worker-order.ts';
import { inWorker, WorkerFailed, type StartWorker } from './worker-call.ts';
import type { SubtleWorkerAnswer } from './worker-channel.ts';

/** Its engines are a large script, and no other place does the work: patience is all there is. */
const READY_MS = 30_000;

/** Does orders of pages' `subtle`, with one worker for each (extension/entries/workers/subtle-worker.ts). */
export function workerSubtle(start: StartWorker): SubtleWorker {
  return async (order, signal) => {
    const given = () => ({ order, transfer: [] });
    const script = 'subtle-worker.js';
    const answer = (await inWorker(start, script, given, signal, READY_MS)) as SubtleWorkerAnswer;
    if (answer === 'ready' || 'failed' in answer) {
      throw new WorkerFailed(answer === 'ready' ? answer : answer.failed);
    }
    return answer;
  };
}
