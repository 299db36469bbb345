/**
 * Runs `work` on each item, so many at a time, and gives the results in the order of the items.
 * When one fails, or the results are no longer wanted, no further item is begun.
 */
export async function* inFlight<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<R>,
  width: number,
): AsyncGenerator<R> {
  const running: Promise<R>[] = [];
  for await (const item of items) {
    const started = work(item);
    started.catch(() => undefined); // told in its turn
    running.push(started);
    if (running.length >= width) yield await running.shift()!;
  }
  while (running.length > 0) yield await running.shift()!;
}
