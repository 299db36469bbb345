import { concat, u16be, u64be } from '../../crypto/bytes.ts';
import { frameValue, unframeValue } from './checksummed-value.ts';

/**
 * A head: which generation of the vault counts. There are two slots, written in turn, so that a
 * torn write of one leaves the other; moving a head is the moment at which a commit has happened.
 *
 * Body: schema u16 ‖ generation u64 ‖ SHA-256 of the sealed manifest (32).
 */
export interface Head {
  readonly schema: number;
  readonly generation: number;
  readonly manifestHash: Uint8Array;
}

const HASH_BYTES = 32;
const BODY_BYTES = 2 + 8 + HASH_BYTES;

export function encodeHead(name: string, head: Head): Uint8Array {
  const body = concat(u16be(head.schema), u64be(head.generation), head.manifestHash);
  return frameValue(name, body);
}

/** Undefined where the value is damaged or was another slot's. */
export function parseHead(name: string, value: Uint8Array): Head | undefined {
  const body = unframeValue(name, value);
  if (body?.length !== BODY_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset);
  return {
    schema: view.getUint16(0),
    generation: Number(view.getBigUint64(2)),
    manifestHash: body.slice(10),
  };
}
