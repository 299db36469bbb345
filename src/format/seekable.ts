/*
 * Opens parts of a sealed message, such as those that a media element asks for: the head, the last chunk and the
 * chunks of the part are read, and nothing else.
 */
import { wipe } from '../crypto/bytes.ts';
import { AuthenticationError, checkOptions, type NamesOf } from '../crypto/errors.ts';
import { EnvelopeError } from './errors.ts';
import type { ChunkAead } from './format-crypto.ts';
import { chunkNonce, wipeChunkKeys } from './keys/chunk-keys.ts';
import { beginOpen, checkOpenOptions } from './plans/open-plan.ts';
import type { BeginOpenOptions } from './plans/open-plan.ts';
import { ONE_SHOT_BYTES_MAX } from './wire/limits.ts';
import { NATIVE_CRYPTO } from './native-crypto.ts';
import { PREFIX_BYTES_MAX } from './wire/envelope.ts';
import type { Purpose } from './wire/header.ts';
import { lastNonZero } from './wire/padding.ts';
import { LARGE_CHUNK_BYTES, TAG_BYTES, paddedLength } from './wire/sealed-length.ts';

/** A sealed message of which parts can be read: a file, or an address that takes requests for ranges. */
export interface RangeReader {
  /** Bytes of the sealed message. */
  readonly size: number;
  /** @returns the bytes from `start` up to, not including, `end` */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Where parts of a sealed message are read. */
export type RangeSource = Blob | Uint8Array | RangeReader;

/** Options of `openSeekable` and `openRange`. */
export type OpenRangeOptions = Omit<BeginOpenOptions, 'purpose'> & {
  /** Default: 'stream', the purpose of Blobs and streams. */
  readonly purpose?: Purpose | undefined;
};

/** A sealed message whose length has been verified. */
export interface SeekableMessage {
  /** Bytes of the message. */
  readonly size: number;
  /**
   * Opens a part.
   *
   * @param start first byte, 0 … size
   * @param end the byte after the last one, start … size. Default: size
   * @returns `end - start` bytes, after every chunk of them has verified
   * @throws RangeError for positions outside of the message
   * @throws EnvelopeError TOO_LARGE for more than 64 MiB at once
   * @throws AuthenticationError if the part was altered; errors of the source
   */
  read(start: number, end?: number): Promise<Uint8Array<ArrayBuffer>>;
  /** The same as a stream of any length, of which each piece has verified. About 1 MiB is in memory at a time. */
  stream(start: number, end?: number): ReadableStream<Uint8Array<ArrayBuffer>>;
}

const OPTIONS: NamesOf<OpenRangeOptions> = {
  key: true,
  keyId: true,
  purpose: true,
  origin: true,
  associatedData: true,
  recipientTypes: true,
  crypto: true,
  accept: true,
  identities: true,
  dataKey: true,
};

/**
 * Opens a message of which parts will be read. The last chunk is verified first, which proves the message's length:
 * only the last chunk is short, and its number is in its nonce (docs/format.md section 4.4). The chunks between are
 * verified when they are read, so an alteration elsewhere is found only where it is.
 *
 * @param options as those of `openStream`
 * @param source the sealed message
 * @throws EnvelopeError BAD_ENVELOPE when this is not a sealed message, TOO_LARGE beyond 32 GiB
 * @throws AuthenticationError for everything else: wrong key, associated data, altered or missing bytes
 * @throws TypeError, RangeError for arguments of a wrong type or length, and for unknown options
 *
 * @example
 * const video = await openSeekable({ key }, file);
 * const first = await video.read(0, 1_000);
 */
export async function openSeekable(
  options: OpenRangeOptions,
  source: RangeSource,
): Promise<SeekableMessage> {
  checkOptions('options', options, OPTIONS);
  const { crypto = NATIVE_CRYPTO, purpose = 'stream' } = options;
  const whole = { ...options, purpose };
  checkOpenOptions(whole);
  const reader = readerOf(source);
  const head = await exactly(reader, 0, Math.min(reader.size, PREFIX_BYTES_MAX));
  const { keys, suite, chunksOffset, bodyBytes, padded } = await beginOpen(
    whole,
    head,
    reader.size,
  );
  try {
    const aead = await crypto.aesGcm(keys.key);
    const layout = { chunkBytes: suite.chunkBytes, chunksOffset, bodyBytes };
    const chunks = new SeekableChunks(reader, aead, keys.baseNonce, layout);
    return seekable(chunks, await messageLength(chunks, padded));
  } finally {
    wipeChunkKeys(keys);
  }
}

/**
 * Opens one part of a message. For several parts, `openSeekable` derives the key once.
 *
 * @param options as those of `openStream`
 * @param source the sealed message
 * @param start first byte of the message, 0 … its length
 * @param end the byte after the last one. Default: the message's length
 * @returns `end - start` bytes, at most 64 MiB
 * @throws as `openSeekable` and `SeekableMessage.read`
 *
 * @example
 * const part = await openRange({ key }, file, 1_000_000, 1_000_100);
 */
export async function openRange(
  options: OpenRangeOptions,
  source: RangeSource,
  start: number,
  end?: number,
): Promise<Uint8Array<ArrayBuffer>> {
  return (await openSeekable(options, source)).read(start, end);
}

/** Where the chunks of a message are. */
interface Layout {
  readonly chunkBytes: number;
  /** Position of the first chunk. */
  readonly chunksOffset: number;
  /** Length of all chunks opened. */
  readonly bodyBytes: number;
}

/** The chunks of one message, in any order. */
class SeekableChunks {
  readonly layout: Layout;
  readonly #reader: RangeReader;
  readonly #aead: ChunkAead;
  readonly #baseNonce: Uint8Array;

