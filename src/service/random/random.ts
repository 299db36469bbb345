import type { RandomSource } from '../../random/contract.ts';
import { randomUuid, uniformInteger } from '../../random/uniform.ts';
import type { Implementations } from '../../rpc/call.ts';
import { BufferedRandom } from '../../random/buffered-random.ts';
import type { ThreadShare } from '../calls/thread-share.ts';

interface Deps {
  readonly random: RandomSource;
  readonly threadShare: ThreadShare;
  /** The browser's own generator alone. */
  readonly platformRandom: RandomSource;
}

type RandomMethods = Pick<Implementations, 'random' | 'randomUUID' | 'randomInt'>;

/** Random bytes, UUIDs and integers for pages. Short values come from a buffered draw. */
export function randomMethods({ random, platformRandom, threadShare }: Deps): RandomMethods {
  const buffered = new BufferedRandom(random, platformRandom);
  return {
    random: ({ length }, call) =>
      threadShare.turnsOf(call)(length, () => Promise.resolve(random.bytes(length))),
    randomUUID: () => Promise.resolve(randomUuid(buffered)),
    randomInt: ({ max }) => Promise.resolve(uniformInteger(buffered, max)),
  };
}
