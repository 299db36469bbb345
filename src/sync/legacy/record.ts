import { AuthenticationError } from '../../crypto/errors.ts';
import { readBase64 } from '../base64.ts';
import { decodeJson, decodeObject } from '../cleartext.ts';
import { openPayloads } from '../weave/encrypted-payload.ts';
import { parsePayloads } from '../weave/parsed-payload.ts';
import { SyncError } from '../errors.ts';
import { membersIn } from '../json-object.ts';
import type { JsonObject } from '../json-object.ts';
import type { RecordCipher } from '../record-cipher.ts';
import { valueOf } from '../results.ts';

/* Records of storage versions 1 to 3, which are only read. keys.ts has their keys. */

/** The IV that all records of a version 1 collection share; undefined in later versions. */
export type BulkIv = Uint8Array | undefined;

/**
 * Decrypts a record. A record with an HMAC is of version 3. One without is of version 1, which does
 * not authenticate anything; it opens only in a collection that has a bulk IV.
 *
 * @throws SyncError BAD_RECORD, AuthenticationError
 */
export async function openLegacyRecord(
  cipher: RecordCipher,
  id: string,
  payload: string,
  bulkIv?: BulkIv,
): Promise<JsonObject> {
  const object = hasMac(payload)
    ? await openAuthenticated(cipher, payload)
    : await openUnauthenticated(cipher, payload, bulkIv);
  if (Object.hasOwn(object, 'id') && object['id'] !== id) throw new AuthenticationError();
  return object;
}

function hasMac(payload: string): boolean {
  return 'hmac' in membersOf(payload);
}

async function openAuthenticated(cipher: RecordCipher, payload: string): Promise<JsonObject> {
  const [parsed] = parsePayloads([payload]);
  const [opened] = await openPayloads(cipher, [valueOf(parsed!)]);
  return decodeObject(valueOf(opened!));
}

/** The cleartext of version 1 is a list with one object. */
async function openUnauthenticated(
  cipher: RecordCipher,
  payload: string,
  bulkIv: BulkIv,
): Promise<JsonObject> {
  const { ciphertext } = membersOf(payload);
  if (typeof ciphertext !== 'string') throw notLegacy();
  const bytes = readBase64(new TextEncoder().encode(ciphertext));
  if (!bytes || !bulkIv) throw new AuthenticationError();
  const [opened] = await cipher.decryptMany([{ params: { iv: bulkIv }, data: bytes }]);
  const list = decodeJson(valueOf(opened!));
  const object: unknown = Array.isArray(list) && list.length === 1 ? list[0] : undefined;
  if (typeof object !== 'object' || object === null) throw new AuthenticationError();
  return object as JsonObject;
}

function membersOf(payload: string): JsonObject {
  const members = membersIn(payload);
  if (!members) throw notLegacy();
  return members;
}

function notLegacy(): SyncError {
  return new SyncError('BAD_RECORD', 'payload: expected JSON of a Weave record');
}
