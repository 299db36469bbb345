import type { RandomSource } from '../../random/contract.ts';
import type { Implementations } from '../../rpc/call.ts';

interface Deps {
  readonly random: RandomSource;
}

export function randomMethods({ random }: Deps): Pick<Implementations, 'random'> {
  return { random: ({ length }) => Promise.resolve(random.bytes(length)) };
}
