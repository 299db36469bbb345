/*
 * Results of batches: each record has its own value or error, in the form of `Promise.allSettled`. A
 * record that failed in one step keeps its error and its position, and later steps skip it.
 */

/** The value of one record of a batch, or its error. */
export type Result<T> = PromiseSettledResult<T>;

/** Runs `work` and returns its value or its error. */
export function resultOf<T>(work: () => T): Result<T> {
  try {
    return { status: 'fulfilled', value: work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}

/** @returns the value @throws the error of a failed result */
export function valueOf<T>(result: Result<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** Applies the next step to a result, unless it failed. */
export function mapResult<A, B>(result: Result<A>, work: (value: A) => B): Result<B> {
  return result.status === 'rejected' ? result : resultOf(() => work(result.value));
}

/**
 * Applies the next step to all results that have not failed, in one call.
 *
 * @param work returns one result for each value, in the same order
 */
export async function mapResultsTogether<A, B>(
  results: readonly Result<A>[],
  work: (values: readonly A[]) => Promise<readonly Result<B>[]>,
): Promise<Result<B>[]> {
  const values = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const next = await work(values);
  let i = 0;
  return results.map((one) => (one.status === 'rejected' ? one : next[i++]!));
}
