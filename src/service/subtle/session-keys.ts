/**
 * The session keys of `subtle`: raw bytes in storage.session, so that they outlive the worker and
 * not the browser, and never touch the disk. They belong to one document.
 *
 * A page reports which keys it has dropped. Nothing tells the background that a document has gone: a
 * port closes also when the worker ends, and a listener to every closed tab would wake the worker
 * for all of them. So whenever a document makes its first key, or there is no room, all others are
 * asked whether they are still there.
 *
 *   subtle/documents            → what each document holds, for the limits
 *   subtle/keys/<document id>/… → its keys (session-key-shards.ts)
 */
import type { Locks, SessionStore } from '../../keys/storage/key-value-store.ts';
import { toBase64url } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import { subtleError } from './errors.ts';
import type { PageCaller } from '../calls/frame-policy.ts';
import { isNamed, type DocumentPlace, type Documents } from './documents.ts';
import type { Call } from '../../rpc/call.ts';
import { hasRoom, KEY_SHARES, type KeyRecord } from './key-record.ts';
import { SessionKeyShards } from './session-key-shards.ts';
import type { ChangedShards, Changes, Made } from './session-key-shards.ts';

/** How many keys and bytes an origin may store, and all origins together (`KeyRoom`). */
export const SESSION_KEY_LIMITS = {
  keysPerOrigin: 4096,
  /** As stored: that many symmetric keys, or 400 pairs of RSA. */
  bytesPerOrigin: 1024 * 1024,
  /** Of the 10 MiB of storage.session; the unlocked vault key lies there too, and always has room. */
  bytes: 8 * 1024 * 1024,
  ...KEY_SHARES,
} as const;

const INDEX = 'subtle/documents';

interface Entry extends DocumentPlace {
  readonly origin: string;
  readonly keys: number;
  readonly bytes: number;
}
type Index = Readonly<Record<string, Entry>>;

/** What one request made: a key or a pair. */
export type MadeKeys = readonly KeyRecord[];

/** A session key, and what its page calls it: no other key has or will have the same handle. */
export interface KeptKey {
  readonly handle: string;
  readonly record: KeyRecord;
}

/** Of a handle. */
const TAG_BYTES = 9;

/** What the session keys are built from. */
export interface SessionKeysDeps {
  readonly session: SessionStore;
  readonly locks: Locks;
  readonly documents: Documents;
  /** For handles. */
  readonly random: RandomSource;
}

type Maker = Pick<Call, 'requestId'> & { readonly caller: PageCaller };

/** Stores, finds and removes the session keys of documents. */
export class SessionKeys {
  readonly #session: SessionStore;
  readonly #locks: Locks;
  readonly #documents: Documents;
  readonly #random: RandomSource;
  readonly #shards: SessionKeyShards;

  constructor({ session, locks, documents, random }: SessionKeysDeps) {
    this.#session = session;
    this.#locks = locks;
    this.#documents = documents;
    this.#random = random;
    this.#shards = new SessionKeyShards(session);
  }

  /** What this very request has made before, if it comes again. */
  async madeBy({ caller, requestId }: Maker): Promise<readonly KeptKey[] | undefined> {
    const made = await this.#shards.madeBy(holderOf(caller, requestId), requestId);
    if (!made) return undefined;
    const { tag, keys } = made;
    return keys.every((key) => key !== null) ? kept(requestId, tag, keys) : undefined;
  }

  /** Undefined for a key that is not of this document: another's, or gone. */
  async get(caller: PageCaller, handle: string): Promise<KeyRecord | undefined> {
    const { requestId, place, tag } = parsed(handle);
    const made = await this.#shards.madeBy(holderOf(caller, requestId), requestId);
    return (made?.tag === tag && made.keys[place]) || undefined;
  }

