/*
 * What the background and the workers of the workshop say to each other. The operations are those of the tables
 * (workshop-methods.ts, self-test-rows.ts).
 */
import { SealwrightError, type ErrorData } from './errors.ts';
import { SUBTLE_ERRORS } from './methods/subtle-values.ts';
import type { Infer } from './validate.ts';
import type { SELF_TEST_ROWS } from './self-test-rows.ts';
import type { WORKSHOP_METHODS } from './workshop-methods.ts';

export type { AbsentEngine } from './self-test-rows.ts';

/** All rows of the workshop. */
export type Rows = typeof WORKSHOP_METHODS & typeof SELF_TEST_ROWS;
/** The name of an operation of the workshop. */
export type Operation = keyof Rows;
/** What an operation is given. */
export interface InputOf<M extends Operation> {
  readonly secrets: Infer<Rows[M]['secrets']>;
  readonly params: Infer<Rows[M]['params']>;
}
/** What an operation returns. */
export type OutputOf<M extends Operation> = Infer<Rows[M]['result']>;
/** An operation of pages' `subtle`. */
export type SubtleOperation = Extract<Operation, `subtle.${string}`>;
/** What an operation reports before. */
export type ProgressOf<M extends Operation> = Infer<NonNullable<Rows[M]['progress']>>;

/** What the self-test reports. */
export type SelfTestEvent = ProgressOf<'selfTest.run'>;
/**
 * For whom an operation is done: the vault, the user's own files, the self-test, or pages of one origin. No
 * worker serves two of them.
 */
export type Owner = 'vault' | 'files' | 'self-test' | `origin ${string}`;

/** What a call of the workshop may have besides. */
export interface WorkshopOptions<M extends Operation> {
  /** Ends the work at once, by ending its worker. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (event: ProgressOf<M>) => void;
}

/** Has operations done in the workshop. */
export interface Workshop {
  /**
   * A worker may end at any moment: the call is sent once more then, and its secrets are read again, so they
   * are not to be wiped before it ends.
   *
   * @throws the signal's reason; the error of the operation, by the names of `WORKSHOP_ERRORS`; NoWorker;
   *   WorkshopFailed
   */
  call<M extends Operation>(
    owner: Owner,
    operation: M,
    input: InputOf<M>,
    options?: WorkshopOptions<M>,
  ): Promise<OutputOf<M>>;
}

/** Names of the errors that an operation rejects with: for its caller they are the errors themselves. */
export const WORKSHOP_ERRORS = Object.freeze([
  ...SUBTLE_ERRORS,
  'RangeError',
  'AuthenticationError',
  'Failed',
] as const);
/** The name of an error of an operation; 'Failed': any other. */
export type WorkshopErrorName = (typeof WORKSHOP_ERRORS)[number];

/** To a worker: one call, after the answer to the one before. */
export interface WorkshopRequest {
  readonly operation: string;
  readonly secrets: unknown;
  readonly params: unknown;
}

/** From a worker: that it has started; then for each request any number of reports, and one answer. */
export type WorkshopMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly event: unknown }
  | { readonly type: 'value'; readonly value: unknown }
  | {
      readonly type: 'error';
      readonly name: WorkshopErrorName;
      readonly message: string;
    };

/** A worker failed, or an operation did in a way that its caller cannot mend. */
export class WorkshopFailed extends Error {
  override readonly name = 'WorkshopFailed';
}

/** No worker could be started: the operation is done nowhere else. */
export class NoWorker extends SealwrightError {
  constructor() {
    const message = 'This needs a worker, and the browser could not start one';
    super('UNSUPPORTED', message, { needs: 'worker' } satisfies ErrorData['UNSUPPORTED']);
  }
}
