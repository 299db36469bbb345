import { AuthenticationError } from '../../../src/crypto/errors.ts';
import {
  NoWorker,
  WorkshopFailed,
  type InputOf,
  type Operation,
  type OutputOf,
  type Owner,
  type Rows,
  type Workshop,
  type WorkshopErrorName,
  type WorkshopMessage,
  type WorkshopOptions,
  type WorkshopRequest,
} from '../../../src/rpc/workshop.ts';
import type { RunningWorker, StartWorker } from './running-worker.ts';

/** A worker that is not ready in this time counts as failed. */
const READY_MS = 10_000;

/** Workers that wait for another call. Starting one takes longer than most calls, and calls of pages come in bursts. */
export const IDLE = {
  /** Of all owners together; the one that has waited longest ends first. */
  atMost: 4,
  /** As long as Chromium's service worker waits for events, which ends them with itself. */
  ms: 30_000,
  /** WebAssembly gives no memory back: a worker in which a call has filled more ends with it. */
  filledBytes: 16 * 1024 * 1024,
} as const;

interface IdleWorker {
  readonly owner: Owner;
  readonly worker: RunningWorker;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** The worker ended before it answered. */
class Died extends WorkshopFailed {}

/**
 * The workers of the workshop, each of one owner and with one call at a time. Those of pages wait a moment for
 * the next call of their origin; all others end with their answer, and their memory is free. An abort and a
 * failure end a worker.
 */
export class WorkshopInstances implements Workshop {
  readonly #start: StartWorker;
  readonly #rows: Partial<Rows>;
  /** The one that has waited longest is the first. */
  readonly #idle: IdleWorker[] = [];

  /** @param rows of the operations that it is asked for: they check what the workers answer */
  constructor(start: StartWorker, rows: Partial<Rows>) {
    this.#start = start;
    this.#rows = rows;
  }

  async call<M extends Operation>(
    owner: Owner,
    operation: M,
    input: InputOf<M>,
    options: WorkshopOptions<M> = {},
  ): Promise<OutputOf<M>> {
    try {
      return await this.#callOnce(owner, operation, input, options);
    } catch (error) {
      if (!(error instanceof Died)) throw error;
      return this.#callOnce(owner, operation, input, options);
    }
  }

  async #callOnce<M extends Operation>(
    owner: Owner,
    operation: M,
    input: InputOf<M>,
    { signal, onProgress = () => undefined }: WorkshopOptions<M>,
  ): Promise<OutputOf<M>> {
    signal?.throwIfAborted();
    const row = this.#rows[operation];
    if (row === undefined) throw new NoWorker();
    const worker = this.#taken(owner) ?? (await readyWorker(this.#start));
    if (worker === undefined) throw new NoWorker();
    let isReusable = false;
    try {
      signal?.throwIfAborted();
      const { result, progress, fills } = row;
      const report = (event: unknown): void => onProgress(progress!(event, 'progress') as never);
      const answer = await answerOf(worker, { operation, ...input }, report, signal);
      if (answer.type === 'error') {
        isReusable = answer.name !== 'Failed';
        throw errorOf(answer.name, answer.message);
      }
      const value = result(answer.value, 'result') as OutputOf<M>;
      isReusable = (fills?.(input.params as never) ?? 0) <= IDLE.filledBytes;
      return value;
    } finally {
      if (isReusable && owner.startsWith('origin ')) this.#wait(owner, worker);
      else worker.end();
    }
  }

  #taken(owner: Owner): RunningWorker | undefined {
    const found = this.#idle.findLastIndex((idle) => idle.owner === owner);
    return found < 0 ? undefined : this.#removed(found);
  }

  #removed(index: number): RunningWorker {
    const [{ worker, timer }] = this.#idle.splice(index, 1) as [IdleWorker];
    clearTimeout(timer);
    return worker;
  }

  #wait(owner: Owner, worker: RunningWorker): void {
    const end = (): void => {
      const index = this.#idle.findIndex((idle) => idle.worker === worker);
      if (index >= 0) this.#removed(index).end();
    };
    this.#idle.push({ owner, worker, timer: setTimeout(end, IDLE.ms) });
    worker.onError(end); // at once where it has failed since its answer
    if (this.#idle.length > IDLE.atMost) this.#removed(0).end();
  }
}

/** Starts a worker and waits until it is ready: once more where it has ended before. Undefined where none is ready. */
async function readyWorker(start: StartWorker): Promise<RunningWorker | undefined> {
  for (let left = 2; left > 0; left--) {
    const started = await start().catch(() => undefined);
    if (started === undefined) return undefined;
    const worker = withOneListener(started);
    const state = await firstState(worker);
    if (state === 'ready') return worker;
    worker.end();
    if (state === 'silent') return undefined;
  }
  return undefined;
}

/** The worker with a listener that takes the place of the one before: a worker may have any number of calls. */
function withOneListener({ port, onError, end }: RunningWorker): RunningWorker {
  let hasFailed = false;
  let listener = (): void => undefined;
  onError(() => {
    hasFailed = true;
    listener();
  });
  return {
    port,
    end,
    onError(next) {
      listener = next;
      if (hasFailed) next();
    },
  };
}

function firstState({ port, onError }: RunningWorker): Promise<'ready' | 'ended' | 'silent'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve('silent'), READY_MS);
    const settle = (state: 'ready' | 'ended') => {
      clearTimeout(timer);
      resolve(state);
    };
    port.addEventListener('message', () => settle('ready'), { once: true });
    onError(() => settle('ended'));
    port.start();
  });
}

type Answer = Extract<WorkshopMessage, { readonly type: 'value' | 'error' }>;

/** Sends one call and waits for its answer. @throws Died; the signal's reason; what `report` throws */
async function answerOf(
  { port, onError }: RunningWorker,
  request: WorkshopRequest,
  report: (event: unknown) => void,
  signal?: AbortSignal,
): Promise<Answer> {
  const listening = new AbortController();
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const until = { signal: listening.signal };
      signal?.addEventListener('abort', () => reject(signal.reason as Error), until);
      onError(() => reject(new Died('The worker failed')));
      const receive = ({ data }: MessageEvent<WorkshopMessage>): void => {
        if (data.type !== 'progress') {
          resolve(data as Answer);
          return;
        }
        try {
          report(data.event);
        } catch (error) {
          reject(error instanceof Error ? error : new WorkshopFailed('A report failed'));
        }
      };
      port.addEventListener('message', receive, until);
      port.postMessage(request);
    });
  } finally {
    listening.abort();
  }
}

/** The error that the operation threw. */
function errorOf(name: WorkshopErrorName, message: string): Error {
  switch (name) {
    case 'Failed':
      return new WorkshopFailed(message);
    case 'AuthenticationError':
      return new AuthenticationError();
    case 'RangeError':
      return new RangeError(message);
    case 'TypeError':
      return new TypeError(message);
    default:
      return new DOMException(message, name);
  }
}
