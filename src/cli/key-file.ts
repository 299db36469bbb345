/*
 * Key files, "sealwright-key/1" (docs/format.md section 11): one generation of one named key.
 *
 *   { "format": "sealwright-key/1", "keyId": "8PHy8_T19vf4-fr7_P3-_w", "key": "AQgPFh0k…" }
 */
import { readFile } from 'node:fs/promises';
import { fromBase64url } from '../crypto/bytes.ts';
import { KEY_BYTES } from '../format/keys/input-key.ts';
import { KEY_ID_BYTES } from '../format/wire/header.ts';
import { CommandError, EXIT } from './exit-codes.ts';

const FORMAT = 'sealwright-key/1';

/** The content of a key file. */
export interface KeyFile {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** 16 bytes; undefined if the file has none. */
  readonly keyId: Uint8Array | undefined;
}

/** Reads a key file. @throws CommandError; its message contains nothing from the file */
export async function readKeyFile(path: string): Promise<KeyFile> {
  const content = parseJson(path, await readFile(path, 'utf8'));
  if (content['format'] !== FORMAT) throw wrong(path, `its "format" is not "${FORMAT}"`);
  return {
    key: bytesOf(path, content, 'key', KEY_BYTES),
    keyId: 'keyId' in content ? bytesOf(path, content, 'keyId', KEY_ID_BYTES) : undefined,
  };
}

function parseJson(path: string, text: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null) return content as Record<string, unknown>;
  } catch (error) {
    // The parser's message quotes the text, which contains a key.
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw wrong(path, 'it is not a JSON object');
}

function bytesOf(
  path: string,
  content: Record<string, unknown>,
  field: string,
  lengthBytes: number,
): Uint8Array {
  const bytes = decode(content[field]);
  if (bytes?.length !== lengthBytes) {
    throw wrong(path, `its "${field}" is not base64url of ${lengthBytes} bytes`);
  }
  return bytes;
}

function decode(text: unknown): Uint8Array | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return fromBase64url(text);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function wrong(path: string, why: string): CommandError {
  return new CommandError(EXIT.badInput, `${path} is not a Sealwright key file: ${why}`);
}
