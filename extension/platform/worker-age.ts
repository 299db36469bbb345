import type { Age } from '../../src/keys/age.ts';
import { VaultError } from '../../src/keys/errors.ts';
import type { AgeAnswer, AgeOrder } from './age-protocol.ts';
import type { StartWorker } from './running-worker.ts';
import { answerOf, readyWorker, WorkerFailed } from './worker-call.ts';

/** age in a worker for each file, which is where its library is loaded (extension/age-worker.ts). */
export function workerAge(start: StartWorker): Age {
  const ask = async (order: AgeOrder, given: Uint8Array<ArrayBuffer>) => {
    const worker = await readyWorker(start, 'age-worker.js');
    if (worker === undefined) throw new WorkerFailed('no worker can be had');
    try {
      return bytesIn((await answerOf(worker, order, [given.buffer])) as AgeAnswer);
    } finally {
      worker.end();
    }
  };
  return {
    async seal(contents, recipients) {
      const own = contents.slice();
      const file = await ask({ seal: own, recipients }, own);
      if (file === undefined) throw new WorkerFailed('no file came back');
      return file;
    },
    open(file, identities) {
      const own = file.slice();
      return ask({ open: own, identities }, own);
    },
  };
}

function bytesIn(answer: AgeAnswer): Uint8Array | undefined {
  if (typeof answer === 'object' && 'bytes' in answer) return answer.bytes ?? undefined;
  if (answer === 'ready') throw new WorkerFailed(answer);
  if (answer.wrong === 'argument') throw new RangeError(answer.message);
  throw answer.wrong === 'file' ? new VaultError('BAD_BACKUP') : new WorkerFailed(answer.message);
}
