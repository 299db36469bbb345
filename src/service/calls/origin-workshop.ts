import type { Call } from '../../rpc/call.ts';
import type { InputOf, Operation, OutputOf, ProgressOf, Workshop } from '../../rpc/workshop.ts';
import { pageCall } from './caller.ts';
import type { PageWork } from './page-work.ts';

/** What short work of pages needs outside of this thread. */
export interface OriginWorkshopDeps {
  readonly workshop: Workshop;
  /** The turns of pages at short work. */
  readonly shortWork: PageWork;
}

/** Has what a page gave read or made in the workshop of its origin. */
export function inWorkshopOf<M extends Operation>(
  call: Call,
  { workshop, shortWork }: OriginWorkshopDeps,
  operation: M,
  input: InputOf<M>,
  signal: AbortSignal = call.signal,
  onProgress: (event: ProgressOf<M>) => void = () => undefined,
): Promise<OutputOf<M>> {
  const { origin } = pageCall(call);
  return shortWork.run({ origin, signal }, (ending) =>
    workshop.call(`origin ${origin}`, operation, input, { signal: ending, onProgress }),
  );
}
