/**
 * Far longer than a disk that spins up and flushes; a store that has not answered by then is taken
 * not to work (in Firefox, IndexedDB can stay silent for ever: bug 1982707).
 */
export const STORE_TIMEOUT_MS = 20_000;

/** A store did not answer. What was asked of it may still happen, before anything asked later. */
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
