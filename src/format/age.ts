/*
 * What all that read and write files of age (age-encryption.org/v1) have in common: the command, the extension, and the
 * page for people without it. Each reads files in its own way. The payload is in chunks of 64 KiB under ChaCha20-Poly1305,
 * and each chunk's nonce has its number, and whether it is the last.
 */
import type { ChaCha20Poly1305 } from '../crypto/aead/chacha20-poly1305.ts';
import { concat, utf8 } from '../crypto/bytes.ts';
import { AuthenticationError } from '../crypto/errors.ts';
import { SHA256 } from '../crypto/hash/sha256.ts';
import { hkdf } from '../crypto/kdf/hkdf.ts';
import { hmac } from '../crypto/mac/hmac.ts';
import { EnvelopeError } from './errors.ts';

/** Length of what a chunk holds, in bytes. The last chunk may be shorter. */
export const AGE_CHUNK_BYTES = 65_536;
/** Length of a chunk with its tag of 16 bytes. */
export const AGE_SEALED_CHUNK_BYTES = AGE_CHUNK_BYTES + 16;
/** Length of the nonce between the header and the payload. */
export const AGE_NONCE_BYTES = 16;
/** log2 of N of scrypt, at most. age's own choice is 18; more than 1 GiB is refused before any work. */
export const AGE_WORK_FACTOR_MAX = 20;
/** The first and the last line of an armored file (RFC 7468, section 3). */
export const AGE_ARMOR = {
  begin: '-----BEGIN AGE ENCRYPTED FILE-----',
  end: '-----END AGE ENCRYPTED FILE-----',
} as const;
/** Characters of a whole line between them. */
export const AGE_LINE_CHARACTERS = 64;

const ARMORED = new RegExp(
  `^\\s*${AGE_ARMOR.begin}\\r?\\n([A-Za-z0-9+/=\\r\\n]*)${AGE_ARMOR.end}\\s*$`,
);
const KEY_BYTES = 32;

/** The Base64 of an armored text, which may have lines of any length, in one line; undefined for another text. */
export function ageArmoredBase64(text: string): string | undefined {
  return ARMORED.exec(text)?.[1]?.replace(/[\r\n]/g, '');
}

/** The key of a payload, 32 bytes. @param fileKey 16 bytes @param nonce 16 bytes */
export const agePayloadKey = (fileKey: Uint8Array, nonce: Uint8Array): Uint8Array =>
  hkdf(SHA256, fileKey, nonce, utf8('payload'), KEY_BYTES);

/** The MAC of a header, 32 bytes. @param fileKey 16 bytes @param signed the header up to and with its "---" */
export const ageHeaderMac = (fileKey: Uint8Array, signed: Uint8Array): Uint8Array =>
  hmac(SHA256, hkdf(SHA256, fileKey, new Uint8Array(0), utf8('header'), KEY_BYTES), signed);

/** The salt that scrypt gets. @param salt of the header, 16 bytes */
export const ageScryptSalt = (salt: Uint8Array): Uint8Array =>
  concat(utf8('age-encryption.org/v1/scrypt'), salt);

/** Which chunk of a payload it is. */
export interface AgePlace {
  /** From 0 on. */
  readonly index: number;
  readonly isLast: boolean;
}

export const sealAgeChunk = (aead: ChaCha20Poly1305, place: AgePlace, chunk: Uint8Array) =>
  aead.seal(nonceOf(place), chunk);

/** @throws AuthenticationError */
export function openAgeChunk(aead: ChaCha20Poly1305, place: AgePlace, chunk: Uint8Array) {
  const part = aead.open(nonceOf(place), chunk);
  // An empty chunk ends only an empty file: a file has one form.
  if (part.length === 0 && place.index > 0) throw new AuthenticationError();
  return part;
}

/** For a file that no program of age makes. */
export const damagedAge = () => new EnvelopeError('BAD_ENVELOPE', 'The age file is damaged');

/** A number of 11 bytes, and whether the chunk is the last one. */
function nonceOf({ index, isLast }: AgePlace): Uint8Array {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setUint32(7, index);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}
