import { payloadBytes } from '../transport/attachments.ts';
import { BatchingChannel } from '../transport/batching-channel.ts';
import type { AnswersOf, Call } from '../call.ts';
import type { Caller, Channel } from '../channel.ts';
import { failure, MAX_PARCEL_BYTES, parseMessage, PONG, progress, success } from '../envelope.ts';
import type { MessageOf } from '../envelope.ts';
import { SealwrightError, tooBusy, toWire } from '../errors.ts';
import type { FairQueue } from './fair-queue.ts';
import type { Method, NameIn, Table } from '../methods/method.ts';
import { hasOwn } from '../primordials.ts';
import { SharedBytes } from '../transport/budget.ts';
import { OTHERS_BYTES, SHARES_BYTES } from '../transport/receive-budgets.ts';
import { SYSTEM_LATER, SYSTEM_TIMERS } from '../timers.ts';
import type { Later, Timers } from '../timers.ts';
import { InvalidValue } from '../validate.ts';

/** How many calls and bytes of parameters a server accepts. More is refused with QUOTA. */
export interface ServerLimits {
  /** Calls of one origin (or one of our own pages) waiting or at work. */
  readonly callsPerCaller: number;
  /** Bytes of their parameters. */
  readonly bytesPerCaller: number;
  /** Of all pages together. The extension's own pages do not wait for pages of sites. */
  readonly bytes: number;
  /** Beyond that, of all origins' equal shares together. Absent: as many. */
  readonly sharesBytes?: number;
}

/**
 * The background's limits. One of the largest messages of one origin fits, and small ones of others beside
 * it, as in receive-budgets.ts.
 */
export const SERVER_LIMITS: ServerLimits = {
  callsPerCaller: 4096,
  bytesPerCaller: MAX_PARCEL_BYTES,
  bytes: MAX_PARCEL_BYTES + OTHERS_BYTES,
  sharesBytes: SHARES_BYTES,
};

/** After a refusal for lack of room. */
export const RETRY_AFTER_MS = 500;
/** A caller that still exists reconnects at once. Calls of one that does not are cancelled after this. */
const REJOIN_MS = 2_000;
/** Progress is reported to a caller at most this often, and always at the end. */
const PROGRESS_EVERY_MS = 40;

/** What a server does differently from the defaults. */
export interface ServerOptions {
  readonly limits?: ServerLimits;
  readonly timers?: Timers;
  readonly later?: Later;
  /** Shares the thread among callers. Absent: all work begins at once. */
  readonly queue?: FairQueue;
}

/** The calls in flight of one origin. */
interface Load {
  readonly calls: number;
  readonly bytes: number;
}
const NO_LOAD: Load = { calls: 0, bytes: 0 };

/** One request in flight. Its channel changes when the caller reconnects and repeats the request. */
interface Job {
  readonly key: string;
  readonly method: string;
  readonly loadKey: string;
  readonly bytes: number;
  /** Whether the caller wants progress messages. */
  readonly isFollowed: boolean;
  channel: Channel;
  expiry: unknown;
  isCancelled: boolean;
  /** What goes on after the answer, and takes up the job's place until it has ended. */
  readonly goingOn: Promise<unknown>[];
  /** Undefined until the signal is read. */
  controller: AbortController | undefined;
  onAbort: () => void;
  /** Takes the job out of the queue, unless it has begun. */
  withdraw: () => boolean;
  /** Gives the job's place in the queue to others. */
  leave: () => void;
}

/** A channel, and the keys that follow from its peer. */
interface Connection {
  readonly channel: Channel;
  readonly callerKey: string;
  readonly loadKey: string;
}

const nothing = (): void => undefined;

/**
 * Answers the requests of any number of channels. Nothing that arrives makes it throw: values that
 * are not messages are dropped, and every request gets a response. The caller is the channel's peer.
 * Jobs are stored under a key made of that caller and its request id, so that no caller can name
 * another's job. A request that arrives again while its job runs takes over the job's response.
 */
export class MethodServer<T extends Table> {
  readonly #table: T;
  readonly #implementations: AnswersOf<T>;
  readonly #limits: ServerLimits;
  readonly #timers: Timers;
  readonly #later: Later;
  readonly #queue: FairQueue | undefined;
  readonly #jobs = new Map<string, Job>();
  readonly #loads = new Map<string, Load>();
  readonly #pages: SharedBytes;

