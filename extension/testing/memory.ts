/** What the browser keeps for the extension, and its channels, in memory. */
import type { KeyValueStore, Locks, SessionStore } from '../../src/keys/storage/key-value-store.ts';
import type { Caller, Channel } from '../../src/rpc/channel.ts';

/** A KeyValueStore in memory, atomic as IndexedDB is. */
export class MemoryStore implements KeyValueStore {
  readonly name: string;
  readonly values = new Map<string, Uint8Array>();

  constructor(name = 'memory') {
    this.name = name;
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    await turn();
    return this.values.get(key)?.slice();
  }

  async write(
    puts: ReadonlyMap<string, Uint8Array>,
    removes: readonly string[] = [],
  ): Promise<void> {
    await turn();
    for (const key of removes) this.values.delete(key);
    for (const [key, bytes] of puts) this.values.set(key, bytes.slice());
  }

  async keys(): Promise<string[]> {
    await turn();
    return [...this.values.keys()];
  }
}

/** A SessionStore in memory. Values pass through JSON, as they do in storage.session. */
export class MemorySession implements SessionStore {
  readonly values = new Map<string, string>();

  async get(key: string): Promise<unknown> {
    await turn();
    const text = this.values.get(key);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async set(key: string, value: unknown): Promise<void> {
    await turn();
    // Chromium's store gives objects back with their keys sorted, whatever order they went in.
    this.values.set(key, JSON.stringify(value, sortedKeys));
  }

  async remove(key: string): Promise<void> {
    await turn();
    this.values.delete(key);
  }
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Locks in memory: first come, first served. */
export class MemoryLocks implements Locks {
  readonly #tails = new Map<string, Promise<unknown>>();

  exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(name) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#tails.set(name, result);
    return result;
  }
}

/** No store answers in the task that asks it. */
function turn(): Promise<void> {
  return Promise.resolve();
}

/**
 * Two ends of a channel. Messages are cloned, as those of ports are, and arrive in a later job.
 *
 * @param peers whom the first end talks to, and the second
 */
export function memoryChannel(...peers: readonly [Caller, Caller]): readonly [Channel, Channel] {
  const first = new MemoryChannel(peers[0]);
  const second = new MemoryChannel(peers[1]);
  first.other = second;
  second.other = first;
  return [first, second];
}

class MemoryChannel implements Channel {
  readonly peer: Caller;
  other!: MemoryChannel;
  #isOpen = true;
  readonly #unread: unknown[] = [];
  #listener: ((message: unknown) => void) | undefined;
  readonly #closing: (() => void)[] = [];

  constructor(peer: Caller) {
    this.peer = peer;
  }

  send(message: unknown): void {
    if (!this.#isOpen) return;
    const copy: unknown = structuredClone(message);
    queueMicrotask(() => this.other.#receive(copy));
  }

  #receive(message: unknown): void {
    if (!this.#isOpen) return;
    if (this.#listener === undefined) this.#unread.push(message);
    else this.#listener(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener;
    for (const message of this.#unread.splice(0)) listener(message);
  }

  onClose(listener: () => void): void {
    if (this.#isOpen) this.#closing.push(listener);
    else listener();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const listener of this.#closing.splice(0)) listener();
    queueMicrotask(() => this.other.close());
  }
}
