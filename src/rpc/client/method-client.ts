import { payloadBytes } from '../transport/attachments.ts';
import type { Channel } from '../channel.ts';
import { abort, failure, MAX_PARCEL_BYTES, request } from '../envelope.ts';
import type { EventName, Message, MessageOf } from '../envelope.ts';
import { disconnected, fromWire, SealwrightError, tooBusy, toWire } from '../errors.ts';
import { ReconnectingChannel } from './reconnecting-channel.ts';
import { deadlineMs } from '../methods/method.ts';
import type { Method, NameIn, ParamsIn, ResultIn, Table } from '../methods/method.ts';
import { SafeMap, SafePromise } from '../primordials.ts';
import { SYSTEM_TIMERS } from '../timers.ts';
import type { Timers } from '../timers.ts';
import { InvalidValue } from '../validate.ts';

/*
 * A request is in one of three states:
 *
 *   queued → sent → settled (result, error, aborted, timed out, gone)
 *      ↑______|
 *      the channel closed: a new one is opened and the request is sent again under the same id
 *
 * Every request is sent again, whatever its class in the table: `pure` may run twice, and the
 * server charges a `counted` and applies an `effect` once per id. How often is limited, because a
 * request may be what ends the background (`resent` in method.ts).
 */

const { DOMException } = globalThis;

/** Deadlines are minutes long, so one timer checks all calls: a call needs none of its own. */
export const LOOK_EVERY_MS = 10_000;

/** A request during which this many channels closed is more likely the cause than the victim. */
const MAX_SENDINGS = 24;
/** The same for a method that is `resent` once. */
const MAX_SENDINGS_OF_ONCE = 2;

/** How much a client sends and queues. Bytes are those of byte arrays in parameters. */
export interface ClientLimits {
  /** At the other end at the same time; more wait here. */
  readonly calls: number;
  readonly bytes: number;
  /** Waiting or under way; more are refused with QUOTA. */
  readonly waitingCalls: number;
  readonly waitingBytes: number;
}

const MIB = 1024 * 1024;
/** Defaults: 64 calls and as many bytes in flight as a server takes, 10,000 calls and 1 GiB pending. */
export const CLIENT_LIMITS: ClientLimits = {
  calls: 64,
  bytes: MAX_PARCEL_BYTES,
  waitingCalls: 10_000,
  waitingBytes: 1024 * MIB,
};

/** What a client needs: a way to connect, and what tests or other contexts replace. */
export interface ClientDeps {
  /** Opens a channel. Throws when none can be opened any more: every call then ends DISCONNECTED. */
  readonly connect: () => Channel;
  readonly timers?: Timers;
  readonly limits?: ClientLimits;
  readonly pingEveryMs?: number;
  /** Of this client, not to be guessed: its requests must not meet another's in one document. */
  readonly idPrefix?: string;
}

/**
 * `timeoutMs`: a TimeoutError after so many ms; without it the deadline of the method applies.
 */
export interface StartOptions {
  readonly timeoutMs?: number | undefined;
  readonly onProgress?: ((done: { bytes: number; total?: number }) => void) | undefined;
}

/** Options of `call`: those of `start`, and a signal that aborts the call. */
export interface CallOptions extends StartOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A request of another context, with its parameters as they came. */
export interface ForwardedRequest {
  readonly method: string;
  readonly params: unknown;
  /** Length of all byte arrays in `params`. */
  readonly bytes: number;
  readonly isFollowed: boolean;
}

/** Gets the messages that answer a forwarded request. They bear this client's id, not the caller's. */
export interface ForwardListener {
  /** Called once, also for failures that this client finds; not after an abort. */
  onResponse(response: MessageOf<'response'>): void;
  onProgress(progress: MessageOf<'progress'>): void;
}

/** A call under way. `result` settles in any case; after `abort` with an AbortError. */
export interface Started<R> {
  readonly result: Promise<R>;
  abort(): void;
}

interface Pending {
  readonly id: string;
  readonly method: string;
  readonly params: unknown;
  readonly bytes: number;
  /** May throw: then the call is rejected with that error. */
  readonly respond: (response: MessageOf<'response'>) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: MessageOf<'progress'>) => void) | undefined;
  readonly deadlineMs: number | undefined;
  /** A lower bound of its waiting time in ms; negative until the first check. */
  waitedMs: number;
  timer: unknown;
  readonly maxSendings: number;
  sendings: number;
  isSent: boolean;
}

/**
 * Typed calls over a channel that may close at any moment. The channel is opened when there is a call
 * and kept alive by pings only while responses are missing. Every call settles once, with the right answer
 * to its own request or an error; in the end by its method's deadline, unless a person answers it.
 */
