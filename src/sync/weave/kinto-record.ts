import { concat } from '../../crypto/bytes.ts';
import { openRecords, sealRecords } from './bundle-records.ts';
import type { BundleFormat } from './bundle-records.ts';
import { decodeObject, requiredObject, withId } from '../cleartext.ts';
import type { JsonObject } from '../json-object.ts';
import type { RecordCipher } from '../record-cipher.ts';
import { valueOf } from '../results.ts';

/*
 * Records of chrome.storage.sync on Kinto (Firefox 2016 to 2020): Weave records that also authenticate
 * id and IV. The HMAC is computed over UTF-8 of id ‖ IV ‖ ciphertext, the latter two in Base64. The
 * members of the payload are members of the Kinto record itself, beside id and server metadata.
 */

/** The format of Kinto records. */
export const KINTO: BundleFormat = {
  /** Unlike in Weave, an `id` in the payload may differ from the record's id. */
  encode: ({ id, payload, json }) => withId(id, requiredObject(payload), json),
  decode: (_id, cleartext) => decodeObject(cleartext),
  bound: (id) => (iv) => concat(new TextEncoder().encode(id), iv),
};

/** Seals one record; arguments and result as those of `sealWeaveRecord`. */
export async function sealKintoRecord(
  cipher: RecordCipher,
  iv: Uint8Array,
  id: string,
  payload: unknown,
): Promise<Uint8Array<ArrayBuffer>> {
  const [sealed] = await sealRecords(cipher, KINTO, [{ id, payload }], [iv]);
  return valueOf(sealed!);
}

/** Opens one record. @throws SyncError BAD_RECORD, AuthenticationError */
export async function openKintoRecord(
  cipher: RecordCipher,
  id: string,
  payload: string,
): Promise<JsonObject> {
  const [opened] = await openRecords(cipher, KINTO, [{ id, payload }]);
  return valueOf(opened!).payload;
}
