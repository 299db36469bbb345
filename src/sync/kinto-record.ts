import { concat } from '../crypto/bytes.ts';
import { decodeObject } from './cleartext.ts';
import { openPayload, parsePayload, sealPayload } from './encrypted-payload.ts';
import type { Bound } from './encrypted-payload.ts';
import { SyncError } from './errors.ts';
import type { JsonObject } from './json-object.ts';
import type { RecordCipher } from './record-cipher.ts';

/*
 * Records as chrome.storage.sync kept them on Kinto (Firefox 2016 to 2020): those of Weave, with id
 * and IV authenticated: HMAC over UTF-8 of id ‖ IV ‖ ciphertext, the latter two as their Base64.
 * The payload's members stand in the Kinto record itself, beside id and what the server needs.
 */

/** Arguments and result as those of `sealWeaveRecord`; an id in the payload may be another. */
export async function sealKintoRecord(
  cipher: RecordCipher,
  iv: Uint8Array,
  id: string,
  payload: unknown,
): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw new SyncError('BAD_CLEARTEXT', 'payload: expected an object');
  }
  const cleartext = new TextEncoder().encode(JSON.stringify({ id, ...payload }));
  return sealPayload(cipher, iv, cleartext, boundTo(id));
}

/** @throws SyncError BAD_RECORD, AuthenticationError */
export async function openKintoRecord(
  cipher: RecordCipher,
  id: string,
  payload: string,
): Promise<JsonObject> {
  return decodeObject(await openPayload(cipher, parsePayload(payload), boundTo(id)));
}

function boundTo(id: string): Bound {
  return (iv) => concat(new TextEncoder().encode(id), iv);
}
