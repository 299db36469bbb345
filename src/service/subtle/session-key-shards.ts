import type { SessionStore } from '../../keys/storage/key-value-store.ts';
import type { KeyRecord } from './key-record.ts';

/** What one request made. */
export interface Made {
  /** Random, and a part of the handles: a request that comes again after its keys were dropped makes keys with others. */
  readonly tag: string;
  /** A key or a pair; null in place of a key that its page has dropped. */
  readonly keys: readonly (KeyRecord | null)[];
}

/** By request; undefined removes what it made. */
export type Changes = Readonly<Record<string, Made | undefined>>;

interface Shard {
  readonly origin: string;
  readonly made: Readonly<Record<string, Made>>;
}

/** A shard, its JSON, and how many keys it holds. */
interface CachedShard {
  readonly shard: Shard | undefined;
  readonly text: string;
  readonly keys: number;
}

interface Holder {
  readonly documentId: string;
  readonly origin: string;
}

/** What a document will hold, as stored, and how to make it so. */
export interface ChangedShards {
  readonly keys: number;
  readonly bytes: number;
  write(): Promise<void>;
}

const SHARDS = 16;

/**
 * Shards that are remembered, of 256 documents. Where the browser names no documents, callers choose a
 * part of the names, and ask for as many as they like.
 */
export const CACHED_SHARDS_MAX = 256 * SHARDS;
const EMPTY: CachedShard = { shard: undefined, text: '', keys: 0 };

/**
 * The session keys of each document, spread over a few items of the session store: a new key writes
 * a sixteenth of them, and a document that has gone is cleared by name.
 *
 *   subtle/keys/<document id>/<0 … 15>   → JSON of a shard
 *
 * What was read or written is remembered: these items have no other writer, and code that changes
 * them takes turns with the rest (src/service/subtle/session-keys.ts).
 */
export class SessionKeyShards {
  readonly #session: SessionStore;
  readonly #cached = new Map<string, Promise<CachedShard>>();

  constructor(session: SessionStore) {
    this.#session = session;
  }

  /** Undefined also where the document holds keys of another origin. */
  async madeBy({ documentId, origin }: Holder, requestId: string): Promise<Made | undefined> {
    const { shard } = await this.#read(nameOf(documentId, shardOf(requestId)));
    const isThere = shard?.origin === origin && Object.hasOwn(shard.made, requestId);
    return isThere ? shard.made[requestId] : undefined;
  }

  async changed({ documentId, origin }: Holder, changes: Changes): Promise<ChangedShards> {
    const names = namesOf(documentId);
    const before = await Promise.all(names.map((name) => this.#read(name)));
    const after = before.map((cached, i) => shardWith(origin, cached, ofShard(changes, i)));
    return {
      keys: after.reduce((sum, { keys }) => sum + keys, 0),
      bytes: after.reduce((sum, { text }) => sum + text.length, 0),
      write: async () => {
        const different = names.filter((_, i) => after[i] !== before[i]);
        await Promise.all(different.map((name) => this.#write(name, after[names.indexOf(name)]!)));
      },
    };
  }

  async clear(documentId: string): Promise<void> {
    await Promise.all(namesOf(documentId).map((name) => this.#write(name, EMPTY)));
    for (const name of namesOf(documentId)) this.#cached.delete(name);
  }

  #read(name: string): Promise<CachedShard> {
    const cached = this.#cached.get(name);
    if (cached) return cached;
    const reading = this.#load(name);
    this.#remember(name, reading);
    // What could not be read is asked for again.
    reading.catch(() => this.#cached.delete(name));
    return reading;
  }

  async #load(name: string): Promise<CachedShard> {
    const text = await this.#session.get(name);
    return typeof text === 'string' ? sized(JSON.parse(text) as Shard, text) : EMPTY;
  }

  async #write(name: string, cached: CachedShard): Promise<void> {
    if (cached.shard) await this.#session.set(name, cached.text);
    else await this.#session.remove(name);
    this.#remember(name, Promise.resolve(cached));
  }

  /** In place of the one that was remembered first. */
  #remember(name: string, shard: Promise<CachedShard>): void {
    this.#cached.delete(name);
    const [first] = this.#cached.keys();
    if (this.#cached.size >= CACHED_SHARDS_MAX) this.#cached.delete(first!);
    this.#cached.set(name, shard);
  }

  /** How many shards are in memory. */
  get cachedCount(): number {
    return this.#cached.size;
  }
}

function shardWith(origin: string, before: CachedShard, changes: Changes): CachedShard {
  if (Object.keys(changes).length === 0) return before;
  const old = before.shard?.origin === origin ? before.shard.made : {};
  const entries = Object.entries({ ...old, ...changes }).filter(([, made]) => made !== undefined);
  if (entries.length === 0) return EMPTY;
  const shard = { origin, made: Object.fromEntries(entries) as Shard['made'] };
  return sized(shard, JSON.stringify(shard));
}

function sized(shard: Shard, text: string): CachedShard {
  const keys = Object.values(shard.made).flatMap((made) => made.keys);
  return { shard, text, keys: keys.filter((key) => key !== null).length };
}

function ofShard(changes: Changes, place: number): Changes {
  const entries = Object.entries(changes).filter(([requestId]) => shardOf(requestId) === place);
  return Object.fromEntries(entries);
}

/** Requests are counted, so the ends of their ids spread evenly. */
function shardOf(requestId: string): number {
  const count = Number(/\d+$/.exec(requestId)?.[0] ?? 0);
  return count % SHARDS;
}

function nameOf(documentId: string, place: number): string {
  return `subtle/keys/${documentId}/${place}`;
}

function namesOf(documentId: string): string[] {
  return Array.from({ length: SHARDS }, (_, place) => nameOf(documentId, place));
}
