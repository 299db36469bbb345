/*
 * A public key as one line of text: "swp1." and canonical base64url without padding (RFC 4648
 * sections 3.5 and 5) of a type byte and the key. Each key has exactly one such text.
 *
 *   swp1.Eep-ZjAGkz4DJmyb…
 *
 * docs/keys.md has the table of types. Keys to seal to have the type byte of their recipient type
 * (recipient-table.ts); keys that check signatures have type bytes from 0x11.
 */
import { concat, fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';
import { KEY_PAIR_TYPES } from './recipient-table.ts';
import type { KeyPairName, KeyPairType } from './recipient-table.ts';

/** The prefix of the text of every public key. */
export const PUBLIC_KEY_PREFIX = 'swp1.';

/** SubjectPublicKeyInfo (RFC 5280 section 4.1) of the keys below; RSA of 8,192 bits has 1,062. */
const SPKI_BYTES_MAX = 2048;

/** The public keys of one type: the type byte, and the possible lengths of a key. */
interface PublicKeyRow {
  readonly type: number;
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** The type byte of Ed25519, RFC 8032. */
export const ED25519_TYPE = 0x11;

/** The public keys that check signatures, by algorithm. */
const SIGNING_KEYS = {
  /** RFC 8032 section 5.1.5. */
  Ed25519: { type: ED25519_TYPE, minBytes: 32, maxBytes: 32 },
  /** FIPS 186-4 section 4, with SHA-256. */
  DSA: { type: 0x12, minBytes: 1, maxBytes: SPKI_BYTES_MAX },
  /** RFC 8017 section 8.2, with SHA-256. */
  'RSASSA-PKCS1-v1_5': { type: 0x13, minBytes: 1, maxBytes: SPKI_BYTES_MAX },
  /** RFC 8017 section 8.1, with SHA-256, MGF1 with SHA-256, and 32 bytes of salt. */
  'RSA-PSS': { type: 0x14, minBytes: 1, maxBytes: SPKI_BYTES_MAX },
} as const;

/** The algorithm of a public key: a recipient type or a signature algorithm. */
export type PublicKeyType = KeyPairName | keyof typeof SIGNING_KEYS;

/** A public key and its type. */
export interface PublicKey {
  readonly type: PublicKeyType;
  /** The key itself; for DSA and RSA its SubjectPublicKeyInfo. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Length of the longest text, in characters. */
export const PUBLIC_KEY_TEXT_MAX =
  PUBLIC_KEY_PREFIX.length + Math.ceil(((1 + SPKI_BYTES_MAX) * 4) / 3);

/** Writes and reads public keys as text, for one table of types. */
export interface PublicKeyCodec<T extends string> {
  readonly text: (key: { readonly type: T; readonly bytes: Uint8Array }) => string;
  readonly parse: (text: string) => { readonly type: T; readonly bytes: Uint8Array<ArrayBuffer> };
}

/**
 * The codec of the signature algorithms and these recipient types.
 *
 * @throws RangeError if a type byte is used twice
 */
export function publicKeyCodec<N extends string>(
  recipients: readonly (KeyPairType & { readonly name: N })[],
): PublicKeyCodec<N | keyof typeof SIGNING_KEYS> {
  type Name = N | keyof typeof SIGNING_KEYS;
  const rows = new Map<string, PublicKeyRow>(Object.entries(SIGNING_KEYS));
  for (const { name, type, publicKeyBytes: length } of recipients) {
    rows.set(name, { type, minBytes: length, maxBytes: length });
  }
  const names = new Map([...rows].map(([name, { type }]) => [type, name]));
  if (names.size !== rows.size) throw new RangeError('recipients: a type byte is given twice');
  return {
    text({ type, bytes }) {
      checkBytes('bytes', bytes);
      const row = rows.get(type);
      if (!row || !hasLengthOf(row, bytes)) throw new RangeError(`bytes: no public key of ${type}`);
      return PUBLIC_KEY_PREFIX + toBase64url(concat(Uint8Array.of(row.type), bytes));
    },
    parse(text) {
      if (typeof text !== 'string') throw new TypeError('text must be a string');
      const [byte, bytes] = decoded(text);
      const name = byte === undefined ? undefined : names.get(byte);
      if (name === undefined || !hasLengthOf(rows.get(name)!, bytes)) throw notPublicKey();
      return { type: name as Name, bytes };
    },
  };
}

const CODEC = publicKeyCodec(KEY_PAIR_TYPES);

/**
 * Writes a public key as text.
 *
 * @throws RangeError for an unknown type, or a length that the type does not have
 */
export function publicKeyText(key: {
  readonly type: PublicKeyType;
  readonly bytes: Uint8Array;
}): string {
  return CODEC.text(key);
}

/**
 * Reads the text of a public key.
 *
 * @param text exactly the output of publicKeyText
 * @returns the key; only its length has been checked
 * @throws RangeError for any other text
 */
export function parsePublicKey(text: string): PublicKey {
  return CODEC.parse(text);
}

function hasLengthOf({ minBytes, maxBytes }: PublicKeyRow, { length }: Uint8Array): boolean {
  return length >= minBytes && length <= maxBytes;
}

function decoded(text: string): [number | undefined, Uint8Array<ArrayBuffer>] {
  if (!text.startsWith(PUBLIC_KEY_PREFIX) || text.length > PUBLIC_KEY_TEXT_MAX) {
    throw notPublicKey();
  }
  try {
    const all = fromBase64url(text.slice(PUBLIC_KEY_PREFIX.length));
    return [all[0], all.slice(1)];
  } catch (error) {
    throw error instanceof TypeError ? notPublicKey() : error;
  }
}

function notPublicKey(): RangeError {
  return new RangeError('publicKey: not "swp1." and canonical base64url of a public key');
}
