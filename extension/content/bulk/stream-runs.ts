import { ChunkOpener, ChunkSealer } from '../../../src/format/chunks/chunks.ts';
import { prefixBytes } from '../../../src/format/wire/envelope.ts';
import type { Part } from '../../../src/format/wire/padding-filter.ts';
import { StreamOpener, StreamSealer } from '../../../src/format/chunks/stream.ts';
import type { CONTENT_METHODS } from '../../../src/rpc/methods/content.ts';
import type { ParamsIn } from '../../../src/rpc/methods/method.ts';
import { concat } from './whole.ts';
import type { Lease } from './lease.ts';
import type { Abortable, Leases } from './leases.ts';

type SealOptions = ParamsIn<typeof CONTENT_METHODS, 'beginSealStream'>;
type OpenOptions = ParamsIn<typeof CONTENT_METHODS, 'beginOpenStream'>;

/** The result of one `endStream` call. The page calls until it is done. */
export interface StreamEnd {
  readonly parts: Part[];
  readonly done: boolean;
}

/** One stream of a page. Several pieces may be in progress, added in order. */
export interface StreamRun {
  add(piece: Uint8Array): Promise<Part[]>;
  end(): Promise<StreamEnd>;
  /** Drops the key. */
  drop(): void;
}

const NOTHING = new Uint8Array(0);

export class SealingRun implements StreamRun {
  readonly #sealer: StreamSealer;
  readonly #drop: () => void;
  #ending: AsyncGenerator<Uint8Array, undefined> | undefined;

  private constructor(sealer: StreamSealer, drop: () => void) {
    this.#sealer = sealer;
    this.#drop = drop;
  }

  static async begin(
    options: SealOptions,
    leases: Leases,
    call: Abortable,
  ): Promise<{ run: SealingRun; prefix: Uint8Array }> {
    const release = await leases.forSealing({ purpose: 'stream', ...options }, call);
    const { aead, baseNonce, chunkBytes, prefix } = release;
    const sealer = new StreamSealer(new ChunkSealer(aead, baseNonce, chunkBytes), release);
    return { run: new SealingRun(sealer, () => leases.giveBack(aead)), prefix };
  }

  async add(piece: Uint8Array): Promise<Part[]> {
    return [await this.#sealer.add(piece)];
  }

  async end(): Promise<StreamEnd> {
    this.#ending ??= this.#sealer.end();
    const next = await this.#ending.next();
    return next.done ? { parts: [], done: true } : { parts: [next.value], done: false };
  }

  drop(): void {
    this.#drop();
  }
}

/** Opens a stream. The background gets the prefix as soon as it is complete. */
export class OpeningRun implements StreamRun {
  readonly #options: OpenOptions;
  readonly #leases: Leases;
  #start: Uint8Array = NOTHING;
  #opening: Promise<{ opener: StreamOpener; chunksOffset: number }> | undefined;
  #lease: Lease | undefined;
  #isDropped = false;
  #onDrop: () => void = () => undefined;

  constructor(options: OpenOptions, leases: Leases) {
    this.#options = options;
    this.#leases = leases;
  }

  async add(piece: Uint8Array): Promise<Part[]> {
    if (this.#opening) return (await this.#opening).opener.add(piece);
    this.#start = concat(this.#start, piece); // a copy, because the piece goes back to the page
    return this.#start.length < prefixBytes(this.#start) ? [] : this.#begin();
  }

  async end(): Promise<StreamEnd> {
    const first = this.#opening ? [] : await this.#begin();
    const last = await (await this.#opening!).opener.end();
    return { parts: [...first, ...last], done: true };
  }

  drop(): void {
    this.#isDropped = true;
    this.#onDrop();
    if (this.#lease) this.#leases.giveBack(this.#lease);
  }

  /** Later pieces await the same promise, and so are opened after these first bytes. */
  async #begin(): Promise<Part[]> {
    this.#opening = this.#opened(this.#start.slice(0, prefixBytes(this.#start)));
    const { opener, chunksOffset } = await this.#opening;
    return opener.add(this.#start.subarray(chunksOffset));
  }

  async #opened(head: Uint8Array) {
    const call: Abortable = {
      isAborted: this.#isDropped,
      onAbort: (listener) => (this.#onDrop = listener),
    };
    const release = await this.#leases.forOpening({ head, ...this.#options }, call);
    const { aead, baseNonce, chunkBytes, chunksOffset } = release;
    this.#lease = aead;
    if (this.#isDropped) this.drop();
    const opener = new StreamOpener(new ChunkOpener(aead, baseNonce, chunkBytes), release);
    return { opener, chunksOffset };
  }
}
