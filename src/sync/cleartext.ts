import { AuthenticationError } from '../crypto/errors.ts';
import type { PlainRecord } from './codec.ts';
import { SyncError } from './errors.ts';
import { isObject } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

/* The cleartext of a Weave or Kinto record: a JSON object that contains the record's id. */

/** Shared: creating a decoder takes as long as decoding a record. */
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** JSON to encrypt: a text, and after it what is UTF-8 already. */
export interface Cleartext {
  readonly text: string;
  readonly rest?: Uint8Array;
}

/**
 * Encodes a payload with the id as its first member. A deletion is `{ deleted: true }`.
 *
 * @throws SyncError BAD_CLEARTEXT if the payload is not an object or has another id
 */
export function encodeCleartext({ id, payload, json }: PlainRecord): Cleartext {
  const object = requiredObject(payload);
  if (Object.hasOwn(object, 'id') && object['id'] !== id) {
    throw new SyncError('BAD_CLEARTEXT', 'payload.id: expected the id of the record');
  }
  return withId(id, object, json);
}

/** @throws SyncError BAD_CLEARTEXT */
export function requiredObject(payload: unknown): JsonObject {
  if (!isObject(payload)) throw new SyncError('BAD_CLEARTEXT', 'payload: expected an object');
  return payload;
}

const BRACE = 0x7b; // "{"

/**
 * The payload's members after an id. JSON that was parsed already is not made again: its members
 * follow the id as they are. That holds unless it names an id itself, is empty or begins with a space.
 *
 * @param json of the payload, in UTF-8
 */
export function withId(id: string, payload: JsonObject, json?: Uint8Array): Cleartext {
  const canFollow = json?.[0] === BRACE && !Object.hasOwn(payload, 'id') && hasMembers(payload);
  if (!canFollow) return { text: JSON.stringify({ id, ...payload }) };
  return { text: `{"id":${JSON.stringify(id)},`, rest: json.subarray(1) };
}

function hasMembers(object: JsonObject): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return true;
  return false;
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
