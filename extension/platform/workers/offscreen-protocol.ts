/*
 * The messages between service worker and offscreen document. A request is a message of the service worker
 * to its client, with two ports: one to control the worker, one for the worker itself.
 */

/** The worker's script. */
export interface StartRequest {
  readonly start: string;
}

/** From the document: the worker was started, or its script could not be run. */
export type FromHost = 'started' | 'error';

/** To the document. A control port that closes, because the service worker ended, means the same. */
export const END = 'end';

/** The document closes itself after this time without workers. Creating one takes 50 ms. */
export const IDLE_MS = 10_000;
