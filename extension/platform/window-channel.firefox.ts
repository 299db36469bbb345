import { attach, compact, detach } from '../../src/rpc/attachments.ts';
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
 *   port    → { announced: id, body, paths }      later messages wait here for the buffers
 *   port    ← { goAhead: id }
 *   window  → { sealwright: 'bulk', id, buffers }
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

class BulkChannel implements Channel {
  readonly peer: Caller;
  readonly #port: Port;
  readonly #events: WindowEvents;
  readonly #outgoing = new SafeMap<string, Attachment[]>();
  #waiting: unknown[] = [];
  #expected: Announced | undefined;
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
    const { body, attachments } = detach(message);
    if (sumOfBytes(attachments) < BULK_BYTES) {
      this.#port.post(message);
      return;
    }
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
      const message: unknown = structuredClone(foreign);
      if (this.#expected && !isGoAhead(message)) this.#waiting[this.#waiting.length] = message;
      else this.#receive(message);
    });
  }

  #receive(message: unknown): void {
    if (isGoAhead(message)) this.#sendBulk(message.goAhead);
    else if (isAnnounced(message)) {
      this.#expected = message;
      this.#port.post({ goAhead: message.announced });
    } else this.#listener(message);
  }

  #sendBulk(id: string): void {
    const attachments = this.#outgoing.get(id);
    if (!attachments) return;
    this.#outgoing.delete(id);
    const buffers: ArrayBuffer[] = [];
    for (let i = 0; i < attachments.length; i++) {
      buffers[i] = typedArrayBuffer(compact(attachments[i]!.bytes));
    }
    this.#events.post({ sealwright: 'bulk', id, buffers }, buffers);
  }

  readonly #takeBulk = ({ data }: WindowMessage): boolean => {
    const expected = this.#expected;
    if (!expected || !isBulk(data) || data.id !== expected.announced) return false;
    const { buffers } = structuredClone(data, { transfer: transferList(ownList(data.buffers)) });
    this.#expected = undefined;
    if (isRestored(expected, buffers)) this.#listener(expected.body);
    this.#drain();
    return true;
  };

  #drain(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let i = 0; i < waiting.length; i++) {
      if (this.#expected) this.#waiting[this.#waiting.length] = waiting[i];
      else this.#receive(waiting[i]);
    }
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

/** The same buffers in a list of this script's own: the other may be behind an Xray. */
function ownList(buffers: readonly ArrayBuffer[]): ArrayBuffer[] {
  const list: ArrayBuffer[] = [];
  for (let i = 0; i < buffers.length; i++) list[i] = buffers[i]!;
  return list;
}

function sumOfBytes(attachments: readonly Attachment[]): number {
  let total = 0;
  for (let i = 0; i < attachments.length; i++) total += typedArrayByteLength(attachments[i]!.bytes);
  return total;
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
