import type { RandomSource } from '../../random/contract.ts';
import type { Implementations } from '../../rpc/call.ts';

interface Deps {
  readonly random: RandomSource;
}

/** The method that gives pages random bytes. */
export function randomMethods({ random }: Deps): Pick<Implementations, 'random'> {
  return { random: ({ length }) => Promise.resolve(random.bytes(length)) };
}
