/*
 * Files that `age -p` makes (age-encryption.org/v1): a file key under a passphrase by scrypt, and chunks of 64 KiB under
 * ChaCha20-Poly1305. A passphrase is the only recipient of its file, so that such a header has one form.
 *
 *   age-encryption.org/v1
 *   -> scrypt SALT LOG2(N)
 *   BODY
 *   --- MAC
 */
import { ChaCha20Poly1305 } from '../src/crypto/aead/chacha20-poly1305.ts';
import { concat, copyOf, equal, utf8, wipe } from '../src/crypto/bytes.ts';
import { AuthenticationError } from '../src/crypto/errors.ts';
import { SHA256 } from '../src/crypto/hash/sha256.ts';
import { hkdf } from '../src/crypto/kdf/hkdf.ts';
import type { ScryptCost } from '../src/crypto/kdf/scrypt.ts';
import { hmac } from '../src/crypto/mac/hmac.ts';
import { EnvelopeError } from '../src/format/errors.ts';
import { release } from './release.ts';

/** The public part of a file under a passphrase. */
export interface AgeHeader {
  /** 16 bytes. */
  readonly salt: Uint8Array;
  /** log2 of N: scrypt takes 1 KiB · 2^workFactor of memory. */
  readonly workFactor: number;
  /** The file key, sealed: 32 bytes. */
  readonly body: Uint8Array;
  /** What the MAC covers. */
  readonly signed: Uint8Array;
  readonly mac: Uint8Array;
  /** Length of the header: the nonce of the payload follows. */
  readonly bytes: number;
}

/** The work of reading a file: its signal, and where it reports progress. */
export interface AgeWork {
  readonly signal: AbortSignal;
  readonly progress: (done: number, of: number) => void;
}

/** The header of any file with one line of scrypt and nothing else. */
const HEADER =
  /^(age-encryption\.org\/v1\n-> scrypt ([A-Za-z\d+/]{22}) ([1-9]\d?)\n([A-Za-z\d+/]{43})\n---) ([A-Za-z\d+/]{43})\n/;
/** Bytes of the longest header of this form, and of the nonce after it. */
export const AGE_HEAD_BYTES = 256;
/** age's own choice is 18; more than 1 GiB is refused before any work. */
const WORK_FACTOR_MAX = 20;
const SALT_LABEL = 'age-encryption.org/v1/scrypt';
const KEY_BYTES = 32;
const NONCE_BYTES = 16;
const TAG_BYTES = 16;
const CHUNK_BYTES = 65_536;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;

const ARMOR =
  /^\s*-----BEGIN AGE ENCRYPTED FILE-----\r?\n([A-Za-z0-9+/=\r\n]*)-----END AGE ENCRYPTED FILE-----\s*$/;

/** The file in an armored text, which may have lines of any length. @throws EnvelopeError BAD_ENVELOPE */
export function ageUnarmored(text: string): Uint8Array<ArrayBuffer> {
  const base64 = ARMOR.exec(text.replace(/^\ufeff/, ''))?.[1]?.replace(/[\r\n]/g, '');
  return bytesOf(base64 ?? '!');
}

/**
 * Reads the header.
 *
 * @param head the first AGE_HEAD_BYTES of a file for which `isAge` is true, or all of a shorter one
 * @returns undefined for a file for other recipients than one passphrase
 * @throws EnvelopeError TOO_LARGE for more work than is accepted, BAD_ENVELOPE for a damaged header
 */
export function ageHeader(head: Uint8Array): AgeHeader | undefined {
  const text = new TextDecoder('latin1').decode(head);
  const [whole, signed, salt, workFactor, body, mac] = HEADER.exec(text) ?? [];
  if (whole === undefined) {
    if (/^age-encryption\.org\/v1\n-> (?!scrypt )/.test(text)) return undefined;
    throw damaged();
  }
  const header = {
    salt: bytesOf(salt!),
    workFactor: Number(workFactor),
    body: bytesOf(body!),
    signed: utf8(signed!),
    mac: bytesOf(mac!),
    bytes: whole.length,
  };
  if (header.workFactor > WORK_FACTOR_MAX) {
    throw new EnvelopeError('TOO_LARGE', `Work factor ${workFactor}: more than is accepted`);
  }
  return header;
}