  /**
   * Keeps what a request made, once: should the request have been served before, what it made then
   * is what there is.
   *
   * @throws QuotaExceededError (DOMException) beyond SESSION_KEY_LIMITS
   */
  keep(maker: Maker, keys: MadeKeys): Promise<readonly KeptKey[]> {
    return this.#exclusive(async () => {
      const before = await this.madeBy(maker);
      if (before) return before;
      const { caller, requestId } = maker;
      const holder = holderOf(caller, requestId);
      const tag = toBase64url(this.#random.bytes(TAG_BYTES));
      const changed = await this.#shards.changed(holder, { [requestId]: { tag, keys } });
      // The index first: what is counted and not there is counted anew by the next key.
      await this.#session.set(INDEX, await this.#withRoomFor(entryOf(holder, changed)));
      await changed.write();
      return kept(requestId, tag, keys);
    });
  }

  /** Removes keys that their document has dropped; other keys are passed over. */
  drop({ caller, requestId }: Maker, handles: readonly string[]): Promise<void> {
    return this.#exclusive(async () => {
      const holder = holderOf(caller, requestId);
      const changes = await this.#without(holder, handles);
      if (Object.keys(changes).length === 0) return;
      const changed = await this.#shards.changed(holder, changes);
      await changed.write();
      const index = await this.#index();
      await this.#session.set(INDEX, { ...index, [holder.documentId]: entryOf(holder, changed) });
    });
  }

  async #without(holder: PageCaller, handles: readonly string[]): Promise<Changes> {
    const left = new Map<string, Made>();
    for (const handle of handles) {
      const { requestId, place, tag } = parsed(handle);
      const made = left.get(requestId) ?? (await this.#shards.madeBy(holder, requestId));
      if (made?.tag !== tag) continue;
      const keys = made.keys.map((key, i) => (i === place ? null : key));
      left.set(requestId, { tag, keys });
    }
    const isEmpty = ({ keys }: Made): boolean => keys.every((key) => key === null);
    return Object.fromEntries(
      [...left].map(([id, made]) => [id, isEmpty(made) ? undefined : made]),
    );
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#locks.exclusive('subtle keys', work);
  }

  async #index(): Promise<Index> {
    return ((await this.#session.get(INDEX)) as Index | undefined) ?? {};
  }

  /** @returns the index with the entry in it */
  async #withRoomFor(entry: Entry): Promise<Index> {
    const index = await this.#index();
    const isFirst = !Object.hasOwn(index, entry.documentId);
    const others = Object.values(index).filter((other) => other.documentId !== entry.documentId);
    const isRoom = !isFirst && fits(entry, others);
    const kept = isRoom || !fits(entry, []) ? others : await this.#open(others, entry);
    if (!fits(entry, kept)) {
      throw subtleError('QuotaExceededError', 'There is no room for more session keys');
    }
    return Object.fromEntries([...kept, entry].map((one) => [one.documentId, one]));
  }

  /** Those that are still there; the keys of the others go. */
  async #open(entries: readonly Entry[], asking: Entry): Promise<Entry[]> {
    const isOpen = async (entry: Entry): Promise<boolean> =>
      !isReplaced(entry, asking) && (await this.#documents.isOpen(entry));
    const areOpen = await Promise.all(entries.map(isOpen));
    const gone = entries.filter((_, i) => !areOpen[i]);
    await Promise.all(gone.map(({ documentId }) => this.#shards.clear(documentId)));
    return entries.filter((_, i) => areOpen[i]);
  }
}

/** What one request made, with its handles; no other document knows the request's id. */
function kept(requestId: string, tag: string, keys: MadeKeys): readonly KeptKey[] {
  return keys.map((record, place) => ({ handle: `${requestId}#${place}#${tag}`, record }));
}

function parsed(handle: string): { requestId: string; place: number; tag: string } {
  const [requestId = '', place = '', tag = ''] = handle.split('#', 3);
  return { requestId, place: Number(place), tag };
}

/**
 * The caller with an id that no later document has. Where the browser names none, the content
 * script sets them apart: its request ids begin with random text of its own (method-client.ts).
 */
function holderOf(caller: PageCaller, requestId: string): PageCaller {
  const { documentId } = caller;
  if (isNamed(documentId)) return caller;
  return { ...caller, documentId: `${documentId}/${requestId.split('-', 1)[0]!}` };
}

function entryOf(holder: PageCaller, { keys, bytes }: ChangedShards): Entry {
  const { origin, documentId, tabId, frameId } = holder;
  return { origin, documentId, tabId, frameId, keys, bytes };
}

/** A frame shows one document: the one before has gone, or waits for the back button. */
function isReplaced({ tabId, frameId }: Entry, by: Entry): boolean {
  return tabId === by.tabId && frameId === by.frameId;
}

function fits(entry: Entry, others: readonly Entry[]): boolean {
  const all = [entry, ...others];
  const own = all.filter(({ origin }) => origin === entry.origin);
  return (
    sum(own, 'keys') <= SESSION_KEY_LIMITS.keysPerOrigin &&
    sum(own, 'bytes') <= SESSION_KEY_LIMITS.bytesPerOrigin &&
    hasRoom(all, entry, SESSION_KEY_LIMITS)
  );
}

function sum(entries: readonly Entry[], field: 'keys' | 'bytes'): number {
  return entries.reduce((total, entry) => total + entry[field], 0);
}
