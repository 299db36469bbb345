import type { SubtleWorker } from '../../../src/service/subtle/worker-order.ts';
import { inWorker, WorkerFailed, type StartWorker } from './worker-call.ts';
import type { SubtleWorkerAnswer } from './worker-channel.ts';

/** Does orders of pages' `subtle`, with one worker for each (extension/entries/workers/subtle-worker.ts). */
export function workerSubtle(start: StartWorker): SubtleWorker {
  return async (order, signal) => {
    const given = () => ({ order, transfer: [] });
    const answer = (await inWorker(start, 'subtle-worker.js', given, signal)) as SubtleWorkerAnswer;
    if (answer === 'ready' || 'failed' in answer) {
      throw new WorkerFailed(answer === 'ready' ? answer : answer.failed);
    }
    return answer;
  };
}
