import type { RandomSource } from '../../random/contract.ts';
import type { OriginWorkshopDeps } from '../calls/origin-workshop.ts';

/** What work on records needs outside of this thread. */
export interface SyncWorkshopDeps extends OriginWorkshopDeps {
  /** For the seeds of operations that draw. */
  readonly random: RandomSource;
}

const SEED_BYTES = 32;

/** For one call. */
export function seedFrom({ random }: SyncWorkshopDeps): Uint8Array {
  return random.bytes(SEED_BYTES);
}
