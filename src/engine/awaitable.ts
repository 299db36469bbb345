import type { Awaitable } from './contract.ts';

/*
 * Steps that wait only where they have to. While every value is there, a chain of them ends in the
 * turn in which it began and makes no promise; `async` and `await` would make several.
 */

/** `next(value)`, at once where the value is there. What `value` rejects with passes through. */
export function then<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The result of `work`; `handle` answers for what it throws or rejects with. */
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

/** The result of `work`, after which `cleanUp` is called once, also where the work failed. */
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
