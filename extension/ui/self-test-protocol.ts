/*
 * What the self-test worker and the view that runs it say to each other.
 */

/** One engine's known-answer test for one algorithm. */
export interface AnswerResult {
  readonly type: 'answer';
  readonly engine: string;
  readonly algorithm: string;
  readonly passed: boolean;
  /** Why not; for people who read bug reports. */
  readonly reason?: string;
}

/** How fast one engine was. */
export interface SpeedResult {
  readonly type: 'speed';
  readonly engine: string;
  readonly algorithm: string;
  /** Size of the input of one call. */
  readonly bytes: number;
  readonly bytesPerSecond: number;
}

export type FromWorker =
  | AnswerResult
  | SpeedResult
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  | { readonly type: 'finished' }
  | { readonly type: 'failed'; readonly message: string };

export type ToWorker = { readonly type: 'start' } | { readonly type: 'cancel' };
