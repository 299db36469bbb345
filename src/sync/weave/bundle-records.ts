import type { JsonObject } from '../json-object.ts';
import { openPayloads, sealPayloads } from './encrypted-payload.ts';
import type { Bound } from './encrypted-payload.ts';
import { parsePayloads } from './parsed-payload.ts';
import type { RecordCipher } from '../record-cipher.ts';
import type { EncryptedRecord, PlainRecord } from '../codec.ts';
import { mapSettled, mapTogether, settled } from '../results.ts';
import type { Settled } from '../results.ts';

/** What tells Weave's records from Kinto's: what is encrypted, and what is authenticated with it. */
export interface BundleFormat {
  /** @throws SyncError BAD_CLEARTEXT */
  readonly encode: (id: string, payload: unknown) => string;
  /** @throws AuthenticationError */
  readonly decode: (id: string, cleartext: Uint8Array) => JsonObject;
  readonly bound?: (id: string) => Bound;
}

/** @param ivs one for each record: 16 bytes that nobody can predict */
export async function sealRecords(
  cipher: RecordCipher,
  { encode, bound }: BundleFormat,
  records: readonly PlainRecord[],
  ivs: readonly Uint8Array[],
): Promise<Settled<Uint8Array<ArrayBuffer>>[]> {
  const drafts = records.map(({ id, payload }, i) =>
    settled(() => ({ iv: ivs[i]!, cleartext: encode(id, payload), bound: bound?.(id) })),
  );
  return mapTogether(drafts, async (all) => {
    const payloads = await sealPayloads(cipher, all);
    return payloads.map((value) => ({ status: 'fulfilled', value }));
  });
}

/** Failures are SyncError BAD_RECORD and AuthenticationError. */
export async function openRecords(
  cipher: RecordCipher,
  { decode, bound }: BundleFormat,
  records: readonly EncryptedRecord[],
): Promise<Settled<JsonObject>[]> {
  const parsed = parsePayloads(records.map(({ payload }) => payload)).map((one, i) =>
    mapSettled(one, (payload) => ({ ...payload, bound: bound?.(records[i]!.id) })),
  );
  const opened = await mapTogether(parsed, (all) => openPayloads(cipher, all));
  return opened.map((one, i) => mapSettled(one, (cleartext) => decode(records[i]!.id, cleartext)));
}
