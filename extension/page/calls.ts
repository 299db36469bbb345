import type { NameIn, ParamsIn, ResultIn } from '../../src/rpc/method.ts';
import type { PAGE_METHODS } from '../../src/rpc/page-methods.ts';
import { freeze, isArray, isUint8Array, keys } from '../../src/rpc/primordials.ts';
import type { CallControl } from './arguments.ts';
import type { PageLane } from './lane.ts';
import { isAborted, listen, SafeDOMException, unlisten } from './primordials.ts';

type PageMethods = typeof PAGE_METHODS;

/** setTimeout takes 31 bits; a longer wait than 24 days is no limit. */
const MAX_TIMEOUT_MS = 0x7fffffff;

/** Calls over the lane, under the page's own signal, timeout and progress function. */
export class Calls {
  readonly #lane: PageLane;

  constructor(lane: PageLane) {
    this.#lane = lane;
  }

  async call<M extends NameIn<PageMethods>>(
    method: M,
    params: ParamsIn<PageMethods, M>,
    { signal, timeoutMs, onProgress }: CallControl,
  ): Promise<ResultIn<PageMethods, M>> {
    if (signal && isAborted(signal)) {
      throw new SafeDOMException('The call was aborted', 'AbortError');
    }
    const limitMs = timeoutMs !== undefined && timeoutMs > MAX_TIMEOUT_MS ? undefined : timeoutMs;
    const started = this.#lane.client.start(method, params, {
      timeoutMs: limitMs,
      onProgress: onProgress && quiet(onProgress),
    });
    const onAbort = (): void => started.abort();
    if (signal) listen(signal, 'abort', onAbort);
    try {
      return plain(await started.result) as ResultIn<PageMethods, M>;
    } finally {
      if (signal) unlisten(signal, 'abort', onAbort);
    }
  }
}

/** A page's function that throws is the page's affair, and must not end its call. */
function quiet(onProgress: NonNullable<CallControl['onProgress']>): typeof onProgress {
  return (done) => {
    try {
      onProgress(done);
    } catch (error) {
      reportError(error);
    }
  };
}

/** The records of the wire have no prototype; pages get ordinary frozen objects. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isUint8Array(value)) return value;
  const copy = (isArray(value) ? [] : {}) as Record<string, unknown>;
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    copy[names[i]!] = plain((value as Record<string, unknown>)[names[i]!]);
  }
  return freeze(copy);
}
