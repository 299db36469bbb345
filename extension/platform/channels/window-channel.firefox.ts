import { attach, compact, detach, payloadBytes } from '../../../src/rpc/transport/attachments.ts';
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import {
  typedArrayBuffer,
  typedArrayByteLength,
  hasOwn,
  isArray,
  isUint8Array,
  SafeMap,
  SafeUint8Array,
} from '../../../src/rpc/primordials.ts';
import { ReorderBuffer } from './reorder-buffer.ts';
import { Port, transferList } from './message-port.ts';
import type { OpenWindowChannel, WindowEvents, WindowMessage } from './window-channel-events.ts';

/*
 * In Firefox a MessagePort copies what it should transfer; only window.postMessage transfers buffers.
 * So messages with large payloads go over the window, under random ids that are used once. The receiver
 * sends the ids over the port beforehand:
 *
 *   port    → { wanted: true }                    before the first of them
 *   port    ← { ids: [id, id, …] }                again when few are left
 *   window  → { sealwright: 'bulk', id, turn, body, paths, buffers }
 *   port    → { turn, message }                   all others
 *   port    → { sent }                            back from the back/forward cache: turns so far
 *   port    ← { lost: true }                      one of them did not arrive; both ends close
 *
 * Firefox drops window messages that are under way when their document enters the back/forward cache,
 * and the transferred buffers with them, so they cannot be sent again: their calls have to fail.
 *
 * The order of port and window messages is not defined: `turn` numbers the messages of both.
 *
 * In a content script, values of the page's world are behind Xrays, those of both kinds of messages included. A
 * clone is a value of this script's own realm; with transfer it copies no bytes. The page's script needs it for
 * window messages alone: Firefox keeps their events for seconds while the page is busy, with all bytes that are
 * still theirs.
 */

/** Below this, the port's copy is cheaper than a message over the window. */
const BULK_BYTES = 16 * 1024;

/** Ids in one message. The next is sent when half of them are used, so that the sender does not wait. */
const IDS = 64;

const { structuredClone } = globalThis;
const randomUUID = crypto.randomUUID.bind(crypto);

interface Bulk {
  readonly turn: number;
  readonly body: unknown;
  readonly paths: string[][];
  readonly buffers: ArrayBuffer[];
}

/** The channel of window-channel.ts for Firefox. */
export const windowChannel: OpenWindowChannel = (port, peer, events, side) =>
  new BulkChannel(port, peer, events, side === 'content');

class BulkChannel implements Channel {
  readonly peer: Caller;
  readonly #port: Port;
  readonly #events: WindowEvents;
  readonly #isBehindXrays: boolean;
  /** Ids that the other end accepts, and messages that wait for one. */
  #ids: string[] = [];
  #waiting: Bulk[] = [];
  #hasWanted = false;
  /** Ids that this end accepts. */
  readonly #granted = new SafeMap<string, true>();
  #turn = 0;
  readonly #forgetRestored: () => void;
  readonly #incoming = new ReorderBuffer((message) => this.#isOpen && this.#listener(message));
  #listener: (message: unknown) => void = () => undefined;
  #onClose: (() => void)[] = [];
  #isOpen = true;

