import type { Call } from '../../../src/rpc/call.ts';
import type { NameIn, ParamsIn, ResultIn } from '../../../src/rpc/methods/method.ts';
import { BULK_METHODS } from '../../../src/rpc/methods/bulk.ts';
import { GUARD_METHODS } from '../../../src/rpc/methods/guard.ts';
import type { MethodClient } from '../../../src/rpc/client/method-client.ts';
import { MOVEMENT_METHODS } from '../../../src/rpc/methods/movements.ts';
import { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';

type Methods = typeof CONTENT_METHODS;

/** A page's call, passed on to the background: aborts go there, progress comes back. */
export function asked<M extends NameIn<Methods>>(
  background: Background,
  method: M,
  params: ParamsIn<Methods, M>,
  call: Call,
): Promise<ResultIn<Methods, M>> {
  const onProgress = ({ bytes, total }: { bytes: number; total?: number }): void =>
    call.progress(bytes, total);
  const options = call.isFollowed ? { onProgress } : {};
  const started = background.start(method, params, options);
  call.onAbort(() => started.abort());
  return started.result;
}

/**
 * What a content script asks of the background: what its page asks, keys for the bulk lane,
 * that movements be stirred in, and what the guard of forms needs.
 */
export const CONTENT_METHODS = Object.freeze({
  ...PAGE_METHODS,
  ...BULK_METHODS,
  ...MOVEMENT_METHODS,
  ...GUARD_METHODS,
});

export type Background = MethodClient<typeof CONTENT_METHODS>;
