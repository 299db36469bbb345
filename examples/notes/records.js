/*
 * The notes on this device: in IndexedDB, one row for each note, sealed exactly as it goes to the
 * server. A thief of the disk learns what the server learns: ids, times and sizes.
 *
 *   { id, payload, generation, seen, modified?, unsent, waiting? }
 *
 * `modified` is the server's own time or number of the version that we have last seen of it.
 */
const DATABASE = 'sealwright-notes';

export async function openRecords(indexedDB = globalThis.indexedDB) {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('notes', { keyPath: 'id' });
    opening.result.createObjectStore('about');
  };
  const database = await done(opening);
  const store = (name, mode = 'readonly') => database.transaction(name, mode).objectStore(name);

  return {
    all: () => done(store('notes').getAll()),

    /** All of them, or none. */
    async put(rows) {
      const notes = store('notes', 'readwrite');
      for (const row of rows) notes.put(row);
      await committed(notes.transaction);
    },

    /** Things there is one of: how far we have synced, and the sealed settings. */
    about: (name) => done(store('about').get(name)),

    async setAbout(name, value) {
      const about = store('about', 'readwrite');
      about.put(value, name);
      await committed(about.transaction);
    },
  };
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function committed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
