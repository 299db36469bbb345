import type { Caller } from './channel.ts';
import type { NameIn, ParamsIn, ResultIn, Table } from './methods/method.ts';
import type { Methods } from './methods/methods.ts';

/** What an implementation knows about the call besides its parameters. */
export interface Call {
  readonly caller: Caller;
  /** The method's name, and its parameters as the table validated them. */
  readonly method: string;
  readonly params: unknown;
  /** Unique within the caller's document, and the same in every replay of the request. */
  readonly requestId: string;
  /** Aborted when the caller gave up or is gone; the result is then dropped. Created when first read. */
  readonly signal: AbortSignal;
  /** Whether `signal` is aborted, without making one. */
  readonly isAborted: boolean;
  /** Runs `listener` when `signal` would be aborted, without making one. */
  onAbort(listener: () => void): void;
  /** Says that work goes on although the call is answered now: until then no other call has its place. */
  goesOn(work: Promise<unknown>): void;
  /** Whether the caller listens to `progress`. A progress message costs as much as a response. */
  readonly isFollowed: boolean;
  /** Reports progress to the caller. Cheap to call; calls after the end do nothing. */
  progress(doneBytes: number, totalBytes?: number): void;
}

/** The implementations of a table: one function per method, which rejects with SealwrightErrors. */
export type ImplementationsOf<T extends Table> = {
  readonly [M in NameIn<T>]: (params: ParamsIn<T, M>, call: Call) => Promise<ResultIn<T, M>>;
};

/** The implementations of all methods that the background serves. */
export type Implementations = ImplementationsOf<Methods>;

/** What a server calls. A function that need not wait returns its result without a promise, or throws. */
export type AnswersOf<T extends Table> = {
  readonly [M in NameIn<T>]: (
    params: ParamsIn<T, M>,
    call: Call,
  ) => ResultIn<T, M> | Promise<ResultIn<T, M>>;
};
