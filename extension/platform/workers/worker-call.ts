/** A worker that is not ready in this time counts as failed, unless its caller is more patient. */
const READY_MS = 5_000;

/** How long a worker waits for another order. */
export const IDLE_WORKER_MS = 500;

/** A worker could not be started, or failed before it answered. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
}

/** No worker could be started at all. */
export class NoWorker extends WorkerFailed {}

/** What a worker is to do, and the buffers that move there with it. */
export interface GivenOrder {
  readonly order: unknown;
  readonly transfer: readonly Transferable[];
}

/**
 * Has one order done in a worker of its own. The worker ends with the answer, with the abort of the
 * signal, and with a failure: nothing goes on in it, and its memory is free.
 *
 * @param given makes the order when the worker is ready for it
 * @throws NoWorker; WorkerFailed; the signal's reason
 */
export function inWorker(
  start: StartWorker,
  script: string,
  given: () => GivenOrder,
  signal?: AbortSignal,
): Promise<unknown> {
  return new ReusedWorkers(start, script).run(given, () => false, signal);
}

/**
 * Has orders done one after another in workers of one script. A worker that has answered waits a moment for
 * the next order: starting one costs a core more than many an order, and orders of pages come in bursts. An
 * abort and a failure end the worker, as `inWorker` does.
 */
export class ReusedWorkers {
  readonly #start: StartWorker;
  readonly #script: string;
  readonly #readyMs: number;
  #idle:
    { readonly worker: RunningWorker; readonly timer: ReturnType<typeof setTimeout> } | undefined;

  /** @param readyMs how long a worker may take to load */
  constructor(start: StartWorker, script: string, readyMs = READY_MS) {
    this.#start = start;
    this.#script = script;
    this.#readyMs = readyMs;
  }

  /**
   * @param given makes the order when the worker is ready for it
   * @param isReusable whether a worker may wait for another order after this answer
   * @throws NoWorker; WorkerFailed; the signal's reason
   */
  async run(
    given: () => GivenOrder,
    isReusable: (answer: unknown) => boolean,
    signal?: AbortSignal,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    const worker = this.#taken() ?? (await readyWorker(this.#start, this.#script, this.#readyMs));
    if (worker === undefined) throw new NoWorker('no worker could be started');
    let isReused = false;
    try {
      signal?.throwIfAborted();
      const { order, transfer } = given();
      const answer = await answerOf(worker, order, [...transfer], signal);
      isReused = isReusable(answer);
      return answer;
    } finally {
      if (isReused && this.#idle === undefined) this.#wait(worker);
      else worker.end();
    }
  }

  #taken(): RunningWorker | undefined {
    const idle = this.#idle;
    clearTimeout(idle?.timer);
    this.#idle = undefined;
    return idle?.worker;
  }

  #wait(worker: RunningWorker): void {
    const end = (): void => {
      if (this.#idle?.worker === worker) this.#taken()!.end();
    };
    this.#idle = { worker, timer: setTimeout(end, IDLE_WORKER_MS) };
    worker.onError(end); // at once where it has failed since its answer
  }
}

/** Starts a worker and waits until it is ready; undefined where that fails. */
async function readyWorker(
  start: StartWorker,
  script: string,
  readyMs: number,
): Promise<RunningWorker | undefined> {
  const started = await start(script).catch(() => undefined);
  if (started === undefined) return undefined;
  const worker = withOneListener(started);
  if (await isReady(worker, readyMs)) return worker;
  worker.end();
  return undefined;
}

/** The worker with a listener that takes the place of the one before: a worker may have any number of orders. */
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

function isReady({ port, onError }: RunningWorker, readyMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), readyMs);
    const settle = (ready: boolean) => {
      clearTimeout(timer);
      resolve(ready);
    };
    port.addEventListener('message', () => settle(true), { once: true });
    onError(() => settle(false));
    port.start();
  });
}

/**
 * Sends one order and waits for its answer.
 *
 * @param transfer buffers to transfer
 * @throws WorkerFailed; the signal's reason
 */
function answerOf(
  { port, onError }: RunningWorker,
  order: unknown,
  transfer: Transferable[],
  signal?: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal!.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    onError(() => reject(new WorkerFailed('the worker failed')));
    const answered = ({ data }: MessageEvent<unknown>): void => {
      signal?.removeEventListener('abort', abort);
      resolve(data);
    };
    port.addEventListener('message', answered, { once: true });
    port.postMessage(order, transfer);
  });
}

/** A running worker, as the context that started it uses it. */
export interface RunningWorker {
  /** Leads to the worker itself. The document that hosts the worker does not see its messages. */
  readonly port: MessagePort;
  /** Called once where the script could not be run. */
  readonly onError: (listener: () => void) => void;
  /** Terminates the worker at once and frees its memory. */
  readonly end: () => void;
}

/** @param script of the package, by its file name; rejects where no worker can be started */
export type StartWorker = (script: string) => Promise<RunningWorker>;

/** Starts a worker in this context, and gives it its port. */
export function workerHere(script: string, port: MessagePort): Worker {
  const worker = new Worker(script);
  worker.postMessage(null, [port]);
  return worker;
}
