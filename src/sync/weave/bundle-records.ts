import type { Cleartext } from '../cleartext.ts';
import type { JsonObject } from '../json-object.ts';
import { openPayloads, sealPayloads } from './encrypted-payload.ts';
import type { Bound } from './encrypted-payload.ts';
import { parsePayloads } from './parsed-payload.ts';
import type { RecordCipher } from '../record-cipher.ts';
import type { EncryptedRecord, OpenedRecord, PlainRecord } from '../codec.ts';
import { mapResult, mapResultsTogether, resultOf } from '../results.ts';
import type { Result } from '../results.ts';

/** The differences of Weave and Kinto records: the cleartext, and the data authenticated with it. */
export interface BundleFormat {
  /** @throws SyncError BAD_CLEARTEXT */
  readonly encode: (record: PlainRecord) => Cleartext;
  /** @throws AuthenticationError */
  readonly decode: (id: string, cleartext: Uint8Array) => JsonObject;
  readonly bound?: (id: string) => Bound;
}

/** Seals a batch. @param ivs one for each record: 16 unpredictable bytes */
export async function sealRecords(
  cipher: RecordCipher,
  { encode, bound }: BundleFormat,
  records: readonly PlainRecord[],
  ivs: readonly Uint8Array[],
): Promise<Result<Uint8Array<ArrayBuffer>>[]> {
  const drafts = records.map((record, i) =>
    resultOf(() => ({ iv: ivs[i]!, cleartext: encode(record), bound: bound?.(record.id) })),
  );
  return mapResultsTogether(drafts, async (all) => {
    const payloads = await sealPayloads(cipher, all);
    return payloads.map((value) => ({ status: 'fulfilled', value }));
  });
}

/** An opened record: the object, and the JSON that it was parsed from. */
export interface OpenedObject extends OpenedRecord {
  readonly payload: JsonObject;
}

/** Opens a batch. Failures are SyncError BAD_RECORD and AuthenticationError. */
export async function openRecords(
  cipher: RecordCipher,
  { decode, bound }: BundleFormat,
  records: readonly EncryptedRecord[],
): Promise<Result<OpenedObject>[]> {
  const parsed = parsePayloads(records.map(({ payload }) => payload)).map((one, i) =>
    mapResult(one, (payload) => ({ ...payload, bound: bound?.(records[i]!.id) })),
  );
  const opened = await mapResultsTogether(parsed, (all) => openPayloads(cipher, all));
  return opened.map((one, i) =>
    mapResult(one, (json) => ({ payload: decode(records[i]!.id, json), json })),
  );
}
