/** What kind of code it is: figures ask for the fastest of a kind. */
export type Kind = 'ours' | 'pure js' | 'asm.js' | 'wasm' | 'native';

/**
 * A task in the form that the contender likes best: whatever the library lets one prepare (key
 * schedules, its own kind of array) is prepared before the clock starts.
 */
export interface Prepared {
  /** What is timed. May return a promise, which is then waited for within the timing. */
  readonly run: () => unknown;
  /** The bytes of what `run` gave. Absent where there are none to compare, as for a key schedule. */
  readonly bytes?: (result: unknown) => Uint8Array;
  /**
   * Contenders of one row whose answers are called the same have to give the same bytes; absent
   * where the row has but one answer.
   */
  readonly answer?: string;
}

/** One library, or one engine of ours, and the tasks of one suite that it can do. */
export interface Contender<T> {
  readonly name: string;
  readonly kind: Kind;
  /** Undefined where the library lacks the task. */
  prepare(task: T): Prepared | undefined | Promise<Prepared | undefined>;
}

/** For results that are bytes already. */
export const asBytes = (result: unknown): Uint8Array => result as Uint8Array;
