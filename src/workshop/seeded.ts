import type { RandomSource } from '../random/contract.ts';
import { Random } from '../random/random.ts';

/**
 * A generator for one call: secure if the platform's is, or the background's, which the seed is from. It is set up
 * when the call first draws.
 *
 * @param platform the platform's generator; replaced in tests only
 */
export function seeded(seed: Uint8Array, platform?: RandomSource): RandomSource {
  let random: Random | undefined;
  return {
    bytes(length) {
      random ??= begun(seed, platform);
      return random.bytes(length);
    },
  };
}

function begun(seed: Uint8Array, platform?: RandomSource): Random {
  const random = new Random({ nowMs: () => performance.now(), ...(platform && { platform }) });
  random.stir(seed);
  return random;
}

/** For operations that draw nothing. */
export const NO_RANDOM: RandomSource = {
  bytes() {
    throw new Error('The call has no seed');
  },
};
