/*
 * Messages that come in pieces and are never whole in memory: streams and Blobs. Each call takes
 * the next piece and gives what it completes; several may be under way at once, as long as they
 * are made in order.
 */
import { concat, wipe } from '../../crypto/bytes.ts';
import { ChunkCutter, type ChunkOpener, type ChunkSealer } from './chunks.ts';
import { EnvelopeError } from '../errors.ts';
import { STREAM_SEALED_BYTES_MAX } from '../limits.ts';
import { PaddingFilter, paddingOf } from '../wire/padding.ts';
import type { Part } from '../wire/padding.ts';
import { LARGE_CHUNK_BYTES, STREAM_BYTES_MAX, TAG_BYTES } from '../wire/sealed-length.ts';

export interface PiecewiseDeps {
  readonly chunkBytes: number;
  readonly padded: boolean;
}

/** Seals a message piece by piece; the prefix of the message is its caller's to write. */
export class PiecewiseSealer {
  readonly #sealer: ChunkSealer;
  readonly #cutter: ChunkCutter;
  readonly #padded: boolean;
  #messageBytes = 0;

  constructor(sealer: ChunkSealer, { chunkBytes, padded }: PiecewiseDeps) {
    this.#sealer = sealer;
    this.#cutter = new ChunkCutter(chunkBytes);
    this.#padded = padded;
  }

  /**
   * @param piece the next bytes, not to be changed until this has settled
   * @returns the sealed chunks that it completes
   * @throws EnvelopeError TOO_LARGE beyond 32 GiB
   */
  async add(piece: Uint8Array): Promise<Uint8Array> {
    this.#messageBytes += piece.length;
    if (this.#messageBytes > STREAM_BYTES_MAX) throw tooLarge();
    return this.#seal(this.#cutter.add(piece));
  }

  /** @returns the last sealed chunks, in parts, because padding can be long */
  async *end(): AsyncGenerator<Uint8Array, undefined> {
    const padding = this.#padded ? paddingOf(this.#messageBytes) : [];
    for (const part of padding) yield await this.#seal(this.#cutter.add(part));
    yield await this.#seal([this.#cutter.rest()]);
  }

  async #seal(chunks: readonly Uint8Array[]): Promise<Uint8Array> {
    return joined(await Promise.all(chunks.map((chunk) => this.#sealer.seal(chunk))));
  }
}

/**
 * Opens the chunks of a message piece by piece. What it gives is authentic and in its place; only
 * `end` tells that nothing is missing.
 */
export class PiecewiseOpener {
  readonly #opener: ChunkOpener;
  readonly #cutter: ChunkCutter;
  readonly #padding: PaddingFilter | undefined;
  /** Chunks verify in any order; nothing is given before all that stands before it. */
  #before: Promise<unknown> = Promise.resolve();
  #sealedBytes = 0;

  constructor(opener: ChunkOpener, { chunkBytes, padded }: PiecewiseDeps) {
    this.#opener = opener;
    this.#cutter = new ChunkCutter(chunkBytes + TAG_BYTES);
    this.#padding = padded ? new PaddingFilter() : undefined;
  }

  /**
   * @param piece the next bytes after the prefix, not to be changed until this has settled
   * @returns the parts of the message that it completes; zeros beyond a chunk as their number
   * @throws AuthenticationError when a chunk does not verify; every later call then fails too
   * @throws EnvelopeError TOO_LARGE beyond 32 GiB
   */
  async add(piece: Uint8Array): Promise<Part[]> {
    this.#sealedBytes += piece.length;
    if (this.#sealedBytes > STREAM_SEALED_BYTES_MAX) throw tooLarge();
    return this.#open(this.#cutter.add(piece));
  }

  /**
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
    opened.catch(() => undefined); // its caller hears of it
    return opened;
  }

  async #inOrder(opening: Promise<Uint8Array[]>): Promise<Part[]> {
    const [chunks] = await Promise.all([opening, this.#before]);
    const padding = this.#padding;
    if (!padding) return [joined(chunks)];
    return gathered(chunks.flatMap((chunk) => padding.read(chunk)));
  }
}

/** Zeros that are no more than a chunk become bytes, and bytes that stand together one array. */
function gathered(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  let together: Uint8Array[] = [];
  for (const part of parts) {
    if (typeof part !== 'number') together.push(part);
    else if (part <= LARGE_CHUNK_BYTES) together.push(new Uint8Array(part));
    else {
      result.push(joined(together), part);
      together = [];
    }
  }
  return [...result, joined(together)];
}

function tooLarge(): EnvelopeError {
  return new EnvelopeError('TOO_LARGE', `A message has at most ${STREAM_BYTES_MAX} bytes`);
}

/** One array is handed on as it is: the usual case, one chunk for one piece. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : concat(...parts);
}
