import { attach, compact, detach, payloadBytes } from '../../src/rpc/attachments.ts';
import type { Attachment } from '../../src/rpc/attachments.ts';
import type { Caller, Channel } from '../../src/rpc/channel.ts';
import {
  typedArrayBuffer,
  typedArrayByteLength,
  hasOwn,
  isUint8Array,
  SafeMap,
  SafeUint8Array,
} from '../../src/rpc/primordials.ts';
import { Port, transferList } from './message-port.ts';
import type { OpenWindowChannel, WindowEvents, WindowMessage } from './window-channel-events.ts';

/*
 * In Firefox a MessagePort copies what it should transfer, and only window.postMessage gives
 * buffers away. So messages with large payloads go in three steps, of which the first two are on
 * the port, and the id is random and used once:
 *
 *   port    → { announced: id, body, paths }      later messages are given out after this one
 *   port    ← { goAhead: id }
 *   window  → { sealwright: 'bulk', id, buffers }
 *
 * Any number of messages may be at any of these steps at the same time: nobody waits for the trips
 * of another message.
 *
 * In a content script, what comes from the page's world is seen through Xrays: a clone makes it a
 * value of one's own, and transferring at once, it copies no bytes.
 */

/** Below this, the port's copy is cheaper than two more trips. */
const BULK_BYTES = 16 * 1024;

const { structuredClone } = globalThis;
const randomUUID = crypto.randomUUID.bind(crypto);

interface Announced {
  readonly announced: string;
  readonly body: unknown;
  readonly paths: string[][];
}

/** See window-channel.ts: the same line, as Firefox has it. */
export const windowChannel: OpenWindowChannel = (port, peer, events) =>
  new BulkChannel(port, peer, events);

/** A message in its place in the line, which its buffers may not have reached yet. */
interface Incoming {
  readonly message: unknown;
  /** Undefined when the message is whole. */
  readonly awaited: Announced | undefined;
}

class BulkChannel implements Channel {
  readonly peer: Caller;
  readonly #port: Port;
  readonly #events: WindowEvents;
  readonly #outgoing = new SafeMap<string, Attachment[]>();
  #incoming: Incoming[] = [];
  #listener: (message: unknown) => void = () => undefined;
  #onClose: (() => void)[] = [];
  #isOpen = true;

  constructor(port: MessagePort, peer: Caller, events: WindowEvents) {
    this.peer = peer;
    this.#port = new Port(port);
    this.#events = events;
    events.add(this.#takeBulk);
  }

  send(message: unknown): void {
    if (!this.#isOpen) return;
    if (payloadBytes(message) < BULK_BYTES) {
      this.#port.post(message);
      return;
    }
    const { body, attachments } = detach(message);
    const announced = randomUUID();
    const paths: string[][] = [];
    for (let i = 0; i < attachments.length; i++) paths[i] = attachments[i]!.path;
    this.#outgoing.set(announced, attachments);
    this.#port.post({ announced, body, paths } satisfies Announced);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listener = listener;
    this.#port.onMessage((foreign) => {
      if (!this.#isOpen) return;
      this.#receive(structuredClone(foreign));
    });
  }

  #receive(message: unknown): void {
    if (isGoAhead(message)) {
      this.#sendBulk(message.goAhead);
      return;
    }
    if (isAnnounced(message)) {
      this.#incoming[this.#incoming.length] = { message: message.body, awaited: message };
      this.#port.post({ goAhead: message.announced });
      return;
    }
    this.#incoming[this.#incoming.length] = { message, awaited: undefined };
    this.#deliver();
  }

  #sendBulk(id: string): void {
    const attachments = this.#outgoing.get(id);
    if (!attachments) return;
    this.#outgoing.delete(id);
    const buffers: ArrayBuffer[] = [];
    for (let i = 0; i < attachments.length; i++) buffers[i] = givenAway(attachments[i]!.bytes);
    this.#events.post({ sealwright: 'bulk', id, buffers }, buffers);
  }

  readonly #takeBulk = ({ data }: WindowMessage): boolean => {
    if (!isBulk(data)) return false;
    const place = this.#placeOf(data.id);
    if (place < 0) return false;
    const { buffers } = structuredClone(data, { transfer: transferList(ownList(data.buffers)) });
    const { message, awaited } = this.#incoming[place]!;
    // What does not fit together is in nobody's interest but a forger's: nothing comes of it.
    const whole = isRestored(awaited!, buffers) ? message : undefined;
    this.#incoming[place] = { message: whole, awaited: undefined };
    this.#deliver();
    return true;
  };

  #placeOf(id: unknown): number {
    for (let i = 0; i < this.#incoming.length; i++) {
      if (this.#incoming[i]!.awaited?.announced === id) return i;
    }
    return -1;
  }

  /** All that is whole up to the first that is not. */
  #deliver(): void {
    const incoming = this.#incoming;
    let whole = 0;
    while (whole < incoming.length && !incoming[whole]!.awaited) whole++;
    this.#incoming = [];
    for (let i = whole; i < incoming.length; i++) this.#incoming[i - whole] = incoming[i]!;
    for (let i = 0; i < whole; i++) this.#listener(incoming[i]!.message);
  }

  onClose(listener: () => void): void {
    if (this.#isOpen) this.#onClose[this.#onClose.length] = listener;
    else listener();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#events.remove(this.#takeBulk);
    this.#port.close();
    for (let i = 0; i < this.#onClose.length; i++) this.#onClose[i]!();
  }
}

/** Empty arrays may be shared; given away once, they could not be sent again. */
function givenAway(bytes: Uint8Array): ArrayBuffer {
  const own = typedArrayByteLength(bytes) > 0 ? compact(bytes) : new SafeUint8Array(0);
  return typedArrayBuffer(own);
}

/** The same buffers in a list of this script's own: the other may be behind an Xray. */
function ownList(buffers: readonly ArrayBuffer[]): ArrayBuffer[] {
  const list: ArrayBuffer[] = [];
  for (let i = 0; i < buffers.length; i++) list[i] = buffers[i]!;
  return list;
}

function isRestored({ body, paths }: Announced, buffers: readonly ArrayBuffer[]): boolean {
  if (buffers.length !== paths.length) return false;
  for (let i = 0; i < paths.length; i++) {
    const bytes = new SafeUint8Array(buffers[i]!);
    if (!isUint8Array(bytes) || !attach(body, paths[i]!, bytes)) return false;
  }
  return true;
}

function has(message: unknown, name: string): message is Record<string, unknown> {
  return typeof message === 'object' && message !== null && hasOwn(message, name);
}

function isGoAhead(message: unknown): message is { goAhead: string } {
  return has(message, 'goAhead') && typeof message.goAhead === 'string';
}

function isAnnounced(message: unknown): message is Announced {
  return has(message, 'announced') && has(message, 'body') && has(message, 'paths');
}

function isBulk(data: unknown): data is { id: unknown; buffers: ArrayBuffer[] } {
  return has(data, 'sealwright') && data.sealwright === 'bulk' && has(data, 'buffers');
}
