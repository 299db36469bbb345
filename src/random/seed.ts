import type { Random } from './random.ts';
import { wipe } from '../crypto/bytes.ts';

/** Length of a stored seed ("Cryptography Engineering", section 9.6.1). */
export const SEED_BYTES = 64;

/** Storage of a seed between two runs. */
export interface SeedStore {
  read(): Promise<Uint8Array | undefined>;
  /** Resolves after the old seed was overwritten. */
  write(seed: Uint8Array): Promise<void>;
}

/**
 * Section 9.6.2: reads the seed, mixes it in, and overwrites it, in this order. Await it before the
 * first use of `random`.
 *
 * The seed is an additional input and never credited: storage can be copied, restored or lose the
 * write, and two runs would then start from one seed. Without another source this rejects with
 * NotSeededError, and the old seed stays.
 */
export async function restoreSeed(store: SeedStore, random: Random): Promise<void> {
  const seed = await store.read();
  if (seed !== undefined) {
    random.stir(seed);
    wipe(seed);
  }
  await saveSeed(store, random);
}

/** Section 9.6.3: writes a new seed. Call it about every ten minutes. */
export async function saveSeed(store: SeedStore, random: Random): Promise<void> {
  const seed = random.bytes(SEED_BYTES);
  try {
    await store.write(seed);
  } finally {
    wipe(seed);
  }
}
