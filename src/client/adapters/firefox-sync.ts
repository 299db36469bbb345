import { checkOptions, checkProvider } from '../errors.ts';
import { sealedCollection } from './collection.ts';
import type { SealedCollection } from './collection.ts';
import type { Fields } from './content.ts';
import { contentOf, sealedText } from './content.ts';
import type { SealwrightSync } from '../page-api.ts';
import { openedOrQuarantined } from './quarantine.ts';
import type { Quarantined, QuarantineOptions } from './quarantine.ts';

/** A basic storage object of Firefox Sync's servers. */
export interface Bso {
  readonly id: string;
  readonly payload: string;
  readonly [field: string]: unknown;
}

/** The two methods of the npm package firefox-sync that are replaced. */
export interface FirefoxSyncCodec {
  encryptCollectionBSO(collection: string, payload: Fields & { readonly id: string }): Promise<Bso>;
  decryptCollectionBSO(
    collection: string,
    bso: Bso,
  ): Promise<{ readonly bso: Bso; readonly payload: Fields | Quarantined }>;
}

/** Options of `firefoxSyncCodec`. */
export interface FirefoxSyncOptions extends QuarantineOptions {
  /** The sync key's id, if more than one is granted. */
  readonly key?: string | undefined;
}

/** The collection that is sealed with the sync key itself and contains the keys of all others. */
const CRYPTO = 'crypto';

/**
 * Lets a client of Firefox Sync (npm `firefox-sync`) seal and open records with keys that stay in the
 * extension. `getCryptoKeys()` passes the server's crypto/keys record to the extension and returns no
 * keys. Call it once before the first record.
 *
 * @example
 *   const client = Object.assign(Sync({ creds }), firefoxSyncCodec(sealwright));
 *   await client.getCryptoKeys();
 *   const bookmarks = await client.getCollection('bookmarks', { full: true });
 */
export function firefoxSyncCodec(
  sealwright: {
    readonly sync: Pick<SealwrightSync, 'encryptRecords' | 'decryptRecords' | 'loadCollectionKeys'>;
  },
  options: FirefoxSyncOptions = {},
): FirefoxSyncCodec {
  checkProvider(sealwright, 'sync');
  checkOptions(options, 'key', 'onQuarantine');
  const { key } = options;
  const withKey = key === undefined ? {} : { key };
  const collections = new Map<string, SealedCollection>();
  const named = (name: string): SealedCollection => {
    const known = collections.get(name) ?? sealedCollection(sealwright, name, withKey);
    collections.set(name, known);
    return known;
  };

  return {
    async encryptCollectionBSO(collection, payload) {
      const { id } = payload;
      return { id, payload: (await named(collection).seal({ id, payload })).payload };
    },

    async decryptCollectionBSO(collection, bso) {
      const { id } = bso;
      if (collection === CRYPTO) {
        await sealwright.sync.loadCollectionKeys({ id, payload: bso.payload }, withKey);
        return { bso, payload: { id } };
      }
      const arrival = {
        id,
        sealed: bso,
        payload: () => sealedText(bso.payload),
        content: contentOf,
      };
      return { bso, payload: await openedOrQuarantined(named(collection), arrival, options) };
    },
  };
}
