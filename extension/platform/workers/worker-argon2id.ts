import type { PassphraseKdf } from '../../../src/keys/unlock/passphrase.ts';
import type { Argon2idAnswer, Argon2idOrder } from './worker-channel.ts';
import { answerOf, readyWorker, type StartWorker } from './worker-call.ts';

/** A derivation that the worker could not do, for example for want of memory. */
export class DerivationError extends Error {
  override readonly name = 'DerivationError';
}

/**
 * Argon2id in a worker for each derivation, which ends with it: an abort takes effect at once, and
 * the memory is free afterwards.
 *
 * @param here derives in this thread where no worker can be had: slow answers, but the vault opens
 */
export function workerArgon2id(start: StartWorker, here: PassphraseKdf): PassphraseKdf {
  return async (passphrase, salt, cost, signal) => {
    signal?.throwIfAborted();
    const worker = await readyWorker(start, 'argon2id-worker.js');
    if (worker === undefined) return here(passphrase, salt, cost, signal);
    try {
      signal?.throwIfAborted();
      const own = passphrase.slice();
      const order: Argon2idOrder = { passphrase: own, salt, cost };
      return keyIn((await answerOf(worker, order, [own.buffer], signal)) as Argon2idAnswer);
    } finally {
      worker.end();
    }
  };
}

function keyIn(answer: Argon2idAnswer): Uint8Array {
  if (typeof answer === 'object' && 'key' in answer) return answer.key;
  throw new DerivationError(answer === 'ready' ? answer : `${answer.name}: ${answer.message}`);
}
