import { fromHex, u16be, u64be, utf8, wipe } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';
import type { Json } from './json.ts';
import { parseFrozen } from './json.ts';
import { openValue, sealValue } from './vault-seal.ts';
import type { SealingKey, VaultContext } from './vault-seal.ts';

/** One entry of the vault. Deeply frozen. */
export interface VaultRecord {
  readonly id: string;
  readonly type: string;
  readonly value: Json;
  /**
   * What a commit of this record raises the schema of heads to, because earlier versions would read it wrongly. It is
   * not stored: a record that was read has none.
   */
  readonly schema?: number;
}

/** Which stored value holds a record. The seal authenticates it, with vault id and schema. */
export interface RecordPlace {
  /** 32 hex digits, derived from the record's id under the vault key, so that ids stay secret. */
  readonly name: string;
  /** The generation that wrote it. */
  readonly generation: number;
}

/** Version of the shape of record and manifest plaintexts, and of heads before any was raised. */
export const SCHEMA = 1;
/** The newest schema of heads that this version reads: 2 has a key root with the roots of other devices. */
export const NEWEST_SCHEMA = 2;

/** Seals a record, padded, so that the length of a label or an origin does not show. */
export async function sealRecord(
  key: SealingKey,
  place: RecordPlace,
  { id, type, value }: VaultRecord,
  random: RandomSource,
): Promise<Uint8Array> {
  const plaintext = utf8(JSON.stringify({ id, type, value }));
  try {
    return await sealValue(key, contextOf(key, place), plaintext, random, true);
  } finally {
    wipe(plaintext);
  }
}

/** Undefined where the value does not verify at this place. */
export async function openRecord(
  key: SealingKey,
  place: RecordPlace,
  sealed: Uint8Array,
): Promise<VaultRecord | undefined> {
  const plaintext = await openValue(key, contextOf(key, place), sealed);
  if (plaintext === undefined) return undefined;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(plaintext);
  wipe(plaintext);
  // The value is authentic, so its shape is that of sealRecord.
  return parseFrozen(text) as unknown as VaultRecord;
}

function contextOf(key: SealingKey, { name, generation }: RecordPlace): VaultContext {
  const fields = [key.keyId, fromHex(name), u64be(generation), u16be(SCHEMA)];
  return { what: 'record', fields };
}
