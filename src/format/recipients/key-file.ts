/*
 * Key files, "sealwright-key/1" (docs/format.md section 11): one generation of one named key, or the private
 * half of one sharing key.
 *
 *   { "format": "sealwright-key/1", "keyId": "8PHy8_T19vf4-fr7_P3-_w", "key": "AQgPFh0k…" }
 *   { "format": "sealwright-key/1", "algorithm": "X-Wing", "publicKey": "swp1.…", "key": "AQgPFh0k…" }
 */
import { toBase64url } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { KEY_BYTES } from '../keys/input-key.ts';
import { KEY_PAIR_NAMES, isKeyPairName } from '../wire/recipient-table.ts';
import type { KeyPairName } from '../wire/recipient-table.ts';
import { KEY_ID_BYTES } from '../wire/header.ts';
import { base64urlBytes, jsonObject } from './json-file.ts';

const FORMAT = 'sealwright-key/1';

/** The content of a key file. */
export interface KeyFile {
  /** 32 bytes: a named key, or the private half of a sharing key. */
  readonly key: Uint8Array<ArrayBuffer>;
  /** Of a named key: its header key id, 16 bytes; undefined if the file has none. */
  readonly keyId?: Uint8Array<ArrayBuffer> | undefined;
  /** Of a sharing key: its algorithm; undefined for a named key. */
  readonly algorithm?: KeyPairName | undefined;
}

/** The input of `keyFileText`. */
export interface KeyFileContent {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** 16 bytes; of a named key only. */
  readonly keyId?: Uint8Array | undefined;
  /** Of a sharing key only. */
  readonly algorithm?: KeyPairName | undefined;
  /** The public key as text, for people who read the file; nothing reads it back. */
  readonly publicKey?: string | undefined;
}

/**
 * Writes a key file.
 *
 * @returns JSON with a line end. It contains the secret: store it readable by its owner alone
 * @throws TypeError, RangeError for a key or id of another length, or an unknown algorithm
 */
export function keyFileText({ key, keyId, algorithm, publicKey }: KeyFileContent): string {
  checkBytes('key', key, KEY_BYTES);
  if (keyId !== undefined) checkBytes('keyId', keyId, KEY_ID_BYTES);
  if (algorithm !== undefined && !isKeyPairName(algorithm)) throw unknownAlgorithm();
  const content = {
    format: FORMAT,
    ...(algorithm !== undefined && { algorithm }),
    ...(publicKey !== undefined && { publicKey }),
    ...(keyId !== undefined && { keyId: toBase64url(keyId) }),
    key: toBase64url(key),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/**
 * Reads a key file.
 *
 * @returns fresh bytes, which the caller wipes
 * @throws RangeError for any other text; its message quotes nothing of it
 */
export function parseKeyFile(text: string): KeyFile {
  if (typeof text !== 'string') throw new TypeError('text must be a string');
  const content = jsonObject(text);
  if (!content) throw wrong('it is not a JSON object');
  if (content['format'] !== FORMAT) throw wrong(`its "format" is not "${FORMAT}"`);
  const { algorithm } = content;
  if (algorithm !== undefined && !isKeyPairName(algorithm)) throw unknownAlgorithm();
  const key = bytesOf(content, 'key', KEY_BYTES);
  if (algorithm !== undefined) return { key, algorithm };
  return {
    key,
    keyId: 'keyId' in content ? bytesOf(content, 'keyId', KEY_ID_BYTES) : undefined,
  };
}

function bytesOf(
  content: Record<string, unknown>,
  field: string,
  lengthBytes: number,
): Uint8Array<ArrayBuffer> {
  const bytes = base64urlBytes(content[field]);
  if (bytes?.length !== lengthBytes) {
    throw wrong(`its "${field}" is not base64url of ${lengthBytes} bytes`);
  }
  return bytes;
}

function unknownAlgorithm(): RangeError {
  return wrong(`its "algorithm" is not one of ${KEY_PAIR_NAMES.join(', ')}`);
}

function wrong(why: string): RangeError {
  return new RangeError(`Not a Sealwright key file: ${why}`);
}
