/*
 * Many records at once, each with its own result or error, as `Promise.allSettled` has them: what
 * failed at one step keeps its place, and the next step never sees it.
 */

export type Settled<T> = PromiseSettledResult<T>;

/** What `work` returns or throws. */
export function settled<T>(work: () => T): Settled<T> {
  try {
    return { status: 'fulfilled', value: work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}

/** @throws what it failed with */
export function valueOf<T>(result: Settled<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** The next step for one that has come so far. */
export function mapSettled<A, B>(result: Settled<A>, work: (value: A) => B): Settled<B> {
  return result.status === 'rejected' ? result : settled(() => work(result.value));
}

/**
 * The next step for all that have come so far, together.
 *
 * @param work gives as many results as it gets values, in their order
 */
export async function mapTogether<A, B>(
  results: readonly Settled<A>[],
  work: (values: readonly A[]) => Promise<readonly Settled<B>[]>,
): Promise<Settled<B>[]> {
  const values = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const next = await work(values);
  let i = 0;
  return results.map((one) => (one.status === 'rejected' ? one : next[i++]!));
}
