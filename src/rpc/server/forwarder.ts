import type { Channel } from '../channel.ts';
import type { ForwardedRequest, ForwardListener } from '../client/method-client.ts';
import { failure, parseMessage } from '../envelope.ts';
import type { MessageOf } from '../envelope.ts';
import { SealwrightError, tooBusy, toWire } from '../errors.ts';
import { BatchingChannel } from '../transport/batching-channel.ts';
import { plainValue } from '../transport/plain-value.ts';
import type { Later } from '../timers.ts';
import { asSealwrightError, RETRY_AFTER_MS } from './method-server.ts';
import type { ServerLimits } from './method-server.ts';

/** Where requests go, and how many of them at a time. */
export interface ForwarderDeps {
  /** Whether requests of this method are forwarded. All others go to `local`. */
  readonly isForwarded: (method: string) => boolean;
  /** Where they are forwarded to. It gives each request an id of its own and returns what aborts it. */
  readonly target: {
    forward(request: ForwardedRequest, listener: ForwardListener): () => void;
  };
  /** Serves the other methods, and refuses those that do not exist. */
  readonly local: { attach(channel: Channel): void };
  /** Forwarded calls of one channel that are not answered yet. */
  readonly limits: Pick<ServerLimits, 'callsPerCaller' | 'bytesPerCaller'>;
  readonly later: Later;
}

interface ForwardedCall {
  readonly method: string;
  readonly bytes: number;
  abort: () => void;
}

/**
 * Forwards requests as they came, and their answers under the ids that the caller chose. The ids
 * of the caller go no further: those of other callers cannot be named or met. Parameters are
 * limited in size and shape (plain-value.ts) and otherwise unread; the target validates them.
 *
 * Nothing that arrives makes it throw: what is not a message is dropped, and each request is
 * answered. A channel that closes aborts its calls.
 */
export class Forwarder {
  readonly #deps: ForwarderDeps;

  constructor(deps: ForwarderDeps) {
    this.#deps = deps;
  }

  attach(inner: Channel): void {
    const channel = new BatchingChannel(inner, this.#deps.later);
    const calls = new ForwardedCalls(channel, this.#deps);
    let toLocal: (message: unknown) => void = () => undefined;
    channel.onMessage((raw) => {
      const message = parseMessage(raw);
      if (message?.kind === 'request' && this.#deps.isForwarded(message.method)) {
        calls.begin(message);
      } else if (message?.kind !== 'abort' || !calls.abort(message.id)) toLocal(message);
    });
    channel.onClose(() => calls.abortAll());
    this.#deps.local.attach({
      peer: channel.peer,
      send: (message) => channel.send(message),
      onMessage: (listener) => (toLocal = listener),
      onClose: (listener) => channel.onClose(listener),
      close: () => channel.close(),
    });
  }
}

/** The forwarded calls of one channel, by the ids of its caller. */
class ForwardedCalls {
  readonly #channel: Channel;
  readonly #deps: ForwarderDeps;
  readonly #calls = new Map<string, ForwardedCall>();
  #bytes = 0;

  constructor(channel: Channel, deps: ForwarderDeps) {
    this.#channel = channel;
    this.#deps = deps;
  }

  /** A request that is repeated while it is under way is answered once. */
  begin(request: MessageOf<'request'>): void {
    const { id, method } = request;
    const running = this.#calls.get(id);
    if (running?.method === method) return;
    try {
      if (running) throw new SealwrightError('INVALID_ARGUMENT', 'A request id was used twice');
      this.#forward(request);
    } catch (error) {
      this.#channel.send(failure(id, toWire(asSealwrightError(error))));
    }
  }

  #forward({ id, method, params: given, follow }: MessageOf<'request'>): void {
    const { value: params, bytes } = plainValue(given, 'params');
    this.#refuseCrowding(bytes);
    const call: ForwardedCall = { method, bytes, abort: () => undefined };
    this.#calls.set(id, call);
    this.#bytes += bytes;
    const forwarded = { method, params, bytes, isFollowed: follow === true };
    call.abort = this.#deps.target.forward(forwarded, {
      onResponse: (response) => {
        if (this.#removed(id, call)) this.#channel.send({ ...response, id });
      },
      onProgress: (progress) => this.#channel.send({ ...progress, id }),
    });
  }

  #refuseCrowding(bytes: number): void {
    const { callsPerCaller, bytesPerCaller } = this.#deps.limits;
    const { size } = this.#calls;
    if (size >= callsPerCaller || (size > 0 && this.#bytes + bytes > bytesPerCaller)) {
      throw tooBusy(RETRY_AFTER_MS);
    }
  }

  /** @returns whether there was such a call; it gets no answer */
  abort(id: string): boolean {
    const call = this.#calls.get(id);
    if (!call) return false;
    this.#removed(id, call);
    call.abort();
    return true;
  }

  abortAll(): void {
    for (const id of [...this.#calls.keys()]) this.abort(id);
  }

  #removed(id: string, call: ForwardedCall): boolean {
    if (this.#calls.get(id) !== call) return false;
    this.#calls.delete(id);
    this.#bytes -= call.bytes;
    return true;
  }
}
