import type { Storage } from 'webextension-polyfill';
import { fromBase64url, utf8 } from '../../../src/crypto/bytes.ts';
import type { KeyValueStore, Locks } from '../../../src/keys/storage/key-value-store.ts';
import { writeVerified } from '../../../src/keys/storage/replicas.ts';
import { inTime } from './in-time.ts';

/** What a move works with. */
export interface StorageMoveDeps {
  /** `storage.local`. */
  readonly from: Pick<Storage.StorageArea, 'get' | 'set' | 'remove'>;
  /** Nothing else is stored in it before the move has ended. */
  readonly to: KeyValueStore;
  readonly locks: Locks;
}

/** Prefixes of the names of all values that earlier versions stored in `storage.local`. */
const PREFIXES = ['vault/', 'note/', 'ui.'];
/** Prefix of those that are bytes, as base64url text. The others are JSON. */
const BYTES = 'vault/';
/** Stored name: how far the move has come. Absent: what `to` holds does not count yet. */
const STATE = 'moved-from-storage-local';
const COPIED = Uint8Array.of(1);
const REMOVED = Uint8Array.of(2);
const LOCK = 'sealwright storage move';
/** In both: of a vault that was made (src/keys/vault/value-names.ts). */
const VAULT_MARKER = `${BYTES}vault/exists`;
/** In `storage.local`: that there is such a value in the other store. It says no more than that. */
const MARK = 'vault-made';

/**
 * Moves what earlier versions kept in `storage.local` to another store, once in an installation:
 * copy, read back and compare, record that the copy counts, remove the originals. A move that was
 * interrupted is begun again, or continued, by the next background; one that fails makes every
 * operation of the new store fail.
 *
 * When the copy counts, no value of `storage.local` is taken over again: content scripts can write there.
 *
 * One mark stays there, which says that a vault was made. Firefox removes everything in an extension's origin,
 * IndexedDB with it, where the database of its caches is damaged (tried: a half of it cut off). By the mark
 * that is a lost vault, and not a first run. A content script that forges the mark gains nothing: it counts
 * where nothing else is stored.
 */
export class StorageMove {
  readonly #deps: StorageMoveDeps;
  #ended: Promise<void> | undefined;

  constructor(deps: StorageMoveDeps) {
    this.#deps = deps;
  }

  /** Resolves when the copy counts and the originals are removed. @throws the stores' errors */
  ended(): Promise<void> {
    this.#ended ??= this.#move();
    return this.#ended;
  }

  /** Sets the mark if there is a vault. No operation waits for it, and what fails is done by the next background. */
  async mark(): Promise<void> {
    const { from, to } = this.#deps;
    await this.ended();
    const [made, marked] = await Promise.all([to.get(VAULT_MARKER), from.get(MARK)]);
    if (made !== undefined && !(MARK in marked)) await from.set({ [MARK]: true });
  }

  async #move(): Promise<void> {
    if ((await this.#state()) === REMOVED[0]) return; // at every start but the first
    await this.#deps.locks.exclusive(LOCK, async () => {
      const state = await this.#state();
      if (state === undefined) await this.#copy();
      if (state !== REMOVED[0]) await this.#remove();
    });
  }

  async #copy(): Promise<void> {
    const { to } = this.#deps;
    const values = await this.#originals();
    if (values.size === 0 && MARK in (await inTime(this.#deps.from.get(MARK), 'storage-local'))) {
      values.set(VAULT_MARKER, new Uint8Array(0)); // no reader accepts it: there was a vault
    }
    // An interrupted attempt may have left values that the earlier version has removed since.
    const stale = (await to.keys()).filter((name) => !values.has(name));
    if (values.size > 0) await writeVerified(to, values, stale);
    await writeVerified(to, new Map([[STATE, COPIED]]));
  }

  async #remove(): Promise<void> {
    const { from, to } = this.#deps;
    const names = [...(await this.#originals()).keys()];
    if (names.length > 0) await inTime(from.remove(names), 'storage-local');
    await writeVerified(to, new Map([[STATE, REMOVED]]));
  }

  async #originals(): Promise<Map<string, Uint8Array>> {
    const all = Object.entries(await inTime(this.#deps.from.get(null), 'storage-local'));
    const ours = all.filter(([name]) => PREFIXES.some((prefix) => name.startsWith(prefix)));
    return new Map(ours.map(([name, value]) => [name, bytesOf(name, value)]));
  }

  async #state(): Promise<number | undefined> {
    return (await this.#deps.to.get(STATE))?.[0];
  }
}

function bytesOf(name: string, value: unknown): Uint8Array {
  try {
    if (name.startsWith(BYTES) && typeof value === 'string') return fromBase64url(value);
  } catch {
    // Damaged. It stays a value that no reader accepts, and that a repair finds.
  }
  return utf8(JSON.stringify(value));
}
