import type { PassphraseKdf } from '../../format/passphrase.ts';
import { NoWorker, type Workshop } from '../../rpc/workshop.ts';

/** The worker could not derive the key, for example because memory was short. */
export class DerivationError extends Error {
  override readonly name = 'DerivationError';
}

/**
 * Argon2id in the workshop: an abort takes effect at once, and the memory is freed at the end. Where no worker can be
 * started, it rejects with UNSUPPORTED.
 */
export function workshopArgon2id(workshop: Workshop): PassphraseKdf {
  return async (passphrase, salt, { memoryKiB, passes, parallelism }, signal) => {
    const cost = { memoryKiB, passes, parallelism };
    const input = { secrets: { passphrase }, params: { salt, cost } };
    try {
      return await workshop.call('vault', 'argon2id', input, { signal });
    } catch (error) {
      if (signal?.aborted || error instanceof NoWorker) throw error;
      throw new DerivationError((error as Error).message, { cause: error });
    }
  };
}
