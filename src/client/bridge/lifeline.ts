/*
 * A port reports no close when its other end is gone: a terminated worker, or a closed page. A Web
 * Lock does: the browser grants it to the end that waits for it.
 */

/**
 * Holds a new lock until the signal aborts, or this page or worker ends.
 *
 * @returns its name
 * @throws DOMException SecurityError in workers of another origin, as those of `data:` addresses are
 */
export function holdLifeline(locks: LockManager, until: AbortSignal): Promise<string> {
  const name = `sealwright ${crypto.randomUUID()}`;
  return new Promise((resolve, reject) => {
    const held = () =>
      new Promise<void>((release) => {
        until.addEventListener('abort', () => release());
        if (until.aborted) release();
        resolve(name);
      });
    locks.request(name, held).catch(reject);
  });
}

/** Calls `ended` once when the holder of the lock is gone, unless `signal` was aborted before. */
export function onLifelineEnd(
  locks: LockManager,
  name: string,
  ended: () => void,
  signal: AbortSignal,
): void {
  locks.request(name, { signal }, ended).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
