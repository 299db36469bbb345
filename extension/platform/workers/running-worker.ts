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
