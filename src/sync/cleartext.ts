import { AuthenticationError } from '../crypto/errors.ts';
import { SyncError } from './errors.ts';
import { isObject } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

/* The cleartext of a Weave or Kinto record: a JSON object that contains the record's id. */

/** Shared: creating a decoder takes as long as decoding a record. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Encodes a payload with the id as its first member. A deletion is `{ deleted: true }`.
 *
 * @returns JSON
 * @throws SyncError BAD_CLEARTEXT if the payload is not an object or has another id
 */
export function encodeCleartext(id: string, payload: unknown): string {
  if (!isObject(payload)) throw new SyncError('BAD_CLEARTEXT', 'payload: expected an object');
  if (Object.hasOwn(payload, 'id') && payload['id'] !== id) {
    throw new SyncError('BAD_CLEARTEXT', 'payload.id: expected the id of the record');
  }
  return JSON.stringify({ id, ...payload });
}

/**
 * Decodes valid UTF-8 without a byte order mark, as Firefox requires, that is a JSON object with this
 * id. Firefox also accepts an object without an id; here the id is required, because it shows whether
 * a server swapped two records.
 *
 * @throws AuthenticationError for everything else, without a difference between the causes
 */
export function decodeCleartext(id: string, cleartext: Uint8Array): JsonObject {
  const object = decodeObject(cleartext);
  if (!Object.hasOwn(object, 'id') || object['id'] !== id) throw new AuthenticationError();
  return object;
}

/** Decodes a JSON object without a check of its id. @throws AuthenticationError */
export function decodeObject(cleartext: Uint8Array): JsonObject {
  const value = decodeJson(cleartext);
  if (!isObject(value)) throw new AuthenticationError();
  return value;
}

/** Decodes UTF-8 and any JSON value. @throws AuthenticationError */
export function decodeJson(cleartext: Uint8Array): unknown {
  try {
    return JSON.parse(DECODER.decode(cleartext)) as unknown;
  } catch (error) {
    // The messages of both errors may quote the cleartext.
    if (error instanceof SyntaxError || error instanceof TypeError) throw new AuthenticationError();
    throw error;
  }
}
