import { connectSealwright, sealedCollection } from './sealwright.js';

/** What the user is asked: a key of theirs, and for one collection alone. */
const REQUEST = {
  purpose: 'Keep your notes private on the server that you choose.',
  key: { kind: 'sync', label: 'Notes', collections: ['notes'] },
  capabilities: ['sync'],
};

/**
 * Asks the first time; where the user has allowed it before, it asks nobody.
 *
 * @returns the collection for `Notes`, and what has to do with keys
 */
export async function connect() {
  const { sealwright, key } = await connectSealwright(REQUEST, { features: ['sync'] });
  const collection = sealedCollection(sealwright, 'notes', { key });
  const options = { key };

  /** Keys of formats like Firefox Sync's make keys for collections, which are on the server. */
  async function newCollectionKeys(server) {
    if (!server?.storeCryptoKeys)
      throw new Error('This key has its collection keys on a Weave server.');
    await server.storeCryptoKeys(await sealwright.sync.createCollectionKeys(['notes'], options));
  }

  return {
    collection,

    /** Before the first record, and when another device has made new ones. */
    async loadCollectionKeys(server) {
      const record = await server?.cryptoKeys?.();
      if (record) await sealwright.sync.loadCollectionKeys(record, options);
      else if (record === null) await newCollectionKeys(server).catch(ignoreUnsupported);
    },

    /** A new generation of the key; a key that cannot have one makes new keys for the collection. */
    async rotate(server) {
      try {
        await sealwright.rotateKey(key);
      } catch (error) {
        if (error.code !== 'UNSUPPORTED') throw error;
        await newCollectionKeys(server);
      }
    },
  };
}

/** Keys made by Sealwright itself need none. */
function ignoreUnsupported(error) {
  if (error.code !== 'UNSUPPORTED') throw error;
}
