/*
 * Files of age (age-encryption.org/v1), of any length: the header, which the workshop reads and makes, a nonce, and chunks
 * of 64 KiB under ChaCha20-Poly1305, which are opened and sealed here. Each chunk's nonce has its number, and whether it
 * is the last.
 */
import { ChaCha20Poly1305 } from '../../../src/crypto/aead/chacha20-poly1305.ts';
import { concat, copyOf } from '../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../src/crypto/errors.ts';
import {
  AGE_ARMOR,
  AGE_CHUNK_BYTES,
  AGE_LINE_CHARACTERS,
  AGE_NONCE_BYTES,
  AGE_SEALED_CHUNK_BYTES,
  ageArmoredBase64,
  damagedAge,
  openAgeChunk,
  sealAgeChunk,
} from '../../../src/format/age.ts';
import { isAge } from '../../../src/keys/ring/age.ts';
import { MAX_AGE_HEAD_BYTES, MAX_FILE_BYTES } from '../../../src/rpc/limits.ts';
import { bytesOf, slicesOf } from '../../content/bulk/blob-slices.ts';
import type { BlobWork } from '../../content/bulk/blobs.ts';

/** An age file, binary. */
export interface AgeFile {
  readonly blob: Blob;
  /** Its header and the nonce after it: the payload follows. */
  readonly head: Uint8Array;
  /** Whether a passphrase opens it; else keys do. */
  readonly isUnderPassphrase: boolean;
}

/** Many chunks at a time: a read from a file costs more than a chunk. */
const CHUNKS_AT_ONCE = 16;
/** So much of a payload is to be read at a time. */
export const AGE_SLICE_BYTES = CHUNKS_AT_ONCE * AGE_SEALED_CHUNK_BYTES;

/** The end of a header: no line of a stanza begins with "---". */
const MAC_LINE = /\n--- [A-Za-z\d+/]{43}\n/;
const UNDER_PASSPHRASE = /^age-encryption\.org\/v1\n-> scrypt /;

/**
 * The age file in a file or a text.
 *
 * @returns undefined for any other file
 * @throws EnvelopeError BAD_ENVELOPE for a header that is damaged or too long, and for an armored file above 16 MiB
 */
export async function ageFileIn(file: Blob): Promise<AgeFile | undefined> {
  const start = await bytesOf(file.slice(0, MAX_AGE_HEAD_BYTES));
  if (!isAge(start)) return undefined;
  const isBinary = start[0] === 'a'.charCodeAt(0);
  if (!isBinary && file.size > MAX_FILE_BYTES) throw damagedAge();
  const blob = isBinary ? file : new Blob([ageUnarmored(await file.text())]);
  const bytes = isBinary ? start : await bytesOf(blob.slice(0, MAX_AGE_HEAD_BYTES));
  const text = new TextDecoder('latin1').decode(bytes);
  const macLine = MAC_LINE.exec(text);
  if (!macLine) throw damagedAge();
  const end = macLine.index + macLine[0].length + AGE_NONCE_BYTES;
  if (end > bytes.length) throw damagedAge();
  return { blob, head: bytes.slice(0, end), isUnderPassphrase: UNDER_PASSPHRASE.test(text) };
}

/**
 * Opens the payload of an age file. Each part has verified, but only the end of the last one shows that the file is
 * complete: the caller gives out nothing before that.
 *
 * @param key of the payload, 32 bytes
 * @throws AuthenticationError for a payload that was changed, cut off or added to
 */
export async function* openedAgeParts(
  { blob, head }: Pick<AgeFile, 'blob' | 'head'>,
  key: Uint8Array,
  work: BlobWork,
): AsyncGenerator<Uint8Array, undefined> {
  const payload = new AgePayloadOpener(key, blob.size - head.length);
  try {
    for await (const slice of slicesOf(blob, head.length, AGE_SLICE_BYTES, work)) {
      yield payload.open(slice);
    }
  } finally {
    payload.wipe();
  }
}

/**
 * Seals an age file.
 *
 * @param head as the workshop made it
 * @param key of the payload, 32 bytes
 */
export async function* sealedAgeParts(
  file: Blob,
  head: Uint8Array,
  key: Uint8Array,
  work: BlobWork,
): AsyncGenerator<Uint8Array, undefined> {
  const aead = new ChaCha20Poly1305(key);
  try {
    yield head;
    // A file of no contents has one chunk, too.
    if (file.size === 0) yield sealAgeChunk(aead, { index: 0, isLast: true }, new Uint8Array(0));
    const last = Math.ceil(file.size / AGE_CHUNK_BYTES) - 1;
    let index = 0;
    for await (const slice of slicesOf(file, 0, CHUNKS_AT_ONCE * AGE_CHUNK_BYTES, work)) {
      const parts: Uint8Array[] = [];
      for (let at = 0; at < slice.length; at += AGE_CHUNK_BYTES, index++) {
        const chunk = slice.subarray(at, at + AGE_CHUNK_BYTES);
        parts.push(sealAgeChunk(aead, { index, isLast: index === last }, chunk));
      }
      yield concat(...parts);
    }
  } finally {
    aead.wipe();
  }
}

/** Opens a payload in slices of AGE_SLICE_BYTES; the last one is what is left. */
export class AgePayloadOpener {
  readonly #aead: ChaCha20Poly1305;
  readonly #chunks: number;
  #index = 0;

  /**
   * @param key of the payload, 32 bytes, copied
   * @param payloadBytes its length, without the nonce before it
   * @throws AuthenticationError for a payload without any chunk
   */
  constructor(key: Uint8Array, payloadBytes: number) {
    this.#chunks = Math.ceil(payloadBytes / AGE_SEALED_CHUNK_BYTES);
    if (this.#chunks < 1) throw new AuthenticationError();
    this.#aead = new ChaCha20Poly1305(key);
  }

  /** @throws AuthenticationError */
  open(slice: Uint8Array): Uint8Array {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < slice.length; at += AGE_SEALED_CHUNK_BYTES, this.#index++) {
      const sealed = slice.subarray(at, at + AGE_SEALED_CHUNK_BYTES);
      const place = { index: this.#index, isLast: this.#index === this.#chunks - 1 };
      parts.push(openAgeChunk(this.#aead, place, sealed));
    }
    return parts.length === 1 ? parts[0]! : concat(...parts);
  }

  wipe(): void {
    this.#aead.wipe();
  }
}

/** The file in an armored text, which may have lines of any length. @throws EnvelopeError BAD_ENVELOPE */
export function ageUnarmored(text: string): Uint8Array<ArrayBuffer> {
  return ageBase64(ageArmoredBase64(text.replace(/^\ufeff/, '')) ?? '!');
}

/** A file as armored text (RFC 7468, section 3). */
export function ageArmored(file: Uint8Array): string {
  const base64 = btoa(Array.from(file, (byte) => String.fromCharCode(byte)).join(''));
  const lines = base64.match(new RegExp(`.{1,${AGE_LINE_CHARACTERS}}`, 'g')) ?? [];
  return `${[AGE_ARMOR.begin, ...lines, AGE_ARMOR.end].join('\n')}\n`;
}

/** Canonical Base64 (RFC 4648, section 4), with or without its padding. @throws EnvelopeError BAD_ENVELOPE */
export function ageBase64(base64: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    throw damagedAge();
  }
  if (btoa(binary).replace(/=+$/, '') !== base64.replace(/=+$/, '')) throw damagedAge();
  return copyOf(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)));
}
