import type { Runtime } from 'webextension-polyfill';
import { workersHere, type StartWorker } from './running-worker.ts';

/** Starts workers of the background. Firefox's event page can do it itself. */
export function backgroundWorkers(runtime: Pick<Runtime.Static, 'getURL'>): StartWorker {
  return workersHere((path) => runtime.getURL(path));
}
