import type { RandomSource } from '../../random/contract.ts';
import type { Implementations } from '../../rpc/call.ts';

interface Parts {
  readonly random: RandomSource;
}

export function randomMethods({ random }: Parts): Pick<Implementations, 'random'> {
  return { random: ({ length }) => Promise.resolve(random.bytes(length)) };
}
