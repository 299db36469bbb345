import type { Implementations } from '../../rpc/call.ts';
import { SealwrightError } from '../../rpc/errors.ts';
import type { ResultOf } from '../../rpc/methods/methods.ts';
import { MOVEMENTS_BYTES, MOVEMENTS_EVENTS } from '../../rpc/methods/movements.ts';
import type { SeedFile } from './seed-file.ts';
import type { Sites } from '../ports/sites.ts';

/** The generator's pools, as the entropy view draws them. `Random` has them. */
export interface EntropyPools {
  /** @param data 1 to 32 bytes */
  addEvent(source: number, data: Uint8Array): void;
  /** The same, for what others may know. */
  addUncredited(source: number, data: Uint8Array): void;
  /** Mixes in bytes of any length without credit. */
  stir(seed: Uint8Array): void;
  pools(): readonly { readonly bytes: number }[];
  readonly reseedCount: number;
  readonly healthy: boolean;
}

interface Deps {
  readonly random: EntropyPools;
  readonly sites: Sites;
  readonly seedFile: Pick<SeedFile, 'rewriteIfDue'>;
}

/** Fortuna tells its sources apart by number; 0 is the platform's generator. */
const SOURCES = { pointer: 1, keyboard: 2 } as const;
const SITE_MOVEMENTS = 3;

type EntropyMethods =
  'ui.entropy' | 'ui.addEntropy' | 'ui.siteMovements' | 'ui.setSiteMovements' | 'stirMovements';

/** The methods about the random generator and what is stirred into it. */
export function entropyMethods(deps: Deps): Pick<Implementations, EntropyMethods> {
  const { random, sites, seedFile } = deps;
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
    // One digest is one event of Fortuna's; the screen counts what people did.
    async 'ui.addEntropy'({ source, digest, events: added }) {
      random.addEvent(SOURCES[source], checkedDigest(digest));
      events += added;
      await seedFile.rewriteIfDue();
      return state();
    },
    'ui.siteMovements': async () => ({ on: await sites.gathersMovements() }),
    async 'ui.setSiteMovements'({ on }) {
      await sites.gatherMovements(on);
      return {};
    },
    // A script may outlive the setting: the answer tells it to stop.
    async stirMovements(params) {
      const digest = checkedDigest(params.digest);
      const wanted = await sites.gathersMovements();
      if (wanted) {
        // The page sees the same movements, and could send what it likes: never credited.
        random.addUncredited(SITE_MOVEMENTS, digest);
        events += MOVEMENTS_EVENTS;
      }
      return { wanted };
    },
  };
}

function checkedDigest(digest: Uint8Array): Uint8Array {
  if (digest.length === MOVEMENTS_BYTES) return digest;
  throw new SealwrightError('INVALID_ARGUMENT', `digest: must have ${MOVEMENTS_BYTES} bytes`);
}
