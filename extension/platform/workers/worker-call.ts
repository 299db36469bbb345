/** A worker that has not said a word by then never will. */
const READY_MS = 5_000;

/** A worker that was ready, and failed before it answered. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
}

/** A worker that has said that it is ready; undefined where none can be had. */
export async function readyWorker(
  start: StartWorker,
  script: string,
): Promise<RunningWorker | undefined> {
  const worker = await start(script).catch(() => undefined);
  if (worker === undefined || (await isReady(worker))) return worker;
  worker.end();
  return undefined;
}

function isReady({ port, onError }: RunningWorker): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), READY_MS);
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
 * One order, and what comes back.
 *
 * @param transfer buffers that are given away
 * @throws WorkerFailed; the signal's reason
 */
export function answerOf(
  { port, onError }: RunningWorker,
  order: unknown,
  transfer: Transferable[],
  signal?: AbortSignal,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal!.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    onError(() => reject(new WorkerFailed('the worker failed')));
    port.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      signal?.removeEventListener('abort', abort);
      resolve(data);
    });
    port.postMessage(order, transfer);
  });
}

/** A worker that has one line to whoever started it, and dies when they say so. */
export interface RunningWorker {
  /** To the worker alone. Nothing that crosses it is seen by whoever hosts the worker. */
  readonly port: MessagePort;
  /** Called once where the script could not be run. */
  readonly onError: (listener: () => void) => void;
  /** Ends the worker in the middle of whatever it does; its memory is free then. */
  readonly end: () => void;
}

/** @param script of the package, by its file name; rejects where no worker can be had */
export type StartWorker = (script: string) => Promise<RunningWorker>;

/** Starts a worker here, and gives it its line. */
export function workerHere(script: string, port: MessagePort): Worker {
  const worker = new Worker(script);
  worker.postMessage(null, [port]);
  return worker;
}
