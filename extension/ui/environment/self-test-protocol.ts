/*
 * Messages between the self-test worker and the view that runs it.
 */

/** The result of one engine's known-answer test for one algorithm. */
export interface AnswerResult {
  readonly type: 'answer';
  readonly engine: string;
  readonly algorithm: string;
  readonly passed: boolean;
  /** Why it failed, for bug reports. */
  readonly reason?: string;
}

/** An engine that is not available in this browser or this build. */
export interface AbsentEngine {
  readonly type: 'absent';
  readonly engine: string;
  /** For bug reports. */
  readonly reason: string;
}

/** From this many bytes on, the engine is faster on this machine than those listed after it. */
export interface ThresholdRow {
  readonly algorithm: string;
  readonly engine: string;
  readonly fromBytes: number;
}

/** The measured speed of one engine, for one algorithm and size. */
export interface SpeedResult {
  readonly type: 'speed';
  readonly engine: string;
  readonly algorithm: string;
  /** 'no' if its timing may depend on the key. */
  readonly constantTime: 'by-construction' | 'platform' | 'no';
  /** Size of the input of one call. */
  readonly bytes: number;
  readonly bytesPerSecond: number;
}

/** The measured time of one call of a fixed size. */
export interface CallResult {
  readonly type: 'call';
  readonly engine: string;
  readonly operation: 'decrypt' | 'encrypt' | 'derive' | 'power';
  /** Size of the message; 0 where there is none. */
  readonly bytes: number;
  /** The algorithm with its parameters. */
  readonly name: string;
  readonly seconds: number;
}

/** What each engine could do, in the order of preference; nothing is tested for it. */
export interface EngineList {
  readonly type: 'engines';
  readonly engines: readonly string[];
  readonly rows: readonly { readonly algorithm: string; readonly engines: readonly string[] }[];
}

/** Messages of the worker. */
export type FromWorker =
  | EngineList
  | AbsentEngine
  | AnswerResult
  | SpeedResult
  | CallResult
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  | { readonly type: 'finished'; readonly thresholds: readonly ThresholdRow[] }
  | { readonly type: 'failed'; readonly message: string };

/** Messages to the worker. `cards`: whether the user has switched the graphics card on. */
export type ToWorker =
  { readonly type: 'start' | 'engines'; readonly cards: boolean } | { readonly type: 'cancel' };