/** The arguments of scrypt for a file. */
export function ageScrypt({ salt, workFactor }: AgeHeader): {
  readonly salt: Uint8Array;
  readonly cost: ScryptCost;
} {
  return { salt: concat(utf8(SALT_LABEL), salt), cost: { N: 2 ** workFactor, r: 8, p: 1 } };
}

/**
 * Opens the file key and checks the header with it.
 *
 * @param key of scrypt, 32 bytes
 * @returns 16 bytes, which the caller wipes
 * @throws AuthenticationError for a wrong passphrase; EnvelopeError BAD_ENVELOPE for a header that was changed
 */
export function ageFileKey({ body, signed, mac }: AgeHeader, key: Uint8Array): Uint8Array {
  const aead = new ChaCha20Poly1305(key);
  try {
    const fileKey = aead.open(new Uint8Array(12), body);
    const macKey = hkdf(SHA256, fileKey, new Uint8Array(0), utf8('header'), KEY_BYTES);
    if (!equal(hmac(SHA256, macKey, signed), mac)) throw damaged();
    return fileKey;
  } finally {
    aead.wipe();
  }
}

/**
 * Opens the payload. Each part has verified, but only the end of the last one shows that the file is complete: the caller
 * gives out nothing before that.
 *
 * @throws AuthenticationError for a payload that was changed or cut off
 */
export async function* agePayload(
  file: Blob,
  { bytes: headerBytes }: AgeHeader,
  fileKey: Uint8Array,
  { signal, progress }: AgeWork,
): AsyncGenerator<Uint8Array, undefined> {
  const start = headerBytes + NONCE_BYTES;
  const nonce = new Uint8Array(await file.slice(headerBytes, start).arrayBuffer());
  if (nonce.length < NONCE_BYTES) throw new AuthenticationError();
  const key = hkdf(SHA256, fileKey, nonce, utf8('payload'), KEY_BYTES);
  const aead = new ChaCha20Poly1305(key);
  wipe(key);
  try {
    const chunks = Math.max(1, Math.ceil((file.size - start) / SEALED_CHUNK_BYTES));
    // Many chunks at a time: a read from a file costs more than a chunk.
    for (let first = 0; first < chunks; first += CHUNKS_AT_ONCE) {
      signal.throwIfAborted();
      const from = start + first * SEALED_CHUNK_BYTES;
      const slice = file.slice(from, from + CHUNKS_AT_ONCE * SEALED_CHUNK_BYTES);
      const sealed = new Uint8Array(await slice.arrayBuffer());
      yield opened(aead, sealed, first, chunks);
      release(sealed);
      progress(Math.min(from + sealed.length, file.size), file.size);
    }
  } finally {
    aead.wipe();
  }
}

const CHUNKS_AT_ONCE = 16;

function opened(aead: ChaCha20Poly1305, sealed: Uint8Array, first: number, chunks: number) {
  const parts: Uint8Array[] = [];
  for (
    let at = 0, index = first;
    at === 0 || at < sealed.length;
    at += SEALED_CHUNK_BYTES, index++
  ) {
    const isLast = index === chunks - 1;
    const part = aead.open(chunkNonce(index, isLast), sealed.subarray(at, at + SEALED_CHUNK_BYTES));
    // An empty chunk ends only an empty file: a file has one form.
    if (part.length === 0 && index > 0) throw new AuthenticationError();
    parts.push(part);
  }
  return parts.length === 1 ? parts[0]! : concat(...parts);
}

/** A number of 11 bytes, and whether the chunk is the last one. */
function chunkNonce(index: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(12);
  new DataView(nonce.buffer).setUint32(7, index);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Canonical Base64 (RFC 4648, section 4), with or without its padding. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    throw damaged();
  }
  if (btoa(binary).replace(/=+$/, '') !== base64.replace(/=+$/, '')) throw damaged();
  return copyOf(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)));
}

function damaged(): EnvelopeError {
  return new EnvelopeError('BAD_ENVELOPE', 'The age file is damaged');
}
