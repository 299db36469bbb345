import type { OpenedSjclJson } from '../../../src/crypto/legacy/sjcl-json.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import type { OpenSjcl } from '../../../src/service/files/file-opener.ts';
import { inWorker, WorkerFailed, type StartWorker } from './worker-call.ts';
import type { SjclAnswer, SjclOrder } from './worker-channel.ts';

/** Opens SJCL messages, with one worker for each (extension/entries/workers/sjcl-worker.ts). */
export function workerSjcl(start: StartWorker): OpenSjcl {
  return async (password, text, signal) => {
    const order: SjclOrder = { password, text };
    const given = () => ({ order, transfer: [] });
    return openedIn((await inWorker(start, 'sjcl-worker.js', given, signal)) as SjclAnswer);
  };
}

function openedIn(answer: SjclAnswer): OpenedSjclJson {
  if (answer === 'ready') throw new WorkerFailed(answer);
  if (!('wrong' in answer)) return answer;
  if (answer.wrong === 'password') throw new AuthenticationError();
  if (answer.wrong === 'bounds') throw new RangeError(answer.message);
  throw answer.wrong === 'text' ? new TypeError(answer.message) : new WorkerFailed(answer.message);
}