  /** @param baseNonce 12 bytes, copied */
  constructor(reader: RangeReader, aead: ChunkAead, baseNonce: Uint8Array, layout: Layout) {
    this.#reader = reader;
    this.#aead = aead;
    this.#baseNonce = new Uint8Array(baseNonce);
    this.layout = layout;
  }

  /** Number of the last chunk, which is short. */
  get last(): number {
    return Math.floor(this.layout.bodyBytes / this.layout.chunkBytes);
  }

  /** Opens the chunks from `first` up to and including `last`, which are read at once. */
  async open(first: number, last: number): Promise<Uint8Array[]> {
    const { chunkBytes, chunksOffset } = this.layout;
    const sealedChunkBytes = chunkBytes + TAG_BYTES;
    const at = chunksOffset + first * sealedChunkBytes;
    const end = Math.min(this.#reader.size, chunksOffset + (last + 1) * sealedChunkBytes);
    const sealed = await exactly(this.#reader, at, end);
    const opening = Array.from({ length: last - first + 1 }, (_, i) => {
      const chunk = sealed.subarray(i * sealedChunkBytes, (i + 1) * sealedChunkBytes);
      return this.#aead.open(chunkNonce(this.#baseNonce, first + i), chunk);
    });
    return Promise.all(opening);
  }

  /** Opens the bytes of the body from `start` up to `end`, which lie in it. */
  async read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    const part = new Uint8Array(end - start);
    if (part.length === 0) return part;
    const { chunkBytes } = this.layout;
    const first = Math.floor(start / chunkBytes);
    let at = first * chunkBytes;
    for (const chunk of await this.open(first, Math.floor((end - 1) / chunkBytes))) {
      const from = Math.max(0, start - at);
      part.set(chunk.subarray(from, Math.min(chunk.length, end - at)), at + from - start);
      wipe(chunk);
      at += chunkBytes;
    }
    return part;
  }
}

/** Verifies the last chunk. @returns the length of the message without its padding */
async function messageLength(chunks: SeekableChunks, padded: boolean): Promise<number> {
  const { bodyBytes, chunkBytes } = chunks.layout;
  let [chunk] = await chunks.open(chunks.last, chunks.last);
  if (!padded) {
    wipe(chunk!);
    return bodyBytes;
  }
  // Padding is `80 ‖ zeros` (docs/format.md section 5) and is read from the end; it may span chunks.
  for (let n = chunks.last; ; n--) {
    const marker = lastNonZero(chunk!);
    const messageBytes = n * chunkBytes + marker;
    const isMarker = marker >= 0 && chunk![marker] === 0x80;
    wipe(chunk!);
    if (isMarker && paddedLength(messageBytes) === bodyBytes) return messageBytes;
    // Before the first byte of the longest padding there is none.
    if (marker >= 0 || n === 0 || paddedLength(n * chunkBytes) < bodyBytes) {
      throw new AuthenticationError();
    }
    [chunk] = await chunks.open(n - 1, n - 1);
  }
}

function seekable(chunks: SeekableChunks, size: number): SeekableMessage {
  return {
    size,
    async read(start, end = size) {
      checkPart(start, end, size);
      if (end - start > ONE_SHOT_BYTES_MAX) {
        throw new EnvelopeError(
          'TOO_LARGE',
          `${end - start} bytes at once: use stream(start, end)`,
        );
      }
      return chunks.read(start, end);
    },
    stream(start, end = size) {
      checkPart(start, end, size);
      let at = start;
      return new ReadableStream<Uint8Array<ArrayBuffer>>({
        async pull(controller) {
          // Up to the next multiple of 1 MiB: no chunk of either suite is then opened twice.
          const to = Math.min(end, (Math.floor(at / LARGE_CHUNK_BYTES) + 1) * LARGE_CHUNK_BYTES);
          if (to > at) controller.enqueue(await chunks.read(at, to));
          at = to;
          if (at === end) controller.close();
        },
      });
    },
  };
}

function checkPart(start: number, end: number, size: number): void {
  const isPart = Number.isSafeInteger(start) && Number.isSafeInteger(end);
  if (isPart && start >= 0 && start <= end && end <= size) return;
  throw new RangeError(`start and end must be integers, 0 ≤ start ≤ end ≤ ${size}`);
}

function readerOf(source: RangeSource): RangeReader {
  if (source instanceof Uint8Array) {
    const read = (start: number, end: number) => Promise.resolve(source.subarray(start, end));
    return { size: source.length, read };
  }
  if (source instanceof Blob) {
    const read = async (start: number, end: number) =>
      new Uint8Array(await source.slice(start, end).arrayBuffer());
    return { size: source.size, read };
  }
  const { size, read } = Object(source) as Partial<RangeReader>;
  if (!Number.isSafeInteger(size) || size! < 0 || typeof read !== 'function') {
    throw new TypeError('source must be a Blob, a Uint8Array, or have a size in bytes and read()');
  }
  return { size: size!, read: (start, end) => source.read(start, end) };
}

async function exactly(reader: RangeReader, start: number, end: number): Promise<Uint8Array> {
  const bytes = await reader.read(start, end);
  if (bytes instanceof Uint8Array && bytes.length === end - start) return bytes;
  throw new TypeError(`source.read(${start}, ${end}) must give ${end - start} bytes`);
}
