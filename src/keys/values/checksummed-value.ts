/*
 * The frame of the values that stand in clear (vault marker, heads, slots):
 *
 *     53 57 56 ("SWV") ‖ version 01 ‖ body ‖ SHA-256(stored name ‖ 00 ‖ all before) (32)
 *
 * The checksum shows damage, truncation and values that changed places. It is not keyed: anyone who
 * can write the disk can compute it, so no decision about secrets depends on it.
 */
import { concat, equal, utf8, u64be } from '../../crypto/bytes.ts';
import { sha256 } from '../../crypto/hash/sha256.ts';
import { EXISTS } from './value-names.ts';

const MAGIC = Uint8Array.of(0x53, 0x57, 0x56, 0x01);
const CHECKSUM_BYTES = 32;

/** The value to store: the body in its frame. @param name the value's stored name */
export function frameValue(name: string, body: Uint8Array): Uint8Array {
  return concat(MAGIC, body, checksum(name, body));
}

/** A copy of the body; undefined where magic, version or checksum are wrong. */
export function unframeValue(name: string, value: Uint8Array): Uint8Array | undefined {
  const bodyEnd = value.length - CHECKSUM_BYTES;
  if (bodyEnd < MAGIC.length || !equal(value.subarray(0, MAGIC.length), MAGIC)) return undefined;
  const body = value.slice(MAGIC.length, bodyEnd);
  return equal(value.subarray(bodyEnd), checksum(name, body)) ? body : undefined;
}

function checksum(name: string, body: Uint8Array): Uint8Array {
  return sha256(utf8(name), Uint8Array.of(0), MAGIC, body);
}

/**
 * Says that a vault was made here, so that empty stores are seen as a loss and not as a first run.
 */
export interface VaultMarker {
  /** 16 random bytes. */
  readonly vaultId: Uint8Array;
  /** ms since the epoch. */
  readonly created: number;
}

const VAULT_ID_BYTES = 16;
const BODY_BYTES = VAULT_ID_BYTES + 8;

/** Whether a number read from a store can be a time, in ms since the epoch (ECMA-262, "time value"). */
export const isTime = (ms: number): boolean => ms <= 8.64e15;

/** The marker as it is stored under `vault/exists`. */
export function encodeVaultMarker({ vaultId, created }: VaultMarker): Uint8Array {
  return frameValue(EXISTS, concat(vaultId, u64be(created)));
}

/** Undefined where the value is damaged. */
export function parseVaultMarker(value: Uint8Array): VaultMarker | undefined {
  const body = unframeValue(EXISTS, value);
  if (body?.length !== BODY_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset);
  const created = Number(view.getBigUint64(VAULT_ID_BYTES));
  return isTime(created) ? { vaultId: body.slice(0, VAULT_ID_BYTES), created } : undefined;
}