  constructor(table: T, implementations: AnswersOf<T>, options: ServerOptions = {}) {
    this.#table = table;
    this.#implementations = implementations;
    this.#limits = options.limits ?? SERVER_LIMITS;
    this.#pages = new SharedBytes(this.#limits.bytes, this.#limits.sharesBytes);
    this.#timers = options.timers ?? SYSTEM_TIMERS;
    this.#later = options.later ?? SYSTEM_LATER;
    this.#queue = options.queue;
  }

  attach(inner: Channel): void {
    const channel = new BatchingChannel(inner, this.#later);
    const { peer } = channel;
    const connection = { channel, callerKey: callerKey(peer), loadKey: loadKey(peer) };
    channel.onMessage((raw) => this.#receive(raw, connection));
    channel.onClose(() => this.#orphan(channel));
  }

  #receive(raw: unknown, connection: Connection): void {
    const message = parseMessage(raw);
    if (message?.kind === 'request') this.#request(message, connection);
    else if (message?.kind === 'abort') this.#abort(message, connection);
    else if (message?.kind === 'ping') connection.channel.send(PONG);
  }

  #request(request: MessageOf<'request'>, connection: Connection): void {
    const { channel } = connection;
    const key = jobKey(connection, request.id);
    const running = this.#jobs.get(key);
    if (running?.method === request.method) {
      this.#rejoin(running, channel);
      return;
    }
    try {
      if (running) throw new SealwrightError('INVALID_ARGUMENT', 'A request id was used twice');
      this.#begin(request, key, connection);
    } catch (error) {
      channel.send(failure(request.id, toWire(asSealwrightError(error))));
    }
  }

  #begin(request: MessageOf<'request'>, key: string, { channel, loadKey }: Connection): void {
    const { id, method, params, follow } = request;
    const row = this.#admitted(method, channel.peer);
    const checked = row.params(params, '');
    const job: Job = {
      key,
      method,
      loadKey,
      bytes: payloadBytes(checked),
      isFollowed: follow === true,
      channel,
      expiry: undefined,
      isCancelled: false,
      goingOn: [],
      controller: undefined,
      onAbort: nothing,
      withdraw: () => false,
      leave: nothing,
    };
    this.#refuseCrowding(job);
    this.#add(job);
    const begin = (): void => this.#run(job, id, checked);
    // The extension's own pages do not queue, and neither do calls that wait for the user.
    const isQueued = channel.peer.kind === 'page' && row.needs !== 'consent';
    if (this.#queue && isQueued) {
      job.withdraw = this.#queue.add(loadKey, (leave) => {
        job.leave = leave;
        begin();
      });
    } else begin();
  }

  /** The row of a method. For callers that may not call it, it does not exist. */
  #admitted(method: string, caller: Caller): Method {
    const row = hasOwn(this.#table, method) ? this.#table[method] : undefined;
    if (row?.access === caller.kind) return row;
    throw new SealwrightError('UNSUPPORTED', 'There is no such method');
  }

  #refuseCrowding({ loadKey, bytes, channel }: Job): void {
    const own = this.#loads.get(loadKey) ?? NO_LOAD;
    const isCrowded =
      own.calls >= this.#limits.callsPerCaller ||
      (own.calls > 0 && own.bytes + bytes > this.#limits.bytesPerCaller) ||
      (channel.peer.kind === 'page' &&
        this.#pages.heldBytes > 0 &&
        !this.#pages.fits(loadKey, bytes));
    if (isCrowded) throw tooBusy(RETRY_AFTER_MS);
  }

  #add(job: Job): void {
    const { calls, bytes } = this.#loads.get(job.loadKey) ?? NO_LOAD;
    this.#jobs.set(job.key, job);
    this.#loads.set(job.loadKey, { calls: calls + 1, bytes: bytes + job.bytes });
    if (job.channel.peer.kind === 'page') this.#pages.hold(job.loadKey, job.bytes);
  }

  /** From then on its request may come again, and is another. */
  #forget(job: Job): void {
    if (job.expiry !== undefined) this.#timers.stop(job.expiry);
    if (this.#jobs.get(job.key) === job) this.#jobs.delete(job.key);
  }

  /** Called once, when all work of the job has ended or none has begun: until then its parameters are in memory. */
  #free(job: Job): void {
    if (job.channel.peer.kind === 'page') this.#pages.hold(job.loadKey, -job.bytes);
    job.leave();
    const { calls, bytes } = this.#loads.get(job.loadKey)!;
    if (calls === 1) this.#loads.delete(job.loadKey);
    else this.#loads.set(job.loadKey, { calls: calls - 1, bytes: bytes - job.bytes });
  }

  /** A result without a promise is sent synchronously. */
  #run(job: Job, id: string, params: unknown): void {
    const implementation = this.#implementations[job.method as NameIn<T>] as (
      params: unknown,
      call: Call,
    ) => unknown;
    let result: unknown;
    try {
      result = implementation(params, callOf(job, id, params));
    } catch (error) {
      this.#answer(job, failure(id, toWire(error)));
      return;
    }
    if (result instanceof Promise) void this.#answerLater(job, id, result);
    else this.#answer(job, this.#response(job, id, result));
  }

  async #answerLater(job: Job, id: string, result: Promise<unknown>): Promise<void> {
    const response = await result.then(
      (value) => this.#response(job, id, value),
      (error: unknown) => failure(id, toWire(error)),
    );
    this.#answer(job, response);
  }

  #response({ method }: Job, id: string, result: unknown): MessageOf<'response'> {
    try {
      return success(id, this.#table[method]!.result(result, 'result'));
    } catch (error) {
      return failure(id, toWire(error));
    }
  }

  #answer(job: Job, response: MessageOf<'response'>): void {
    this.#forget(job);
    if (job.goingOn.length === 0) this.#free(job);
    else void Promise.allSettled(job.goingOn).then(() => this.#free(job));
    if (!job.isCancelled) job.channel.send(response);
  }

  #abort({ id }: MessageOf<'abort'>, connection: Connection): void {
    const job = this.#jobs.get(jobKey(connection, id));
    if (job?.channel === connection.channel) this.#cancel(job);
  }

  /** Work that has begun keeps its place until it has ended, however soon it learns of this. */
  #cancel(job: Job): void {
    this.#forget(job);
    job.isCancelled = true;
    if (job.withdraw()) this.#free(job);
    job.controller?.abort();
    job.onAbort();
  }

  #rejoin(job: Job, channel: Channel): void {
    this.#timers.stop(job.expiry);
    job.channel = channel;
  }

  /**
   * Ends the calls in flight of some callers, without an answer: one that repeats its request begins
   * a new call.
   */
  cancel(concerns: (caller: Caller) => boolean): void {
    for (const job of [...this.#jobs.values()]) if (concerns(job.channel.peer)) this.#cancel(job);
  }

  #orphan(channel: Channel): void {
    for (const job of this.#jobs.values()) {
      if (job.channel !== channel) continue;
      job.expiry = this.#timers.start(() => this.#cancel(job), REJOIN_MS);
    }
  }
}

