/*
 * A port does not say that whoever held its other end is gone: a worker that was terminated, a page
 * that was closed. A Web Lock does: the browser gives it to who waits for it.
 */

/**
 * A lock that is held until the signal aborts, or this page or worker ends.
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

/** Calls `ended` once when whoever holds the lock is gone, unless `signal` was aborted before. */
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
