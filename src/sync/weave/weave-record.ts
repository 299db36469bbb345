import { encodeCleartext, decodeCleartext } from '../cleartext.ts';
import { openRecords, sealRecords } from './bundle-records.ts';
import type { BundleFormat } from './bundle-records.ts';
import type { JsonObject } from '../json-object.ts';
import type { RecordCipher } from '../record-cipher.ts';
import { valueOf } from '../results.ts';

/*
 * Records of Weave's storage version 5, which Firefox Sync has used since 2011 (sync 1.1 and 1.5 differ
 * in the derivation of the key bundle). For compatibility only: IV, id and collection are not
 * authenticated.
 */

/** The format of Weave records. */
export const WEAVE: BundleFormat = { encode: encodeCleartext, decode: decodeCleartext };

/**
 * Seals one record.
 *
 * @param iv 16 unpredictable bytes
 * @param payload an object; `{ deleted: true }` is a deletion
 * @returns the BSO's payload, JSON in ASCII
 * @throws SyncError BAD_CLEARTEXT
 */
export async function sealWeaveRecord(
  cipher: RecordCipher,
  iv: Uint8Array,
  id: string,
  payload: unknown,
): Promise<Uint8Array<ArrayBuffer>> {
  const [sealed] = await sealRecords(cipher, WEAVE, [{ id, payload }], [iv]);
  return valueOf(sealed!);
}

/** Opens one record. @throws SyncError BAD_RECORD, AuthenticationError */
export async function openWeaveRecord(
  cipher: RecordCipher,
  id: string,
  payload: string,
): Promise<JsonObject> {
  const [opened] = await openRecords(cipher, WEAVE, [{ id, payload }]);
  return valueOf(opened!).payload;
}
