import { wipe } from '../../../crypto/bytes.ts';
import type { KeyedStates } from './keyed-states.ts';
import type { ShaModule } from './sha.ts';
import { sha256Many } from './sha256-many.ts';

/** Of the key's block, which is compressed already. */
const BLOCK_BYTES = 64;

/**
 * HMAC-SHA-256 (FIPS 198-1) of many messages under one key, four at a time: first all inner hashes,
 * then all outer ones.
 *
 * @returns the tags, 32 bytes each, in the order of the messages
 */
export function hmacSha256Many(
  module: ShaModule,
  { inner, outer }: KeyedStates,
  messages: readonly Uint8Array[],
): Uint8Array[] {
  const digests = sha256Many(module, messages, { state: inner, bytes: BLOCK_BYTES });
  const tags = sha256Many(module, digests, { state: outer, bytes: BLOCK_BYTES });
  wipe(...digests);
  return tags;
}
