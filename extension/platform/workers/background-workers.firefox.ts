import type { Runtime } from 'webextension-polyfill';
import { workerHere, type StartWorker } from './worker-call.ts';

/** Starts workers of the background. Firefox's event page can do it itself. */
export function backgroundWorkers(runtime: Pick<Runtime.Static, 'getURL'>): StartWorker {
  return (script) => {
    const { port1, port2 } = new MessageChannel();
    const worker = workerHere(runtime.getURL(script), port2);
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
