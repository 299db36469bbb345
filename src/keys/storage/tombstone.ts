import { concat, u64be } from '../../crypto/bytes.ts';
import { frameValue, unframeValue } from './checksummed-value.ts';
import { EXISTS } from '../vault/value-names.ts';

/** "A vault exists": so that stores which come back empty are seen as loss, not as a first run. */
export interface Tombstone {
  /** 16 random bytes. */
  readonly vaultId: Uint8Array;
  /** ms since the epoch. */
  readonly created: number;
}

const VAULT_ID_BYTES = 16;
const BODY_BYTES = VAULT_ID_BYTES + 8;

export function encodeTombstone({ vaultId, created }: Tombstone): Uint8Array {
  return frameValue(EXISTS, concat(vaultId, u64be(created)));
}

/** Undefined where the value is damaged. */
export function parseTombstone(value: Uint8Array): Tombstone | undefined {
  const body = unframeValue(EXISTS, value);
  if (body?.length !== BODY_BYTES) return undefined;
  const view = new DataView(body.buffer, body.byteOffset);
  return {
    vaultId: body.slice(0, VAULT_ID_BYTES),
    created: Number(view.getBigUint64(VAULT_ID_BYTES)),
  };
}
