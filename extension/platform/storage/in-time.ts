/**
 * Far longer than a disk takes to spin up and flush. A store that does not answer in this time counts as
 * broken (in Firefox, IndexedDB may never answer: bug 1982707).
 */
export const STORE_TIMEOUT_MS = 20_000;

/** A store did not answer. The operation may still take effect, before any later one. */
export class StoreTimeout extends Error {
  override readonly name = 'StoreTimeout';
}

/** The result of `work`. @throws StoreTimeout where it has not settled in time */
export async function inTime<T>(work: Promise<T>, store: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const message = `${store} did not answer within ${STORE_TIMEOUT_MS} ms`;
    timer = setTimeout(() => reject(new StoreTimeout(message)), STORE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
