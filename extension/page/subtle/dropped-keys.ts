import { SafeMap } from '../../../src/rpc/primordials.ts';
import { MAX_DROPPED_KEYS } from '../../../src/rpc/methods/subtle-values.ts';
import { gone, SafeFinalizationRegistry, timers } from '../primordials.ts';

/** Calls back for keys that no script of the page can reach any more. */
const UNREACHABLE = new SafeFinalizationRegistry((drop) => drop());

/**
 * Tells the extension which keys the page no longer references, so that a page can make any number of keys
 * one after the other. A key is held during a call that uses it: otherwise the message that drops it could
 * arrive before the call.
 */
export class DroppedKeys {
  readonly #tell: (handles: string[]) => void;
  readonly #held = new SafeMap<object, readonly object[]>();
  #handles: string[] = [];

  /** @param tell is called with at most MAX_DROPPED_KEYS handles */
  constructor(tell: (handles: string[]) => void) {
    this.#tell = tell;
  }

  watch(key: object, handle: string): void {
    gone.register(UNREACHABLE, key, dropper(this, handle), key);
  }

  async holding<T>(keys: readonly object[], work: () => Promise<T>): Promise<T> {
    const call = {};
    this.#held.set(call, keys);
    try {
      return await work();
    } finally {
      this.#held.delete(call);
    }
  }

  add(handle: string): void {
    // The garbage collector finds many at once.
    if (this.#handles.length === 0) timers.start(() => this.#flush(), 0);
    this.#handles[this.#handles.length] = handle;
    if (this.#handles.length === MAX_DROPPED_KEYS) this.#flush();
  }

  #flush(): void {
    const handles = this.#handles;
    this.#handles = [];
    if (handles.length > 0) this.#tell(handles);
  }
}

/** A function of its own, so that the closure does not reference the key. */
function dropper(dropped: DroppedKeys, handle: string): () => void {
  return () => dropped.add(handle);
}
