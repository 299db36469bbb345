import { CollectionKeys } from './collection-keys.js';
import { connectSealwright, sealedCollection } from './sealwright.js';

/** What the user is asked: a key of theirs, and for one collection alone. */
const REQUEST = {
  purpose: 'Keep your notes private on the server that you choose.',
  key: { kind: 'sync', label: 'Notes', collections: ['notes'] },
  capabilities: ['sync'],
};

/**
 * Asks the first time; where the user has allowed it before, it does not ask.
 *
 * @returns the collection for `Notes`, and what has to do with keys
 */
export async function connect() {
  const { sealwright, key } = await connectSealwright(REQUEST, { features: ['sync'] });
  const collection = sealedCollection(sealwright, 'notes', { key });
  const collectionKeys = new CollectionKeys(sealwright.sync, { key });

  return {
    collection,
    collectionKeys,

    /** A new generation of the key; a key that cannot have one makes new keys for the collection. */
    async rotate(server) {
      try {
        await sealwright.rotateKey(key);
      } catch (error) {
        if (error.code !== 'UNSUPPORTED') throw error;
        await collectionKeys.renew(server);
      }
    },
  };
}
