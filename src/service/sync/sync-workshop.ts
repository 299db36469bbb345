import type { RandomSource } from '../../random/contract.ts';
import type { Call } from '../../rpc/call.ts';
import type { InputOf, Operation, OutputOf, ProgressOf, Workshop } from '../../rpc/workshop.ts';
import { pageCall } from '../calls/caller.ts';
import type { PageWork } from '../calls/page-work.ts';

/** What work on records needs outside of this thread. */
export interface SyncWorkshopDeps {
  readonly workshop: Workshop;
  /** The turns of pages at short work. */
  readonly shortWork: PageWork;
  /** For the seeds of operations that draw. */
  readonly random: RandomSource;
}

type SyncOperation = Extract<Operation, `sync.${string}`>;

const SEED_BYTES = 32;

/** For one call. */
export function seedFrom({ random }: SyncWorkshopDeps): Uint8Array {
  return random.bytes(SEED_BYTES);
}

/** Has the text of a page read or written in the workshop of its origin. */
export function inWorkshopOf<M extends SyncOperation>(
  call: Call,
  { workshop, shortWork }: SyncWorkshopDeps,
  operation: M,
  input: InputOf<M>,
  signal: AbortSignal,
  onProgress: (event: ProgressOf<M>) => void = () => undefined,
): Promise<OutputOf<M>> {
  const { origin } = pageCall(call);
  return shortWork.run({ origin, signal }, (ending) =>
    workshop.call(`origin ${origin}`, operation, input, { signal: ending, onProgress }),
  );
}
