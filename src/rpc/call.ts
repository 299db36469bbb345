import type { Caller } from './channel.ts';
import type { NameIn, ParamsIn, ResultIn, Table } from './methods/method.ts';
import type { Methods } from './methods/methods.ts';

/** What an implementation knows of the call beside its parameters. */
export interface Call {
  readonly caller: Caller;
  /** Unique within the caller's document, and the same in every replay of the request. */
  readonly requestId: string;
  /** Aborted when the caller gave up or is gone. Nobody waits for the result then. Made when asked for. */
  readonly signal: AbortSignal;
  /** Whether `signal` is aborted, without making one. */
  readonly isAborted: boolean;
  /** Runs `listener` when `signal` would be aborted, without making one. */
  onAbort(listener: () => void): void;
  /** Whether the caller listens to `progress`. A message on the way costs as much as an answer. */
  readonly isFollowed: boolean;
  /** Tells the caller how far its work is. Cheap to call; calls after the end do nothing. */
  progress(doneBytes: number, totalBytes?: number): void;
}

/** What stands behind a table: one function per method, which rejects with SealwrightErrors. */
export type ImplementationsOf<T extends Table> = {
  readonly [M in NameIn<T>]: (params: ParamsIn<T, M>, call: Call) => Promise<ResultIn<T, M>>;
};

/** The implementations of all methods that the background serves. */
export type Implementations = ImplementationsOf<Methods>;

/** What a server calls: one that has an answer at hand gives it without a promise, or throws. */
export type AnswersOf<T extends Table> = {
  readonly [M in NameIn<T>]: (
    params: ParamsIn<T, M>,
    call: Call,
  ) => ResultIn<T, M> | Promise<ResultIn<T, M>>;
};
