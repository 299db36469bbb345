/*
 * A public key as one line of text: "swp1." and canonical base64url without padding (RFC 4648
 * sections 3.5 and 5) of a type byte and the key. Each key has exactly one such text.
 *
 *   swp1.Eep-ZjAGkz4DJmyb…
 *
 * docs/keys.md has the table of types. What a message is sealed to has the number of its recipient
 * type (recipient-types.ts); what signatures are checked with has numbers from 11 (hexadecimal).
 */
import { concat, fromBase64url, toBase64url } from '../../crypto/bytes.ts';
import { checkBytes } from '../../crypto/errors.ts';

export const PUBLIC_KEY_PREFIX = 'swp1.';

/** SubjectPublicKeyInfo (RFC 5280 section 4.1) of the keys below; RSA of 8,192 bits has 1,062. */
const SPKI_BYTES_MAX = 2048;

/** By type: the type byte, and how many bytes a key has. */
const TYPES = {
  /** RFC 7748 section 6.1. */
  X25519: { byte: 0x01, minBytes: 32, maxBytes: 32 },
  /** draft-connolly-cfrg-xwing-kem: ML-KEM-768 ‖ X25519. */
  'X-Wing': { byte: 0x02, minBytes: 1216, maxBytes: 1216 },
  /** RFC 8032 section 5.1.5. */
  Ed25519: { byte: 0x11, minBytes: 32, maxBytes: 32 },
  /** FIPS 186-4 section 4, with SHA-256. */
  DSA: { byte: 0x12, minBytes: 1, maxBytes: SPKI_BYTES_MAX },
  /** RFC 8017 section 8.2, with SHA-256. */
  'RSASSA-PKCS1-v1_5': { byte: 0x13, minBytes: 1, maxBytes: SPKI_BYTES_MAX },
  /** RFC 8017 section 8.1, with SHA-256, MGF1 with SHA-256, and 32 bytes of salt. */
  'RSA-PSS': { byte: 0x14, minBytes: 1, maxBytes: SPKI_BYTES_MAX },
} as const;

export type PublicKeyType = keyof typeof TYPES;

export interface PublicKey {
  readonly type: PublicKeyType;
  /** The key itself; of DSA and RSA its SubjectPublicKeyInfo. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Characters of the longest text. */
export const PUBLIC_KEY_TEXT_MAX =
  PUBLIC_KEY_PREFIX.length + Math.ceil(((1 + SPKI_BYTES_MAX) * 4) / 3);

/** @throws RangeError for a length that the type does not have */
export function publicKeyText({
  type,
  bytes,
}: {
  readonly type: PublicKeyType;
  readonly bytes: Uint8Array;
}): string {
  checkBytes('bytes', bytes);
  if (!hasLengthOf(type, bytes)) throw new RangeError(`bytes: no public key of ${type}`);
  return PUBLIC_KEY_PREFIX + toBase64url(concat(Uint8Array.of(TYPES[type].byte), bytes));
}

/**
 * @param text what publicKeyText gave, to the character
 * @returns the key; of its bytes only the number has been checked
 * @throws RangeError for any other text
 */
export function parsePublicKey(text: string): PublicKey {
  if (typeof text !== 'string') throw new TypeError('text must be a string');
  const [byte, bytes] = decoded(text);
  const types = Object.keys(TYPES) as PublicKeyType[];
  const type = types.find((name) => TYPES[name].byte === byte);
  if (type === undefined || !hasLengthOf(type, bytes)) throw notPublicKey();
  return { type, bytes };
}

function hasLengthOf(type: PublicKeyType, { length }: Uint8Array): boolean {
  const { minBytes, maxBytes } = TYPES[type];
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