export class MethodClient<T extends Table> {
  readonly #table: T;
  readonly #timers: Timers;
  readonly #limits: ClientLimits;
  readonly #idPrefix: string;
  readonly #pending = new SafeMap<string, Pending>();
  /** Calls in the order of sending, from `#nextInQueue` on; settled ones are skipped. */
  #queue: Pending[] = [];
  #nextInQueue = 0;
  #sentCalls = 0;
  #sentBytes = 0;
  readonly #channel: ReconnectingChannel;
  #onEvent: (name: EventName) => void = () => undefined;
  #gone: SealwrightError | undefined;
  #lastId = 0;
  #pendingBytes = 0;
  #lookTimer: unknown;

  constructor(table: T, deps: ClientDeps) {
    this.#table = table;
    this.#timers = deps.timers ?? SYSTEM_TIMERS;
    this.#limits = deps.limits ?? CLIENT_LIMITS;
    this.#idPrefix = deps.idPrefix ?? randomPrefix();
    this.#channel = new ReconnectingChannel({
      connect: deps.connect,
      timers: this.#timers,
      pingEveryMs: deps.pingEveryMs,
      isNeeded: () => this.#pending.size > 0,
      onMessage: (message) => this.#receive(message),
      onDrop: () => this.#queueAgain(),
      onReady: () => this.#work(),
      onGone: (error) => this.close(error instanceof SealwrightError ? error : disconnected()),
    });
  }

  /** Like `start`, with an AbortSignal. */
  async call<M extends NameIn<T>>(
    method: M,
    params: ParamsIn<T, M>,
    options: CallOptions = {},
  ): Promise<ResultIn<T, M>> {
    const { signal } = options;
    if (signal?.aborted) throw aborted();
    const started = this.start(method, params, options);
    const onAbort = (): void => started.abort();
    signal?.addEventListener('abort', onAbort);
    try {
      return await started.result;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  start<M extends NameIn<T>>(
    method: M,
    params: ParamsIn<T, M>,
    options: StartOptions = {},
  ): Started<ResultIn<T, M>> {
    const id = this.#newId();
    const { timeoutMs, onProgress } = options;
    const result = new SafePromise<ResultIn<T, M>>((resolve, reject) => {
      this.#add({
        id,
        method,
        params,
        bytes: payloadBytes(params),
        respond: (response) => resolve(resultOf(this.#table[method]!, response) as never),
        reject,
        onProgress:
          onProgress &&
          (({ bytes, total }) => onProgress(total === undefined ? { bytes } : { bytes, total })),
        deadlineMs: timeoutMs === undefined ? deadlineMs(this.#table[method]!) : undefined,
        waitedMs: -LOOK_EVERY_MS,
        timer: undefined,
        maxSendings: maxSendings(this.#table[method]!),
        sendings: 0,
        isSent: false,
      });
      if (timeoutMs !== undefined) this.#limit(id, timeoutMs);
    });
    return { result, abort: () => this.#abort(id, aborted()) };
  }

  /**
   * Sends a request of another context without reading its parameters or its result. Limits, replay
   * and deadlines are those of `start`.
   *
   * @param forwarded its method is in this client's table
   * @returns aborts the request
   */
  forward(forwarded: ForwardedRequest, listener: ForwardListener): () => void {
    const { method, params, bytes, isFollowed } = forwarded;
    const id = this.#newId();
    let isAborted = false;
    this.#add({
      id,
      method,
      params,
      bytes,
      respond: (response) => listener.onResponse(response),
      reject: (error) => {
        if (!isAborted) listener.onResponse(failure(id, toWire(error)));
      },
      onProgress: isFollowed ? (progress) => listener.onProgress(progress) : undefined,
      deadlineMs: deadlineMs(this.#table[method]!),
      waitedMs: -LOOK_EVERY_MS,
      timer: undefined,
      maxSendings: maxSendings(this.#table[method]!),
      sendings: 0,
      isSent: false,
    });
    return () => {
      isAborted = true;
      this.#abort(id, aborted());
    };
  }

  #newId(): string {
    return `${this.#idPrefix}-${++this.#lastId}`;
  }

  /** Events of the other side. One listener; a second one replaces it. */
  onEvent(listener: (name: EventName) => void): void {
    this.#onEvent = listener;
  }

  /** Drops the channel, which may be dead without having reported it. Calls in flight are sent again. */
  reconnect(): void {
    this.#channel.drop();
  }

  /** Ends every call, now and in future, with this error. */
  close(error = disconnected()): void {
    this.#gone = error;
    this.#timers.stop(this.#lookTimer);
    this.#channel.close();
    this.#pending.forEach((pending) => this.#settle(pending, () => pending.reject(error)));
  }

  #add(pending: Pending): void {
    const { waitingCalls, waitingBytes } = this.#limits;
    const isFull =
      this.#pending.size >= waitingCalls || this.#pendingBytes + pending.bytes > waitingBytes;
    if (this.#gone || isFull) {
      pending.reject(this.#gone ?? tooBusy(1_000));
      return;
    }
    this.#pending.set(pending.id, pending);
    this.#pendingBytes += pending.bytes;
    this.#queue[this.#queue.length] = pending;
    this.#lookTimer ??= this.#timers.start(() => this.#look(), LOOK_EVERY_MS);
    this.#work();
  }

  /** The caller's own limit, which ends a call as an abort does. */
  #limit(id: string, timeoutMs: number): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    const late = (): void => this.#abort(id, timedOut(timeoutMs));
    pending.timer = this.#timers.start(late, timeoutMs);
  }

  /** Ends calls past their method's deadline: late by one interval at most, and never early. */
  #look(): void {
    this.#lookTimer = undefined;
    this.#pending.forEach((pending) => {
      pending.waitedMs += LOOK_EVERY_MS;
      const { id, waitedMs, deadlineMs: longest } = pending;
      if (longest !== undefined && waitedMs >= longest) this.#abort(id, tooLate(longest));
    });
    if (this.#pending.size === 0) return;
    this.#lookTimer = this.#timers.start(() => this.#look(), LOOK_EVERY_MS);
  }

  /** Opens the channel if there are calls, and sends as many as the limits allow. */
  #work(): void {
    if (this.#pending.size === 0) return;
    const channel = this.#channel.open();
    if (!channel) return;
    for (let next = this.#first(); next && this.#fits(next); next = this.#first()) {
      if (this.#channel.channel !== channel) return;
      this.#nextInQueue++;
      this.#send(next, channel);
    }
  }

  /** The first queued call that is not settled. */
  #first(): Pending | undefined {
    for (; this.#nextInQueue < this.#queue.length; this.#nextInQueue++) {
      const next = this.#queue[this.#nextInQueue]!;
      if (this.#pending.has(next.id)) return next;
    }
    this.#queue = [];
    this.#nextInQueue = 0;
    return undefined;
  }

  #fits({ bytes }: Pending): boolean {
    const { calls: maxCalls, bytes: maxBytes } = this.#limits;
    if (this.#sentCalls === 0) return true;
    return this.#sentCalls < maxCalls && this.#sentBytes + bytes <= maxBytes;
  }

  #send(pending: Pending, channel: Channel): void {
    pending.isSent = true;
    pending.sendings++;
    this.#sentCalls++;
    this.#sentBytes += pending.bytes;
    const { id, method, params, onProgress } = pending;
    channel.send(request(id, method, params, onProgress !== undefined));
  }

  #receive(message: Message): void {
    if (message.kind === 'response') this.#respond(message);
    else if (message.kind === 'progress') this.#progress(message);
    else if (message.kind === 'event') this.#onEvent(message.name);
  }

  #respond(response: MessageOf<'response'>): void {
    const pending = this.#pending.get(response.id);
    if (!pending?.isSent) return; // aborted meanwhile, or never asked
    this.#settle(pending, () => pending.respond(response));
    this.#work();
  }

  #progress(progress: MessageOf<'progress'>): void {
    const onProgress = this.#pending.get(progress.id)?.onProgress;
    if (onProgress) onProgress(progress);
  }

  /** Queues all calls in flight again, before those that were not sent yet. */
  #queueAgain(): void {
    this.#sentCalls = 0;
    this.#sentBytes = 0;
    this.#queue = [];
    this.#nextInQueue = 0;
    this.#pending.forEach((pending) => {
      pending.isSent = false;
      this.#queue[this.#queue.length] = pending;
      if (pending.sendings < pending.maxSendings) return;
      const error = disconnected('The extension stopped each time it worked on this call');
      this.#settle(pending, () => pending.reject(error));
    });
  }

  #abort(id: string, error: Error): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    if (pending.isSent) this.#channel.channel?.send(abort(id));
    this.#settle(pending, () => pending.reject(error));
    this.#work();
  }

  /** Removes a call from the pending ones and settles it. Nothing else removes one. */
  #settle(pending: Pending, how: () => void): void {
    if (!this.#pending.delete(pending.id)) return;
    this.#pendingBytes -= pending.bytes;
    if (pending.isSent) {
      this.#sentCalls--;
      this.#sentBytes -= pending.bytes;
    }
    if (pending.timer !== undefined) this.#timers.stop(pending.timer);
    try {
      how();
    } catch (error) {
      pending.reject(error);
    }
  }
}

function resultOf(method: Method, response: MessageOf<'response'>): unknown {
  if (!response.ok) throw fromWire(response.error);
  try {
    return method.result(response.result, 'result');
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    throw new SealwrightError('INTERNAL', 'Sealwright answered in an unexpected shape');
  }
}

function maxSendings({ resent }: Method): number {
  return resent === 'once' ? MAX_SENDINGS_OF_ONCE : MAX_SENDINGS;
}

function tooLate(afterMs: number): SealwrightError {
  return new SealwrightError('INTERNAL', `No answer within ${afterMs} ms`);
}

function aborted(): DOMException {
  return new DOMException('The call was aborted', 'AbortError');
}

function timedOut(ms: number): DOMException {
  return new DOMException(`No answer within ${ms} ms`, 'TimeoutError');
}

/** 128 bits, in hexadecimal. */
function randomPrefix(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
