/**
 * The session keys of `subtle`: raw bytes in storage.session, so that they outlive the worker and
 * not the browser, and never touch the disk. They belong to one document.
 *
 * Nothing tells the background that a document has gone: a port closes also when the worker sleeps,
 * and a listener to every closed tab would wake the worker for all of them. So whenever a document
 * makes its first key, or there is no room, all others are asked whether they are still there.
 *
 *   subtle/documents            → what each document holds, for the limits
 *   subtle/keys/<document id>   → its keys, by the request that made them
 */
import { CachedSession } from '../keys/cached-session.ts';
import type { Locks } from '../keys/locks.ts';
import type { SessionStore } from '../keys/session-store.ts';
import { subtleError } from './subtle-errors.ts';
import type { PageCaller } from './frame-policy.ts';
import type { DocumentPlace, Documents } from './documents.ts';
import type { Call } from '../rpc/call.ts';
import type { KeyRecord } from './key-record.ts';

export const SESSION_KEY_LIMITS = {
  keysPerOrigin: 256,
  /** As stored. */
  bytesPerOrigin: 256 * 1024,
  /** The unlocked vault key lies in the same storage, and always has room. */
  bytes: 2 * 1024 * 1024,
} as const;

const INDEX = 'subtle/documents';
const keysOf = (documentId: string): string => `subtle/keys/${documentId}`;

interface Entry extends DocumentPlace {
  readonly origin: string;
  readonly keys: number;
  readonly bytes: number;
}
type Index = Readonly<Record<string, Entry>>;

/** What one request made: a key or a pair. */
export type MadeKeys = readonly KeyRecord[];

interface Held {
  readonly origin: string;
  readonly made: Readonly<Record<string, MadeKeys>>;
}

export interface SessionKeysParts {
  readonly session: SessionStore;
  readonly locks: Locks;
  readonly documents: Documents;
}

type Maker = Pick<Call, 'requestId'> & { readonly caller: PageCaller };

export class SessionKeys {
  readonly #session: SessionStore;
  readonly #locks: Locks;
  readonly #documents: Documents;

  constructor({ session, locks, documents }: SessionKeysParts) {
    this.#session = new CachedSession(session);
    this.#locks = locks;
    this.#documents = documents;
  }

  /** What this very request has made before, if it comes again. */
  async madeBy({ caller, requestId }: Maker): Promise<MadeKeys | undefined> {
    const made = (await this.#held(caller))?.made;
    return made && Object.hasOwn(made, requestId) ? made[requestId] : undefined;
  }

  /**
   * Undefined for a key that is not of this document: another's, or gone.
   * @param handle as `handleOf` makes it
   */
  async get(caller: PageCaller, handle: string): Promise<KeyRecord | undefined> {
    const [requestId = '', place = ''] = handle.split('#', 2);
    const made = (await this.#held(caller))?.made;
    return made && Object.hasOwn(made, requestId) ? made[requestId]![Number(place)] : undefined;
  }

  /**
   * Keeps what a request made, once: should the request have been served before, what it made then
   * is what there is.
   *
   * @throws QuotaExceededError (DOMException) beyond SESSION_KEY_LIMITS
   */
  keep(maker: Maker, keys: MadeKeys): Promise<MadeKeys> {
    return this.#locks.exclusive('subtle keys', async () => {
      const before = await this.madeBy(maker);
      if (before) return before;
      const { caller, requestId } = maker;
      const held = await this.#held(caller);
      const next: Held = { origin: caller.origin, made: { ...held?.made, [requestId]: keys } };
      // The index first: what is counted and not there is counted anew by the next key.
      await this.#session.set(INDEX, await this.#withRoomFor(entryOf(caller, next), !held));
      await this.#session.set(keysOf(caller.documentId), next);
      return keys;
    });
  }

  async #held({ documentId, origin }: PageCaller): Promise<Held | undefined> {
    const held = (await this.#session.get(keysOf(documentId))) as Held | undefined;
    return held?.origin === origin ? held : undefined;
  }

  /** @returns the index with the entry in it */
  async #withRoomFor(entry: Entry, isFirst: boolean): Promise<Index> {
    const index = (await this.#session.get(INDEX)) as Index | undefined;
    const others = Object.values(index ?? {}).filter(
      ({ documentId }) => documentId !== entry.documentId,
    );
    const kept = !isFirst && fits(entry, others) ? others : await this.#open(others);
    if (!fits(entry, kept)) {
      throw subtleError('QuotaExceededError', 'There is no room for more session keys');
    }
    return Object.fromEntries([...kept, entry].map((one) => [one.documentId, one]));
  }

  /** Those that are still there; the keys of the others go. */
  async #open(entries: readonly Entry[]): Promise<Entry[]> {
    const areOpen = await Promise.all(entries.map((entry) => this.#documents.isOpen(entry)));
    const gone = entries.filter((_, i) => !areOpen[i]);
    await Promise.all(gone.map(({ documentId }) => this.#session.remove(keysOf(documentId))));
    return entries.filter((_, i) => areOpen[i]);
  }
}

/** What a page's document calls a key; no other document knows the request's id. */
export function handleOf(requestId: string, place: number): string {
  return `${requestId}#${place}`;
}

function entryOf({ origin, documentId, tabId, frameId }: PageCaller, { made }: Held): Entry {
  const keys = Object.values(made).reduce((sum, keys) => sum + keys.length, 0);
  const bytes = JSON.stringify(made).length;
  return { origin, documentId, tabId, frameId, keys, bytes };
}

function fits(entry: Entry, others: readonly Entry[]): boolean {
  const own = [entry, ...others.filter(({ origin }) => origin === entry.origin)];
  return (
    sum(own, 'keys') <= SESSION_KEY_LIMITS.keysPerOrigin &&
    sum(own, 'bytes') <= SESSION_KEY_LIMITS.bytesPerOrigin &&
    sum([entry, ...others], 'bytes') <= SESSION_KEY_LIMITS.bytes
  );
}

function sum(entries: readonly Entry[], field: 'keys' | 'bytes'): number {
  return entries.reduce((total, entry) => total + entry[field], 0);
}
