import { concat, toBase64url, u16be, u32be, utf8 } from '../../crypto/bytes.ts';
import { SHA512 } from '../../crypto/hash/sha512.ts';
import { hkdfExpand } from '../../crypto/kdf/hkdf.ts';

/*
 * What is derived from the key root and from named keys, by HKDF-Expand with SHA-512 (RFC 5869
 * section 2.3) from 32 random bytes. docs/design/vault.md has the table of all labels. Texts are UTF-8
 * behind a u16 length, so that no two inputs have the same encoding.
 */

/**
 * The app key of one origin and generation. Once the record with the salt is deleted, that origin's data
 * cannot be opened any more; the keys of other origins do not depend on it.
 *
 * @param appRoot 32 bytes
 * @param salt 32 random bytes of this origin
 * @returns 32 bytes, which the caller wipes
 */
export function deriveAppKey(
  appRoot: Uint8Array,
  origin: string,
  generation: number,
  salt: Uint8Array,
): Uint8Array {
  const info = concat(utf8('SWM1 app key'), u32be(generation), prefixed(origin), salt);
  return hkdfExpand(SHA512, appRoot, info, 32);
}

/**
 * The key of a site's MACs. It differs for each origin, also under a key that several origins use.
 *
 * @param key the named key of one generation, 32 bytes
 * @returns 32 bytes, which the caller wipes
 */
export function deriveMacKey(key: Uint8Array, origin: string): Uint8Array {
  return hkdfExpand(SHA512, key, concat(utf8('SWM1 mac'), prefixed(origin)), 32);
}

/**
 * The key of the blind indexes of one field: equal values in two fields have different indexes.
 *
 * @param key the named key of one generation, 32 bytes
 * @returns 32 bytes, which the caller wipes
 */
export function deriveIndexKey(key: Uint8Array, origin: string, field: string): Uint8Array {
  return hkdfExpand(SHA512, key, concat(utf8('SWM1 idx'), prefixed(origin), utf8(field)), 32);
}

/**
 * The Ed25519 private key (RFC 8032 section 5.1.5) of a signing key. It is the same for every origin,
 * because those who verify know one public key.
 *
 * @param key the named key of one generation, 32 bytes
 * @returns 32 bytes, which the caller wipes
 */
export function deriveEd25519Key(key: Uint8Array): Uint8Array {
  return hkdfExpand(SHA512, key, utf8('SWM1 sign ed25519'), 32);
}

/**
 * The id of a key as one origin sees it: 22 base64url characters. Two origins cannot tell whether their
 * ids belong to the same key. Rotation does not change it.
 *
 * @param pairwiseSecret 32 bytes
 */
export function derivePairwiseId(pairwiseSecret: Uint8Array, ref: string, origin: string): string {
  const info = concat(utf8('SWM1 pairwise id'), prefixed(ref), prefixed(origin));
  return toBase64url(hkdfExpand(SHA512, pairwiseSecret, info, 16));
}

/** What a key of `subtle` is derived for. */
export interface SubtleUse {
  readonly origin: string;
  /** Its name as the Web Cryptography API writes it. */
  readonly algorithm: string;
  /** Length of the key in bits. */
  readonly bits: number;
}

/**
 * The key that a page's `subtle` uses in place of a named key. Every algorithm, length and origin has
 * other bytes, and none are those of the message format ("SWM1 use").
 *
 * @param namedKey 32 bytes of one generation
 * @returns bits / 8 bytes, which the caller wipes
 */
export function deriveSubtleKey(
  namedKey: Uint8Array,
  { origin, algorithm, bits }: SubtleUse,
): Uint8Array<ArrayBuffer> {
  const info = concat(utf8('SWM1 subtle'), u32be(bits), prefixed(algorithm), prefixed(origin));
  return new Uint8Array(hkdfExpand(SHA512, namedKey, info, bits / 8));
}

/**
 * The secret from which a private key of JOSE is computed (src/service/subtle/named/jose-keys.ts). Every
 * algorithm and origin has another one, so that a key for signatures agrees on no secrets.
 *
 * @param key one generation of the user's key, 32 bytes
 * @param algorithm its name as the Web Cryptography API writes it
 * @returns so many bytes, which the caller wipes
 */
export function deriveJoseSecret(
  key: Uint8Array,
  { origin, algorithm }: Pick<SubtleUse, 'origin' | 'algorithm'>,
  lengthBytes: number,
): Uint8Array {
  const info = concat(utf8('SWM1 jose'), prefixed(algorithm), prefixed(origin));
  return hkdfExpand(SHA512, key, info, lengthBytes);
}

/**
 * The id under which the vault keeps the public point of such a private key: 22 base64url characters. Another key,
 * algorithm or origin has another one.
 */
export function deriveJosePointId(
  key: Uint8Array,
  { origin, algorithm }: Pick<SubtleUse, 'origin' | 'algorithm'>,
): string {
  const info = concat(utf8('SWM1 point'), prefixed(algorithm), prefixed(origin));
  return toBase64url(hkdfExpand(SHA512, key, info, 16));
}

function prefixed(text: string): Uint8Array {
  const bytes = utf8(text);
  return concat(u16be(bytes.length), bytes);
}
