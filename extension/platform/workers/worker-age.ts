import type { Age } from '../../../src/keys/ring/age.ts';
import { VaultError } from '../../../src/keys/vault/errors.ts';
import type { AgeAnswer, AgeOrder } from './worker-channel.ts';
import { inWorker, WorkerFailed, type StartWorker } from './worker-call.ts';

type Answered = Exclude<AgeAnswer, 'ready' | { readonly wrong: unknown }>;

/** age with one worker for each file. The library is loaded there (extension/entries/workers/age-worker.ts). */
export function workerAge(start: StartWorker): Age {
  const ask = async (order: AgeOrder, given: Uint8Array<ArrayBuffer>[]) => {
    const transfer = given.map(({ buffer }) => buffer);
    const answer = await inWorker(start, 'age-worker.js', () => ({ order, transfer }));
    return answered(answer as AgeAnswer);
  };
  return {
    async seal(contents, recipients) {
      const own = contents.slice();
      const file = bytesIn(await ask({ seal: own, recipients }, [own]));
      if (file === undefined) throw new WorkerFailed('no file came back');
      return file;
    },
    async open(file, secrets) {
      const own = file.slice();
      return bytesIn(await ask({ open: own, secrets }, [own]));
    },
    async recipientsOf(identities) {
      const answer = await ask({ recipientsOf: identities }, []);
      if (!('recipients' in answer)) throw new WorkerFailed('no recipients came back');
      return answer.recipients;
    },
  };
}

function answered(answer: AgeAnswer): Answered {
  if (answer === 'ready') throw new WorkerFailed(answer);
  if (!('wrong' in answer)) return answer;
  if (answer.wrong === 'argument') throw new RangeError(answer.message);
  throw answer.wrong === 'file' ? new VaultError('BAD_BACKUP') : new WorkerFailed(answer.message);
}

function bytesIn(answer: Answered): Uint8Array | undefined {
  if ('bytes' in answer) return answer.bytes ?? undefined;
  throw new WorkerFailed('no bytes came back');
}
