import type { Hash } from '../contracts.ts';
import { checkInteger } from '../errors.ts';
import { keccakSponge, rateOf, type CreateSponge } from './keccak.ts';

/** The parameters of TurboSHAKE. */
export interface TurboShakeParams {
  /** L: any length in bytes */
  readonly outputBytes: number;
  /** D, 0x01 … 0x7f: separates uses. 0x06, 0x07 and 0x0b are KangarooTwelve's (RFC 9861, section 7). */
  readonly domainSeparation: number;
}

/**
 * TurboSHAKE of one message (RFC 9861, section 2): the sponge of SHAKE with 12 rounds.
 *
 * @param strength 128 for TurboSHAKE128, 256 for TurboSHAKE256
 * @param create the sponge to use
 * @returns a hash whose digest has `outputBytes` bytes
 * @throws RangeError for a domain separation byte out of its range
 */
export function turboshake(
  strength: 128 | 256,
  { outputBytes, domainSeparation }: TurboShakeParams,
  create: CreateSponge = keccakSponge,
): Hash {
  checkInteger('domainSeparation', domainSeparation, 0x01, 0x7f);
  return create({
    rounds: 12,
    rateBytes: rateOf(strength),
    suffix: domainSeparation,
    outputBytes,
  });
}
