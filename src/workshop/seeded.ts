import { BufferedRandom } from '../random/buffered-random.ts';
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

/** The same for all calls of a worker, each of which stirs its seed in: setting up takes longer than a short record. */
export function stirred(platform: RandomSource): (seed: Uint8Array) => RandomSource {
  const random = generator(platform);
  const source = new BufferedRandom(random, platform);
  return (seed) => {
    random.stir(seed);
    return source;
  };
}

function begun(seed: Uint8Array, platform?: RandomSource): Random {
  const random = generator(platform);
  random.stir(seed);
  return random;
}

function generator(platform?: RandomSource): Random {
  return new Random({ nowMs: () => performance.now(), ...(platform && { platform }) });
}

/** For operations that draw nothing. */
export const NO_RANDOM: RandomSource = {
  bytes() {
    throw new Error('The call has no seed');
  },
};
