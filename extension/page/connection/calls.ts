import type { CONTENT_METHODS } from '../../../src/rpc/methods/content.ts';
import type { NameIn, ParamsIn, ResultIn } from '../../../src/rpc/methods/method.ts';

import { freeze, isArray, isBlob, isUint8Array, keys } from '../../../src/rpc/primordials.ts';
import type { CallControl } from '../arguments.ts';
import { aborted, quiet, timeLimit } from './control.ts';
import type { PageConnection } from './connection.ts';
import { isAborted, listen, unlisten } from '../primordials.ts';

type ContentMethods = typeof CONTENT_METHODS;
/** What calls need of a page's connection. */
export type CallingConnection = Pick<PageConnection, 'client' | 'requireDocument'>;

/** Calls of the content script, with the page's signal, timeout and progress function. */
export class Calls {
  readonly #connection: CallingConnection;

  constructor(connection: CallingConnection) {
    this.#connection = connection;
  }

  /** @throws SealwrightError DISCONNECTED, and not as a rejection, when the document is gone */
  call<M extends NameIn<ContentMethods>>(
    method: M,
    params: ParamsIn<ContentMethods, M>,
    control: CallControl,
  ): Promise<ResultIn<ContentMethods, M>> {
    this.#connection.requireDocument();
    return this.#run(method, params, control);
  }

  async #run<M extends NameIn<ContentMethods>>(
    method: M,
    params: ParamsIn<ContentMethods, M>,
    control: CallControl,
  ): Promise<ResultIn<ContentMethods, M>> {
    const { signal, onProgress } = control;
    if (signal && isAborted(signal)) throw aborted();
    const started = this.#connection.client.start(method, params, {
      timeoutMs: timeLimit(control),
      onProgress: onProgress && quiet(onProgress),
    });
    const onAbort = (): void => started.abort();
    if (signal) listen(signal, 'abort', onAbort);
    try {
      return plain(await started.result) as ResultIn<ContentMethods, M>;
    } finally {
      if (signal) unlisten(signal, 'abort', onAbort);
    }
  }
}

/** Records from messages have no prototype. Pages get ordinary frozen objects. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isUint8Array(value) || isBlob(value)) {
    return value;
  }
  const copy = (isArray(value) ? [] : {}) as Record<string, unknown>;
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    copy[names[i]!] = plain((value as Record<string, unknown>)[names[i]!]);
  }
  return freeze(copy);
}
