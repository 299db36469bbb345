import type { RandomSource } from '../random/contract.ts';
import { Random } from '../random/random.ts';

/** A generator for one call: secure if the platform's is, or the background's, which the seed is from. */
export function seeded(seed: Uint8Array): RandomSource {
  const random = new Random({ nowMs: () => performance.now() });
  random.stir(seed);
  return random;
}
