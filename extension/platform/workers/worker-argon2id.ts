import type { PassphraseKdf } from '../../../src/keys/unlock/passphrase.ts';
import type { Argon2idAnswer, Argon2idOrder } from './worker-channel.ts';
import { inWorker, NoWorker, type StartWorker } from './worker-call.ts';

/** The worker could not derive the key, for example because memory was short. */
export class DerivationError extends Error {
  override readonly name = 'DerivationError';
}

/**
 * Argon2id with one worker for each derivation: an abort takes effect at once, and the memory is freed
 * at the end.
 *
 * @param here derives in this thread where no worker can be started, which blocks other work meanwhile
 */
export function workerArgon2id(start: StartWorker, here: PassphraseKdf): PassphraseKdf {
  return async (passphrase, salt, cost, signal) => {
    const given = () => {
      const own = passphrase.slice();
      const order: Argon2idOrder = { passphrase: own, salt, cost };
      return { order, transfer: [own.buffer] };
    };
    try {
      return keyIn((await inWorker(start, 'argon2id-worker.js', given, signal)) as Argon2idAnswer);
    } catch (error) {
      if (error instanceof NoWorker) return here(passphrase, salt, cost, signal);
      throw error;
    }
  };
}

function keyIn(answer: Argon2idAnswer): Uint8Array {
  if (typeof answer === 'object' && 'key' in answer) return answer.key;
  throw new DerivationError(answer === 'ready' ? answer : `${answer.name}: ${answer.message}`);
}
