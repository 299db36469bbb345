/** The script of the workers of the workshop. */
export const WORKSHOP_SCRIPT = 'workshop-worker.js';

/** A running worker, as the context that started it uses it. */
export interface RunningWorker {
  /** Leads to the worker itself. The document that hosts the worker does not see its messages. */
  readonly port: MessagePort;
  /** Called once where the script could not be run, or the worker has ended by itself. */
  readonly onError: (listener: () => void) => void;
  /** Terminates the worker at once and frees its memory. */
  readonly end: () => void;
}

/** Starts a worker; rejects where none can be started. */
export type StartWorker = () => Promise<RunningWorker>;

/** Starts a worker in this context, and gives it its port. */
export function workerHere(port: MessagePort, script = WORKSHOP_SCRIPT): Worker {
  const worker = new Worker(script);
  worker.postMessage(null, [port]);
  return worker;
}

/** Starts workers in this context: that of a page, or of Firefox's background. */
export function workersHere(
  urlOf: (path: string) => string,
  script = WORKSHOP_SCRIPT,
): StartWorker {
  return () => {
    const { port1, port2 } = new MessageChannel();
    const worker = workerHere(port2, urlOf(script));
    return Promise.resolve({
      port: port1,
      onError: (listener) => worker.addEventListener('error', listener),
      end: () => {
        worker.terminate();
        port1.close();
      },
    });
  };
}
