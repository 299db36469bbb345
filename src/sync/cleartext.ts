import { AuthenticationError } from '../crypto/errors.ts';
import { SyncError } from './errors.ts';
import { isObject } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

/* What is encrypted in a record of Weave or Kinto: a JSON object that names the record's id. */

/** One for all: to make one takes as long as to read a record with it. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The object with the id first. A deletion is `{ deleted: true }`.
 *
 * @returns JSON
 * @throws SyncError BAD_CLEARTEXT for what is no object, or one of another record
 */
export function encodeCleartext(id: string, payload: unknown): string {
  if (!isObject(payload)) throw new SyncError('BAD_CLEARTEXT', 'payload: expected an object');
  if (Object.hasOwn(payload, 'id') && payload['id'] !== id) {
    throw new SyncError('BAD_CLEARTEXT', 'payload.id: expected the id of the record');
  }
  return JSON.stringify({ id, ...payload });
}

/**
 * Valid UTF-8 without a byte order mark, and JSON, as Firefox demands, and an object with this id:
 * Firefox takes one without. It is the id that shows whether a server swapped two records.
 *
 * @throws AuthenticationError for all else, never told apart
 */
export function decodeCleartext(id: string, cleartext: Uint8Array): JsonObject {
  const object = decodeObject(cleartext);
  if (!Object.hasOwn(object, 'id') || object['id'] !== id) throw new AuthenticationError();
  return object;
}

/** Without a look at the id, for formats that authenticate it otherwise. @throws the same */
export function decodeObject(cleartext: Uint8Array): JsonObject {
  const value = decodeJson(cleartext);
  if (!isObject(value)) throw new AuthenticationError();
  return value;
}

/** Any JSON. @throws AuthenticationError */
export function decodeJson(cleartext: Uint8Array): unknown {
  try {
    return JSON.parse(DECODER.decode(cleartext)) as unknown;
  } catch (error) {
    // The messages of either would quote the cleartext.
    if (error instanceof SyntaxError || error instanceof TypeError) throw new AuthenticationError();
    throw error;
  }
}
