/*
 * The payload of a file of age: chunks of 64 KiB under ChaCha20-Poly1305, of which the nonce says which one it is, and whether
 * it is the last. Binary or armored, it is read and written in pieces.
 */
import { ChaCha20Poly1305 } from '../../crypto/aead/chacha20-poly1305.ts';
import { concat, utf8, wipe } from '../../crypto/bytes.ts';
import { AuthenticationError } from '../../crypto/errors.ts';
import {
  AGE_ARMOR,
  AGE_CHUNK_BYTES,
  AGE_NONCE_BYTES,
  AGE_SEALED_CHUNK_BYTES,
  ageArmoredBase64,
  agePayloadKey,
  damagedAge,
  openAgeChunk,
  sealAgeChunk,
  type AgePlace,
} from '../../format/age.ts';
import { EnvelopeError } from '../../format/errors.ts';
import type { MessageTarget } from '../message-target.ts';
import { ageBase64, parseAgeHeader, type AgeHeader } from './age-header.ts';

const TAG_BYTES = AGE_SEALED_CHUNK_BYTES - AGE_CHUNK_BYTES;
/** The longest header that is read: some hundred recipients. */
const HEAD_BYTES_MAX = 2 ** 20;
/** The longest armored file, which is read whole. */
const ARMORED_BYTES_MAX = 2 ** 26;
/** Bytes of one line of an armored file. */
const LINE_BYTES = 48;

/** A file whose header was read: its payload follows. */
export interface AgeFile {
  readonly header: AgeHeader;
  /** 16 bytes. */
  readonly nonce: Uint8Array;
  readonly payload: AsyncIterable<Uint8Array>;
}

/** Reads a file, binary or armored, up to its payload. @throws EnvelopeError BAD_ENVELOPE, TOO_LARGE */
export async function readAgeFile(file: AsyncIterable<Uint8Array>): Promise<AgeFile> {
  const pieces = binary(file)[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  for (;;) {
    const header = parseAgeHeader(head.subarray(0, HEAD_BYTES_MAX));
    if (header && head.length >= header.bytes + AGE_NONCE_BYTES) {
      const start = header.bytes + AGE_NONCE_BYTES;
      const nonce = head.slice(header.bytes, start);
      return { header, nonce, payload: following(head.subarray(start), pieces) };
    }
    const { value, done } = await pieces.next();
    if (done || head.length > HEAD_BYTES_MAX) throw damagedAge();
    head = concat(head, value);
  }
}

async function* following(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** The bytes of a binary file as they are, and those that an armored one stands for. */
async function* binary(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  const armored: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of file) {
    if (armored.length === 0 && (bytes > 0 || piece[0] === 'a'.charCodeAt(0))) {
      bytes += piece.length;
      yield piece;
      continue;
    }
    armored.push(piece);
    bytes += piece.length;
    if (bytes > ARMORED_BYTES_MAX) {
      throw new EnvelopeError(
        'TOO_LARGE',
        `An armored age file has at most ${ARMORED_BYTES_MAX} bytes`,
      );
    }
  }
  if (armored.length === 0) return;
  const text = new TextDecoder('latin1')
    .decode(concat(...armored))
    .replace(/^\u00ef\u00bb\u00bf/, '');
  const base64 = ageArmoredBase64(text);
  if (base64 === undefined) throw damagedAge();
  yield ageBase64(base64.replace(/={1,2}$/, ''));
}

/** @param fileKey 16 bytes, which are wiped */
function aeadOf(fileKey: Uint8Array, nonce: Uint8Array): ChaCha20Poly1305 {
  const key = agePayloadKey(fileKey, nonce);
  const aead = new ChaCha20Poly1305(key);
  wipe(key, fileKey);
  return aead;
}

/**
 * Opens a payload. Each part has verified, but only the end shows that the file is complete: nothing is to be given out before.
 *
 * @param fileKey 16 bytes, which are wiped
 * @throws AuthenticationError for a payload that was changed, cut off or added to
 */
export async function* openedAge(
  { nonce, payload }: AgeFile,
  fileKey: Uint8Array,
): AsyncGenerator<Uint8Array, undefined> {
  const aead = aeadOf(fileKey, nonce);
  try {
    for await (const { chunk, ...place } of inChunks(payload, AGE_SEALED_CHUNK_BYTES)) {
      if (chunk.length < TAG_BYTES) throw new AuthenticationError();
      yield openAgeChunk(aead, place, chunk);
    }
  } finally {
    aead.wipe();
  }
}

/**
 * Seals a file.
 *
 * @param header as `makeAgeHeader` makes it
 * @param fileKey 16 bytes, which are wiped
 * @param nonce 16 random bytes, of this file alone
 */
export async function* sealedAge(
  header: Uint8Array,
  fileKey: Uint8Array,
  nonce: Uint8Array,
  file: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, undefined> {
  const aead = aeadOf(fileKey, nonce);
  try {
    yield concat(header, nonce);
    for await (const { chunk, ...place } of inChunks(file, AGE_CHUNK_BYTES)) {
      yield sealAgeChunk(aead, place, chunk);
    }
  } finally {
    aead.wipe();
  }
}

interface Chunk extends AgePlace {
  readonly chunk: Uint8Array;
}

/** Chunks of one length; the last one has what is left, which is nothing only of no contents. */
async function* inChunks(
  pieces: AsyncIterable<Uint8Array>,
  chunkBytes: number,
): AsyncGenerator<Chunk, undefined> {
  let rest: Uint8Array = new Uint8Array(0);
  let index = 0;
  for await (const piece of pieces) {
    rest = concat(rest, piece);
    let at = 0;
    for (; rest.length - at > chunkBytes; at += chunkBytes, index++) {
      yield { chunk: rest.subarray(at, at + chunkBytes), index, isLast: false };
    }
    rest = rest.slice(at);
  }
  yield { chunk: rest, index, isLast: true };
}

/** Writes the parts as an armored file (RFC 7468, section 3). */
export function armoringAge(target: MessageTarget): MessageTarget {
  let rest: Uint8Array = new Uint8Array(0);
  let bytes = 0;
  const write = async (text: string): Promise<void> => {
    const line = utf8(text);
    bytes += line.length;
    await target.write(line);
  };
  return {
    async write(part) {
      if (bytes === 0) await write(`${AGE_ARMOR.begin}\n`);
      const all = concat(rest, part);
      const whole = all.length - (all.length % LINE_BYTES);
      rest = all.slice(whole);
      await write(linesOf(all.subarray(0, whole)));
    },
    async publish() {
      await write(`${linesOf(rest)}${AGE_ARMOR.end}\n`);
      await target.publish(bytes);
    },
    discard: () => target.discard(),
  };
}

function linesOf(bytes: Uint8Array): string {
  const base64 = Buffer.from(bytes).toString('base64');
  return (base64.match(/.{1,64}/g) ?? []).map((line) => `${line}\n`).join('');
}
