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

/** An engine that this browser or this build does not have. */
export interface AbsentEngine {
  readonly type: 'absent';
  readonly engine: string;
  /** For people who read bug reports. */
  readonly reason: string;
}

/** From how many bytes on this machine is better served by an engine than by those after it. */
export interface ThresholdRow {
  readonly algorithm: string;
  readonly engine: string;
  readonly fromBytes: number;
}

/** How fast one engine was. */
export interface SpeedResult {
  readonly type: 'speed';
  readonly engine: string;
  readonly algorithm: string;
  /** 'no' if its timing may tell something of the key. */
  readonly constantTime: 'by-construction' | 'platform' | 'no';
  /** Size of the input of one call. */
  readonly bytes: number;
  readonly bytesPerSecond: number;
}

export type FromWorker =
  | AbsentEngine
  | AnswerResult
  | SpeedResult
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  | { readonly type: 'finished'; readonly thresholds: readonly ThresholdRow[] }
  | { readonly type: 'failed'; readonly message: string };

export type ToWorker = { readonly type: 'start' } | { readonly type: 'cancel' };
