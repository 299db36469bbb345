import type { Calls } from '../connection/calls.ts';
import { NO_CONTROL } from '../connection/control.ts';
import { gone, SafeFinalizationRegistry } from '../primordials.ts';

/** Streams that their page left lying and forgot: their keys go when the memory of them does. */
const FORGOTTEN = new SafeFinalizationRegistry((drop) => drop());

/** Drops the stream when `holder` is gone, until `remember`. */
export function dropWhenForgotten(holder: object, calls: Calls, stream: string): void {
  gone.register(FORGOTTEN, holder, dropper(calls, stream), holder);
}

export function remember(holder: object): void {
  gone.unregister(FORGOTTEN, holder);
}

/** Made here, away from the holder, which it must not keep alive. */
function dropper(calls: Calls, stream: string): () => void {
  return () => void dropped(calls, stream);
}

/** The content script lets the key of the stream go. */
export async function dropped(calls: Calls, stream: string): Promise<void> {
  try {
    await calls.call('dropStream', { stream }, NO_CONTROL);
  } catch {
    // Its content script has gone, and the key with it.
  }
}
