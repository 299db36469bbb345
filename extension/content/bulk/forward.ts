import type { Call } from '../../../src/rpc/call.ts';
import type { NameIn, ParamsIn, ResultIn } from '../../../src/rpc/methods/method.ts';
import type { Background, CONTENT_METHODS } from './background.ts';

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
