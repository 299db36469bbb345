import { payloadBytes } from './attachments.ts';
import type { Caller, Channel } from '../channel.ts';
import { kindOf, many, MAX_BUNDLE_BYTES, MAX_BUNDLED, parseMessage } from '../envelope.ts';
import type { Later } from '../timers.ts';

const { queueMicrotask } = globalThis;

/*
 * Small messages that are sent in the same task travel as one: a trip over a runtime port costs
 * more than the work on a short message does. Requests wait for nothing but the end of what makes
 * them. Answers wait only while others are still owed, and never beyond the next task. Every
 * message keeps its own id, so errors, aborts and replays are those of single calls.
 */
export class BatchingChannel implements Channel {
  readonly peer: Caller;
  readonly #line: Channel;
  readonly #later: Later;
  #gathered: unknown[] = [];
  #bytes = 0;
  /** Requests that came and were not yet answered. A guess that is wrong costs a task's wait. */
  #owed = 0;
  #isDue = false;

  constructor(line: Channel, later: Later) {
    this.peer = line.peer;
    this.#line = line;
    this.#later = later;
  }

  /** In the order of the calls, whatever is gathered and whatever is not. */
  send(message: unknown): void {
    const { kind } = message as { kind?: unknown };
    const bytes = payloadBytes(message);
    const isGathered = (kind === 'request' || kind === 'response') && bytes <= MAX_BUNDLE_BYTES;
    if (!isGathered) {
      this.#flush();
      this.#line.send(message);
      return;
    }
    if (this.#gathered.length === MAX_BUNDLED || this.#bytes + bytes > MAX_BUNDLE_BYTES) {
      this.#flush();
    }
    this.#gathered[this.#gathered.length] = message;
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
    const messages = this.#gathered;
    if (messages.length === 0) return;
    this.#gathered = [];
    this.#bytes = 0;
    this.#line.send(messages.length === 1 ? messages[0] : many(messages));
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#line.onMessage((raw) => {
      const messages = unbundled(raw);
      // Counted first: the answer to one of them waits for the others'.
      for (let i = 0; i < messages.length; i++) this.#count(kindOf(messages[i]));
      for (let i = 0; i < messages.length; i++) listener(messages[i]);
    });
  }

  #count(kind: string | undefined): void {
    if (kind === 'request') this.#owed++;
    else if (kind === 'abort' && this.#owed > 0) this.#owed--;
  }

  onClose(listener: () => void): void {
    this.#line.onClose(listener);
  }

  close(): void {
    this.#flush();
    this.#line.close();
  }
}

/** The messages in one that came; what is in them is for the listener to find out. */
function unbundled(raw: unknown): readonly unknown[] {
  if (kindOf(raw) !== 'many') return [raw];
  const message = parseMessage(raw);
  return message?.kind === 'many' ? message.messages : [];
}
