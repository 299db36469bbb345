import type { Call } from '../../../src/rpc/call.ts';
import type { NameIn, ParamsIn, ResultIn } from '../../../src/rpc/methods/method.ts';
import { BULK_METHODS } from '../../../src/rpc/methods/bulk.ts';
import { GUARD_METHODS } from '../../../src/rpc/methods/guard.ts';
import type { MethodClient } from '../../../src/rpc/client/method-client.ts';
import { MOVEMENT_METHODS } from '../../../src/rpc/methods/movements.ts';
import { PAGE_METHODS } from '../../../src/rpc/methods/page.ts';

/**
 * What a content script calls in the background: the methods that its page may call, the keys for
 * bulk work, the digests of pointer movements, and what the guard of forms needs.
 */
export const BACKGROUND_METHODS = Object.freeze({
  ...PAGE_METHODS,
  ...BULK_METHODS,
  ...MOVEMENT_METHODS,
  ...GUARD_METHODS,
});

type Methods = typeof BACKGROUND_METHODS;

export type Background = MethodClient<Methods>;

/**
 * Calls the background for a page's call that the content script serves: an abort of the page's
 * call aborts this one, and progress is passed back.
 */
export function forward<M extends NameIn<Methods>>(
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
