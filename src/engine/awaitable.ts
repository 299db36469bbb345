import type { Awaitable } from './contract.ts';

/*
 * Steps that wait only if necessary. While all values are available, a chain of them completes synchronously
 * and creates no promise; `async` and `await` would create several.
 */

/** `next(value)`, synchronously if the value is not a promise. Rejections of `value` pass through. */
export function then<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The result of `work`. `handle` replaces its errors and rejections. */
export function rescue<T>(
  work: () => Awaitable<T>,
  handle: (error: unknown) => Awaitable<T>,
): Awaitable<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(handle) : result;
  } catch (error) {
    return handle(error);
  }
}

/** The result of `work`. Calls `cleanUp` once afterwards, also if the work failed. */
export function lastly<T>(work: () => Awaitable<T>, cleanUp: () => void): Awaitable<T> {
  let isWaiting = false;
  try {
    const result = work();
    if (!(result instanceof Promise)) return result;
    isWaiting = true;
    return result.finally(cleanUp);
  } finally {
    if (!isWaiting) cleanUp();
  }
}
