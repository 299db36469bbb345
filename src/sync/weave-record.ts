import { encodeCleartext, decodeCleartext } from './cleartext.ts';
import { openPayload, parsePayload, sealPayload } from './encrypted-payload.ts';
import type { JsonObject } from './json-object.ts';
import type { RecordCipher } from './record-cipher.ts';

/*
 * Records of Weave's storage version 5: Firefox Sync since 2011 (sync 1.1 and 1.5 differ in how the
 * key bundle is derived). A compatibility format: IV, id and collection are not authenticated.
 */

/**
 * @param iv 16 bytes that nobody can predict
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
  return sealPayload(cipher, iv, encodeCleartext(id, payload));
}

/** @throws SyncError BAD_RECORD, AuthenticationError */
export async function openWeaveRecord(
  cipher: RecordCipher,
  id: string,
  payload: string,
): Promise<JsonObject> {
  return decodeCleartext(id, await openPayload(cipher, parsePayload(payload)));
}
