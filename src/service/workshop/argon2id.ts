import type { PassphraseKdf } from '../../keys/unlock/passphrase.ts';
import { NoWorker, type Workshop } from '../../rpc/workshop.ts';

/** The worker could not derive the key, for example because memory was short. */
export class DerivationError extends Error {
  override readonly name = 'DerivationError';
}

/**
 * Argon2id in the workshop: an abort takes effect at once, and the memory is freed at the end.
 *
 * @param here derives in this thread where no worker can be started, which blocks other work meanwhile
 */
export function workshopArgon2id(workshop: Workshop, here: PassphraseKdf): PassphraseKdf {
  return async (passphrase, salt, { memoryKiB, passes, parallelism }, signal) => {
    const cost = { memoryKiB, passes, parallelism };
    const input = { secrets: { passphrase }, params: { salt, cost } };
    try {
      return await workshop.call('vault', 'argon2id', input, { signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      if (error instanceof NoWorker) return here(passphrase, salt, cost, signal);
      throw new DerivationError((error as Error).message, { cause: error });
    }
  };
}