  constructor(port: MessagePort, peer: Caller, events: WindowEvents, isBehindXrays: boolean) {
    this.peer = peer;
    this.#isBehindXrays = isBehindXrays;
    this.#port = new Port(port);
    this.#events = events;
    events.add(this.#onBulk);
    this.#forgetRestored = events.onRestored(() => this.#port.post({ sent: this.#turn }));
  }

  send(message: unknown): void {
    if (!this.#isOpen) return;
    const turn = this.#turn++;
    if (payloadBytes(message) < BULK_BYTES) {
      this.#port.post({ turn, message });
      return;
    }
    this.#waiting[this.#waiting.length] = bulkOf(message, turn);
    this.#sendBulk();
    if (this.#hasWanted || this.#waiting.length === 0) return;
    this.#hasWanted = true;
    this.#port.post({ wanted: true });
  }

  /** Sends as many waiting messages as there are ids. */
  #sendBulk(): void {
    let sent = 0;
    for (; sent < this.#waiting.length && this.#ids.length > 0; sent++) {
      const id = this.#ids[this.#ids.length - 1]!;
      this.#ids.length--;
      const bulk = { sealwright: 'bulk', id, ...this.#waiting[sent]! };
      this.#events.post(bulk, bulk.buffers);
    }
    this.#waiting = from(this.#waiting, sent);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener;
    this.#port.onMessage((message) => {
      if (this.#isOpen) this.#receive(this.#isBehindXrays ? structuredClone(message) : message);
    });
  }

  #receive(message: unknown): void {
    if (has(message, 'turn')) this.#incoming.take(message.turn, message.message);
    else if (has(message, 'wanted')) this.#grant();
    else if (has(message, 'lost')) this.close();
    else if (has(message, 'sent')) this.#closeUnlessComplete(message.sent);
    else if (has(message, 'ids') && isArray(message.ids)) {
      for (let i = 0; i < message.ids.length; i++) {
        this.#ids[this.#ids.length] = message.ids[i] as string;
      }
      this.#sendBulk();
    }
  }

  #closeUnlessComplete(sent: unknown): void {
    if (this.#incoming.isComplete(sent)) return;
    this.#port.post({ lost: true });
    this.close();
  }

  #grant(): void {
    if (this.#granted.size > IDS / 2) return;
    const ids: string[] = [];
    for (let i = 0; i < IDS; i++) {
      ids[i] = randomUUID();
      this.#granted.set(ids[i]!, true);
    }
    this.#port.post({ ids });
  }

  readonly #onBulk = ({ data }: WindowMessage): boolean => {
    if (!isBulk(data) || !this.#granted.delete(data.id)) return false;
    const bulk = structuredClone(data, { transfer: transferList(ownList(data.buffers)) });
    this.#grant();
    // Only a forged message is inconsistent. Its number is used up; the listener drops `undefined`.
    this.#incoming.take(bulk.turn, isRestored(bulk) ? bulk.body : undefined);
    return true;
  };

  onClose(listener: () => void): void {
    if (this.#isOpen) this.#onClose[this.#onClose.length] = listener;
    else listener();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#events.remove(this.#onBulk);
    this.#forgetRestored();
    this.#port.close();
    for (let i = 0; i < this.#onClose.length; i++) this.#onClose[i]!();
  }
}

/** The message with its bytes taken out, to be transferred. */
function bulkOf(message: unknown, turn: number): Bulk {
  const { body, attachments } = detach(message);
  const paths: string[][] = [];
  const buffers: ArrayBuffer[] = [];
  for (let i = 0; i < attachments.length; i++) {
    paths[i] = attachments[i]!.path;
    buffers[i] = transferable(attachments[i]!.bytes);
  }
  return { turn, body, paths, buffers };
}

/** Empty arrays may be shared constants: a transferred one could not be sent again. */
function transferable(bytes: Uint8Array): ArrayBuffer {
  const own = typedArrayByteLength(bytes) > 0 ? compact(bytes) : new SafeUint8Array(0);
  return typedArrayBuffer(own);
}

/** The same buffers in a list of this script's realm: the given one may be behind an Xray. */
function ownList(buffers: readonly ArrayBuffer[]): ArrayBuffer[] {
  return from(buffers, 0);
}

/** Like `slice`, which a page may have replaced. */
function from<T>(list: readonly T[], start: number): T[] {
  const rest: T[] = [];
  for (let i = start; i < list.length; i++) rest[i - start] = list[i]!;
  return rest;
}

/** Puts the buffers into the body. @returns false where they do not fit */
function isRestored({ body, paths, buffers }: Bulk): boolean {
  if (!isArray(paths) || buffers.length !== paths.length) return false;
  for (let i = 0; i < paths.length; i++) {
    const bytes = new SafeUint8Array(buffers[i]!);
    if (!isUint8Array(bytes) || !attach(body, paths[i]!, bytes)) return false;
  }
  return true;
}

function has(message: unknown, name: string): message is Record<string, unknown> {
  return typeof message === 'object' && message !== null && hasOwn(message, name);
}

function isBulk(data: unknown): data is Bulk & { readonly id: string } {
  return has(data, 'sealwright') && data.sealwright === 'bulk' && has(data, 'buffers');
}
