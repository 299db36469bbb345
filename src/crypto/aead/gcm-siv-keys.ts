/** The keys of one message of GCM-SIV (RFC 8452), which every implementation derives. */
import { concat, wipe } from '../bytes.ts';
import type { BlockCipher } from '../contracts.ts';

/** A message's keys (section 4). */
export interface MessageKeys {
  readonly authentication: Uint8Array;
  readonly encryption: Uint8Array;
}

/**
 * derive_keys (section 4): message_authentication_key and message_encryption_key are the first
 * halves of AES(key_generating_key, little_endian_uint32(i) ++ nonce), i = 0, 1 and 2 …
 *
 * @param nonce 12 bytes
 */
export function deriveKeys(
  keyGenerating: BlockCipher,
  keyBytes: number,
  nonce: Uint8Array,
): MessageKeys {
  const count = 2 + keyBytes / 8;
  const blocks = new Uint8Array(16 * count);
  for (let i = 0; i < count; i++) {
    blocks[16 * i] = i;
    blocks.set(nonce, 16 * i + 4);
  }
  keyGenerating.encryptBlocks(blocks, blocks);
  const halves = Array.from({ length: count }, (_, i) => blocks.subarray(16 * i, 16 * i + 8));
  const keys = {
    authentication: concat(...halves.slice(0, 2)),
    encryption: concat(...halves.slice(2)),
  };
  wipe(blocks);
  return keys;
}
