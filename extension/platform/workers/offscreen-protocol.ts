/*
 * What service worker and offscreen document say to each other. The request comes as a message of
 * a service worker to its client, with two ports: one to steer by, one for the worker itself.
 */

/** The worker's script. */
export interface StartRequest {
  readonly start: string;
}

/** From the document: it lives and has started the worker, or the script could not be run. */
export type FromHost = 'started' | 'error';

/** To the document. A port that closes, because the service worker died, says the same. */
export const END = 'end';

/** The document closes itself when it has hosted nothing for so long; starting one takes 50 ms. */
export const IDLE_MS = 10_000;
