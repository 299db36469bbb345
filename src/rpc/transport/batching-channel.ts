import { payloadBytes } from './attachments.ts';
import type { Caller, Channel } from '../channel.ts';
import { kindOf, many, MAX_MANY_BYTES, MAX_MANY, parseMessage } from '../envelope.ts';
import type { Later } from '../timers.ts';

const { queueMicrotask } = globalThis;

/*
 * Sends small messages of the same task as one, because a message over a runtime port costs more
 * than the work on a short message. Requests wait until the current microtask ends. Responses wait
 * only while others are missing, and at most until the next task. Every message keeps its own id,
 * so errors, aborts and replays are those of single calls.
 */
export class BatchingChannel implements Channel {
  readonly peer: Caller;
  readonly #inner: Channel;
  readonly #later: Later;
  #batch: unknown[] = [];
  #bytes = 0;
  /** Requests received and not answered yet. If the number is wrong, a response waits for a task. */
  #owed = 0;
  #isDue = false;

  constructor(inner: Channel, later: Later) {
    this.peer = inner.peer;
    this.#inner = inner;
    this.#later = later;
  }

  /** Messages arrive in the order of the calls, batched or not. */
  send(message: unknown): void {
    const { kind } = message as { kind?: unknown };
    const bytes = payloadBytes(message);
    const isBatched = (kind === 'request' || kind === 'response') && bytes <= MAX_MANY_BYTES;
    if (!isBatched) {
      this.#flush();
      this.#inner.send(message);
      return;
    }
    if (this.#batch.length === MAX_MANY || this.#bytes + bytes > MAX_MANY_BYTES) {
      this.#flush();
    }
    this.#batch[this.#batch.length] = message;
    this.#bytes += bytes;
    if (kind === 'request') this.#flushSoon(queueMicrotask);
    else this.#answered();
  }

  #answered(): void {
    if (this.#owed > 0) this.#owed--;
    if (this.#owed === 0) this.#flush();
    else this.#flushSoon(this.#later);
  }

  #flushSoon(soon: Later): void {
    if (this.#isDue) return;
    this.#isDue = true;
    soon(() => {
      this.#isDue = false;
      this.#flush();
    });
  }

  #flush(): void {
    const messages = this.#batch;
    if (messages.length === 0) return;
    this.#batch = [];
    this.#bytes = 0;
    this.#inner.send(messages.length === 1 ? messages[0] : many(messages));
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#inner.onMessage((raw) => {
      const messages = messagesIn(raw);
      // Counted first: the response to one of them waits for the others.
      for (let i = 0; i < messages.length; i++) this.#count(kindOf(messages[i]));
      for (let i = 0; i < messages.length; i++) listener(messages[i]);
    });
  }

  #count(kind: string | undefined): void {
    if (kind === 'request') this.#owed++;
    else if (kind === 'abort' && this.#owed > 0) this.#owed--;
  }

  onClose(listener: () => void): void {
    this.#inner.onClose(listener);
  }

  close(): void {
    this.#flush();
    this.#inner.close();
  }
}

/** The messages in one that was received. The listener parses them. */
function messagesIn(raw: unknown): readonly unknown[] {
  if (kindOf(raw) !== 'many') return [raw];
  const message = parseMessage(raw);
  return message?.kind === 'many' ? message.messages : [];
}
