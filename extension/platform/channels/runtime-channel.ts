import type { Runtime } from 'webextension-polyfill';
import type { Caller, Channel } from '../../../src/rpc/channel.ts';
import { ChunkingChannel } from '../../../src/rpc/transport/chunking-channel.ts';
import { codecOfAnswer } from '../../../src/rpc/transport/codec.ts';
import { ReceivingBudgets } from '../../../src/rpc/transport/receive-budgets.ts';
import { PORT_NAME, PortChannel } from './port-channel.ts';
import { callerOf } from './runtime-channel-caller.ts';
import type { CallerRuntime } from './runtime-channel-caller.ts';

/* The background's end of the channels over runtime ports. Large payloads are sent in chunks. */

/** An honest document has one, and for a moment a second one after an update. Each takes about 5 KB here. */
export const PORTS_OF_DOCUMENT = 16;

export type ListeningRuntime = CallerRuntime & Pick<Runtime.Static, 'onConnect' | 'lastError'>;

/**
 * Passes every channel that a caller opens to `accept`. To be called in the background's first task, so
 * that a connection that woke it is not missed. Ports of unidentified callers are disconnected, and those of a
 * document that has PORTS_OF_DOCUMENT.
 */
export function listenForChannels(
  runtime: ListeningRuntime,
  accept: (channel: Channel) => void,
): void {
  const budgets = new ReceivingBudgets();
  const ports = new PortCounts();
  runtime.onConnect.addListener((port) => {
    const caller = port.name === PORT_NAME ? callerOf(port.sender, runtime) : undefined;
    const release = caller && ports.take(caller);
    if (!caller || !release) {
      port.disconnect();
      return;
    }
    const inner = new PortChannel(port, runtime, caller, (message) => {
      const codec = codecOfAnswer(message);
      return codec && { codec };
    });
    const { leave, ...share } = budgets.join(caller);
    const channel = new ChunkingChannel(inner, share);
    inner.onClose(leave); // after the channel, which releases its budget first
    inner.onClose(release);
    accept(channel);
    inner.greet();
  });
}

/** Counts the open ports of documents. The extension's own pages have any number. */
class PortCounts {
  readonly #open = new Map<string, number>();

  /** @returns gives the place back; undefined where the document has none left */
  take(caller: Caller): (() => void) | undefined {
    if (caller.kind === 'surface') return () => undefined;
    // With the origin: where the browser names no documents, the next one of a frame has the same id.
    const document = `${caller.origin}\n${caller.documentId}`;
    const count = this.#open.get(document) ?? 0;
    if (count >= PORTS_OF_DOCUMENT) return undefined;
    this.#open.set(document, count + 1);
    return () => {
      const left = this.#open.get(document)! - 1;
      if (left > 0) this.#open.set(document, left);
      else this.#open.delete(document);
    };
  }
}
