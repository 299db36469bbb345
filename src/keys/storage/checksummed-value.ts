import { concat, equal, utf8, u64be } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { EXISTS } from '../vault/value-names.ts';

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

/** "A vault exists": so that stores which come back empty are seen as loss, not as a first run. */
export interface VaultMarker {
  /** 16 random bytes. */
  readonly vaultId: Uint8Array;
  /** ms since the epoch. */
  readonly created: number;
}

const VAULT_ID_BYTES = 16;
const BODY_BYTES = VAULT_ID_BYTES + 8;

export function encodeVaultMarker({ vaultId, created }: VaultMarker): Uint8Array {
  return frameValue(EXISTS, concat(vaultId, u64be(created)));
}

/** Undefined where the value is damaged. */
export function parseVaultMarker(value: Uint8Array): VaultMarker | undefined {
  const body = unframeValue(EXISTS, value);
  if (body?.length !== BODY_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset);
  return {
    vaultId: body.slice(0, VAULT_ID_BYTES),
    created: Number(view.getBigUint64(VAULT_ID_BYTES)),
  };
}
