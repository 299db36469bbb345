import { concat, equal, utf8 } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';

/**
 * The frame of the few values that stand in clear (tomb-stone, heads, slots):
 *
 *     53 57 56 ("SWV") ‖ version 01 ‖ body ‖ SHA-256(stored name ‖ 00 ‖ all before) (32)
 *
 * The checksum shows damage, truncation and values that changed places. It is not keyed: whoever
 * can write the disk can make one, so nothing secret or final rests on it.
 */
const MAGIC = Uint8Array.of(0x53, 0x57, 0x56, 0x01);
const CHECKSUM_BYTES = 32;

export function frameValue(name: string, body: Uint8Array): Uint8Array {
  return concat(MAGIC, body, checksum(name, body));
}

/** The body, a copy; undefined where the frame does not hold. */
export function unframeValue(name: string, value: Uint8Array): Uint8Array | undefined {
  const bodyEnd = value.length - CHECKSUM_BYTES;
  if (bodyEnd < MAGIC.length || !equal(value.subarray(0, MAGIC.length), MAGIC)) return undefined;
  const body = value.slice(MAGIC.length, bodyEnd);
  return equal(value.subarray(bodyEnd), checksum(name, body)) ? body : undefined;
}

function checksum(name: string, body: Uint8Array): Uint8Array {
  return sha256(utf8(name), Uint8Array.of(0), MAGIC, body);
}
