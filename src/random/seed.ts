import type { Random } from './random.ts';
import { wipe } from '../crypto/bytes.ts';

/** "Cryptography Engineering", section 9.6.1 */
export const SEED_BYTES = 64;

/** Where a seed lies between two runs. */
export interface SeedStore {
  read(): Promise<Uint8Array | undefined>;
  /** Resolves once the old seed is gone for good. */
  write(seed: Uint8Array): Promise<void>;
}

/**
 * Section 9.6.2: reads the seed, stirs it in, and overwrites it, in this order; await it before the
 * first use of `random`.
 *
 * The seed is an extra input and is never credited: storage can be copied, restored or lose the
 * write, and then two runs would start from one seed. A run that has nothing but the seed therefore
 * does not start; this rejects with NotSeededError, and the old seed stays.
 */
export async function restoreSeed(store: SeedStore, random: Random): Promise<void> {
  const seed = await store.read();
  if (seed !== undefined) {
    random.stir(seed);
    wipe(seed);
  }
  await saveSeed(store, random);
}

/** Section 9.6.3: writes a fresh seed; to be repeated every ten minutes or so while running. */
export async function saveSeed(store: SeedStore, random: Random): Promise<void> {
  const seed = random.bytes(SEED_BYTES);
  try {
    await store.write(seed);
  } finally {
    wipe(seed);
  }
}
