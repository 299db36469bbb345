import type { Calls } from '../connection/calls.ts';
import { NO_CONTROL } from '../connection/control.ts';
import { gone, SafeFinalizationRegistry } from '../primordials.ts';

/** Drops the keys of streams that the page no longer references and has not closed. */
const FORGOTTEN = new SafeFinalizationRegistry((drop) => drop());

/** Drops the stream when `holder` was collected, unless `remember` is called before. */
export function dropWhenForgotten(holder: object, calls: Calls, stream: string): void {
  gone.register(FORGOTTEN, holder, dropper(calls, stream), holder);
}

/** Undoes `dropWhenForgotten`: the stream has ended. */
export function remember(holder: object): void {
  gone.unregister(FORGOTTEN, holder);
}

/** A function of its own, so that the closure does not reference the holder. */
function dropper(calls: Calls, stream: string): () => void {
  return () => void dropped(calls, stream);
}

/** Makes the content script drop the key of the stream. */
export async function dropped(calls: Calls, stream: string): Promise<void> {
  try {
    await calls.call('dropStream', { stream }, NO_CONTROL);
  } catch {
    // The content script has gone, and the key with it.
  }
}
