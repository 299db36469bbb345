/*
 * Seals and opens messages that are never whole in memory: streams and Blobs. Each call takes the next piece
 * and returns the parts that it completes. Several calls may run at once, if they are made in order.
 */
import { concat, wipe } from '../../crypto/bytes.ts';
import { ChunkCutter, type ChunkOpener, type ChunkSealer } from './chunks.ts';
import { EnvelopeError } from '../errors.ts';
import { STREAM_SEALED_BYTES_MAX } from '../wire/limits.ts';
import { PaddingFilter, paddingOf, type Part } from '../wire/padding-filter.ts';
import { LARGE_CHUNK_BYTES, STREAM_BYTES_MAX, TAG_BYTES } from '../wire/sealed-length.ts';

/** The facts about a message that are available before its first chunk. */
export interface StreamShape {
  readonly chunkBytes: number;
  readonly padded: boolean;
}

/** Seals a message piece by piece. The caller writes the prefix of the message. */
export class StreamSealer {
  readonly #sealer: ChunkSealer;
  readonly #cutter: ChunkCutter;
  readonly #padded: boolean;
  #messageBytes = 0;

  constructor(sealer: ChunkSealer, { chunkBytes, padded }: StreamShape) {
    this.#sealer = sealer;
    this.#cutter = new ChunkCutter(chunkBytes);
    this.#padded = padded;
  }

  /**
   * Seals the chunks that a piece completes.
   *
   * @param piece the next bytes, not to be changed until this has settled
   * @returns the sealed chunks
   * @throws EnvelopeError TOO_LARGE beyond 32 GiB
   */
  async add(piece: Uint8Array): Promise<Uint8Array> {
    this.#messageBytes += piece.length;
    if (this.#messageBytes > STREAM_BYTES_MAX) throw tooLarge();
    return this.#seal(this.#cutter.add(piece));
  }

  /** Ends the message. @returns the last sealed chunks, in parts, because padding can be long */
  async *end(): AsyncGenerator<Uint8Array, undefined> {
    const padding = this.#padded ? paddingOf(this.#messageBytes) : [];
    for (const part of padding) yield await this.#seal(this.#cutter.add(part));
    yield await this.#seal([this.#cutter.rest()]);
  }

  async #seal(chunks: readonly Uint8Array[]): Promise<Uint8Array> {
    return join(await Promise.all(chunks.map((chunk) => this.#sealer.seal(chunk))));
  }
}

/**
 * Opens the chunks of a message piece by piece. The output is authentic and in order; only `end` shows that
 * the message is complete.
 */
export class StreamOpener {
  readonly #opener: ChunkOpener;
  readonly #cutter: ChunkCutter;
  readonly #padding: PaddingFilter | undefined;
  /** Chunks verify in any order, but parts are returned in the order of the message. */
  #before: Promise<unknown> = Promise.resolve();
  #sealedBytes = 0;

  constructor(opener: ChunkOpener, { chunkBytes, padded }: StreamShape) {
    this.#opener = opener;
    this.#cutter = new ChunkCutter(chunkBytes + TAG_BYTES);
    this.#padding = padded ? new PaddingFilter() : undefined;
  }

  /**
   * Opens the chunks that a piece completes.
   *
   * @param piece the next bytes after the prefix, not to be changed until this has settled
   * @returns parts of the message; a run of zeros longer than a chunk as its length
   * @throws AuthenticationError when a chunk does not verify; every later call then fails too
   * @throws EnvelopeError TOO_LARGE beyond 32 GiB
   */
  async add(piece: Uint8Array): Promise<Part[]> {
    this.#sealedBytes += piece.length;
    if (this.#sealedBytes > STREAM_SEALED_BYTES_MAX) throw tooLarge();
    return this.#open(this.#cutter.add(piece));
  }

  /**
   * Ends the message.
   *
   * @returns the last parts of the message
   * @throws AuthenticationError when it does not verify, or the end is missing
   */
  async end(): Promise<Part[]> {
    const last = await this.#open([this.#cutter.rest()]);
    try {
      this.#opener.finish();
      this.#padding?.end();
      return last;
    } catch (error) {
      for (const part of last) if (typeof part !== 'number') wipe(part);
      throw error;
    }
  }

  #open(sealedChunks: readonly Uint8Array[]): Promise<Part[]> {
    const opening = Promise.all(sealedChunks.map((chunk) => this.#opener.open(chunk)));
    const opened = this.#inOrder(opening);
    this.#before = opened;
    opened.catch(() => undefined); // the caller gets the rejection
    return opened;
  }

  async #inOrder(opening: Promise<Uint8Array[]>): Promise<Part[]> {
    const [chunks] = await Promise.all([opening, this.#before]);
    const padding = this.#padding;
    if (!padding) return [join(chunks)];
    return gather(chunks.flatMap((chunk) => padding.read(chunk)));
  }
}

/** Turns runs of up to a chunk of zeros into bytes, and joins adjacent bytes to one array. */
function gather(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  let together: Uint8Array[] = [];
  for (const part of parts) {
    if (typeof part !== 'number') together.push(part);
    else if (part <= LARGE_CHUNK_BYTES) together.push(new Uint8Array(part));
    else {
      result.push(join(together), part);
      together = [];
    }
  }
  return [...result, join(together)];
}

function tooLarge(): EnvelopeError {
  return new EnvelopeError('TOO_LARGE', `A message has at most ${STREAM_BYTES_MAX} bytes`);
}

/** A single array, the usual case, is returned without a copy. */
function join(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : concat(...parts);
}