/** With the origin: where the browser names no documents, the next page of a frame has the same rest. */
function callerKey(caller: Caller): string {
  const parts =
    caller.kind === 'page'
      ? [caller.kind, caller.origin, caller.tabId, caller.frameId, caller.documentId]
      : [caller.kind, caller.page];
  return parts.join('\n');
}

/** All frames of an origin share its limits and its place in the queue. */
function loadKey(caller: Caller): string {
  return caller.kind === 'page' ? caller.origin : callerKey(caller);
}

function jobKey({ callerKey }: Connection, requestId: string): string {
  return `${callerKey}\n\n${requestId}`;
}

/** An invalid value as INVALID_ARGUMENT or TOO_LARGE; any other error unchanged. */
export function asSealwrightError(error: unknown): unknown {
  return error instanceof InvalidValue ? new SealwrightError(error.code, error.message) : error;
}

function callOf(job: Job, requestId: string, params: unknown): Call {
  let lastTold = Number.NEGATIVE_INFINITY;
  return {
    caller: job.channel.peer,
    method: job.method,
    params,
    requestId,
    get signal() {
      return signalOf(job);
    },
    get isAborted() {
      return job.isCancelled;
    },
    onAbort(listener) {
      job.onAbort = both(job.onAbort, listener);
    },
    goesOn: (work) => void job.goingOn.push(work),
    isFollowed: job.isFollowed,
    progress(doneBytes, totalBytes) {
      if (!job.isFollowed) return;
      const now = Date.now();
      const isWorthTelling = doneBytes === totalBytes || now - lastTold >= PROGRESS_EVERY_MS;
      if (!isWorthTelling || job.isCancelled) return;
      lastTold = now;
      job.channel.send(progress(requestId, doneBytes, totalBytes));
    },
  };
}

function signalOf(job: Job): AbortSignal {
  job.controller ??= new AbortController();
  if (job.isCancelled) job.controller.abort();
  return job.controller.signal;
}

function both(first: () => void, second: () => void): () => void {
  if (first === nothing) return second;
  return () => {
    first();
    second();
  };
}
