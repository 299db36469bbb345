import type { Caller, Channel } from '../../src/rpc/channel.ts';

export const PAGE: Caller = {
  kind: 'page',
  origin: 'https://example.com',
  topOrigin: 'https://example.com',
  tabId: 7,
  frameId: 0,
  documentId: 'D1',
  incognito: false,
  container: null,
};
export const POPUP: Caller = { kind: 'surface', page: 'popup' };

/** The fate of the nth message (from 0): it arrives, or the channel drops before or after it. */
export type Fate = 'arrives' | 'lost' | 'last';

/** One end of a channel in memory. Messages arrive in later microtasks, as structured clones. */
class MemoryEnd implements Channel {
  readonly peer: Caller;
  other!: MemoryEnd;
  readonly #fate: () => Fate;
  #listener: (message: unknown) => void = () => undefined;
  readonly #closeListeners: (() => void)[] = [];
  #isOpen = true;

  constructor(peer: Caller, fate: () => Fate) {
    this.peer = peer;
    this.#fate = fate;
  }

  send(message: unknown): void {
    if (!this.#isOpen) return;
    const copy: unknown = structuredClone(message);
    const fate = this.#fate();
    if (fate !== 'lost') queueMicrotask(() => this.other.#arrive(copy));
    if (fate !== 'arrives') queueMicrotask(() => this.close());
  }

  #arrive(message: unknown): void {
    if (this.#isOpen) this.#listener(message);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener;
  }

  onClose(listener: () => void): void {
    if (this.#isOpen) this.#closeListeners.push(listener);
    else listener();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const listener of this.#closeListeners) listener();
    this.other.close();
  }
}

/** Two connected ends: the first is the client's, the second the server's, whose peer is `caller`. */
export function memoryChannel(
  caller: Caller,
  fate: () => Fate = () => 'arrives',
): [Channel, Channel] {
  const client = new MemoryEnd(POPUP, fate);
  const server = new MemoryEnd(caller, fate);
  client.other = server;
  server.other = client;
  return [client, server];
}
