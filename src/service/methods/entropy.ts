import type { Implementations } from '../../rpc/call.ts';
import type { ResultOf } from '../../rpc/methods.ts';

/** The generator's pools, as the entropy view draws them. `Random` has them. */
export interface EntropyPools {
  /** @param data 1 to 32 bytes */
  addEvent(source: number, data: Uint8Array): void;
  pools(): readonly { readonly bytes: number }[];
  readonly reseedCount: number;
  readonly healthy: boolean;
}

interface Parts {
  readonly random: EntropyPools;
}

/** Fortuna tells its sources apart by number; 0 is the platform's generator. */
const SOURCES = { pointer: 1, keyboard: 2 } as const;

/** One movement or key press, as the extension's own pages pack it: time and distances. */
const EVENT_BYTES = 8;

export function entropyMethods({
  random,
}: Parts): Pick<Implementations, 'ui.entropy' | 'ui.addEntropy'> {
  // Of this worker's life, like the pools: an illustration, not a measure.
  let events = 0;
  const state = (): ResultOf<'ui.entropy'> => ({
    pools: random.pools().map(({ bytes }) => bytes),
    reseeds: random.reseedCount,
    events,
    healthy: random.healthy,
  });
  return {
    'ui.entropy': () => Promise.resolve(state()),
    'ui.addEntropy'({ source, samples }) {
      for (let at = 0; at < samples.length; at += EVENT_BYTES) {
        random.addEvent(SOURCES[source], samples.slice(at, at + EVENT_BYTES));
        events += 1;
      }
      return Promise.resolve(state());
    },
  };
}
