import { fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import { SyncError } from '../errors.ts';
import { membersIn } from '../json-object.ts';

/* The compact serialization of JSON Web Encryption (RFC 7516, sections 3.1 and 7.1). */

/** The five parts of a JWE, decoded. */
export interface CompactJwe {
  /** The header's text as received: the tag authenticates these characters. */
  readonly protectedText: string;
  readonly header: Readonly<Record<string, unknown>>;
  /** Empty with direct key agreement. */
  readonly encryptedKey: Uint8Array<ArrayBuffer>;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
  readonly tag: Uint8Array<ArrayBuffer>;
}

/** Splits and decodes a JWE. Nothing is verified. @throws SyncError BAD_RECORD */
export function parseJwe(text: string): CompactJwe {
  const parts = text.split('.');
  if (parts.length !== 5) throw noJwe();
  const [header, encryptedKey, iv, ciphertext, tag] = parts.map(jwePart);
  return {
    protectedText: parts[0]!,
    header: headerOf(header!),
    encryptedKey: encryptedKey!,
    iv: iv!,
    ciphertext: ciphertext!,
    tag: tag!,
  };
}

/** Joins the parts: encrypted key, IV, ciphertext and tag. */
export function writeJwe(
  protectedText: string,
  ...parts: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
): string {
  return [protectedText, ...parts.map(toBase64url)].join('.');
}

function headerOf(bytes: Uint8Array): CompactJwe['header'] {
  const header = membersIn(bytes);
  if (!header) throw noJwe();
  return header;
}

/** Decodes a part, or a member of the header that is base64url. @throws SyncError BAD_RECORD */
export function jwePart(part: string): Uint8Array<ArrayBuffer> {
  try {
    return fromBase64url(part);
  } catch (error) {
    if (error instanceof TypeError) throw noJwe();
    throw error;
  }
}

function noJwe(): SyncError {
  return new SyncError('BAD_RECORD', 'payload: expected a compact JSON Web Encryption');
}
