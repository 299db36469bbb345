import { NoWorker, type Workshop } from '../rpc/workshop.ts';
import type { Operations } from './contract.ts';

/** A workshop without workers: for a background in memory, where nothing else waits. */
export function inThread(operations: Partial<Operations>): Workshop {
  return {
    async call(_owner, operation, input, { signal, onProgress = () => undefined } = {}) {
      signal?.throwIfAborted();
      const perform = operations[operation];
      if (perform === undefined) throw new NoWorker();
      return perform(input, onProgress);
    },
  };
}
