import { LARGE_CHUNK_BYTES, PREFIX_BYTES, TAG_BYTES } from '../../src/format/sealed-length.ts';
import { SafePromise, SafeUint8Array, viewOf } from '../../src/rpc/primordials.ts';
import type { CallControl } from './arguments.ts';
import { viewedBytes } from './arguments.ts';
import type { Calls } from './calls.ts';
import { NO_CONTROL, quiet, whenGivenUp } from './control.ts';
import { gone, readController, SafeFinalizationRegistry } from './primordials.ts';
import { setBytes, typedArrayParts } from './primordials.ts';
import { failBoth, pairOf } from './stream-pair.ts';
import type { ByteStream, Controllers } from './stream-pair.ts';

/** Pieces with the content script at the same time. */
const WIDTH = 4;

/** Bytes, or so many zeros. */
type Part = Uint8Array | number;

/** What tells sealing from opening. */
export interface StreamKind {
  begin(): Promise<{ readonly stream: string; readonly bytes: Uint8Array }>;
  /** Of the first piece, and of all others: at chunks' edges the content script copies nothing. */
  readonly firstBytes: number;
  readonly pieceBytes: number;
}

export const SEALING = { firstBytes: LARGE_CHUNK_BYTES, pieceBytes: LARGE_CHUNK_BYTES } as const;
export const OPENING = {
  firstBytes: PREFIX_BYTES,
  pieceBytes: LARGE_CHUNK_BYTES + TAG_BYTES,
} as const;

/**
 * A stream through the content script. What is written is copied once, into pieces that are given
 * away; a few are under way at any time, and the writer waits while more would be.
 */
export function laneStream(kind: StreamKind, calls: Calls, control: CallControl): ByteStream {
  const pump = new Pump(kind, calls, control);
  return pairOf({
    start: (controllers) => pump.start(controllers),
    pull: () => pump.wanted(),
    write: (chunk) => pump.write(chunk),
    close: () => pump.end(),
    giveUp: () => pump.drop(),
  });
}

/** Both sides of the stream fail at their first use. */
export function failedStream(error: unknown): ByteStream {
  const nothing = (): undefined => undefined;
  const start = (controllers: Controllers): void => failBoth(controllers, error);
  return pairOf({ start, pull: nothing, write: nothing, close: nothing, giveUp: nothing });
}

/** Streams that their page left lying and forgot: their keys go when the memory of them does. */
const FORGOTTEN = new SafeFinalizationRegistry((drop) => drop());

/** Made here, away from the pump, which it must not keep alive. */
function dropper(calls: Calls, stream: string): () => void {
  return () => void dropped(calls, stream);
}

async function dropped(calls: Calls, stream: string): Promise<void> {
  try {
    await calls.call('dropStream', { stream }, NO_CONTROL);
  } catch {
    // Its content script has gone, and the key with it.
  }
}

class Pump {
  readonly #kind: StreamKind;
  readonly #calls: Calls;
  readonly #control: CallControl;
  readonly #onProgress: CallControl['onProgress'];
  #controllers!: Controllers;
  #begun!: Promise<string>;
  #stopWatching: () => void = () => undefined;
  #isOver = false;
  #piece: Uint8Array | undefined;
  /** Memory of earlier pieces. */
  #spares: Uint8Array[] = [];
  #filled = 0;
  #index = 0;
  #inFlight = 0;
  /** Who waits for room, in no order. */
  #waiting: (() => void)[] = [];
  /** Results are given in order: each waits for the one before it. */
  #last: Promise<void> | undefined;
  #doneBytes = 0;

  constructor(kind: StreamKind, calls: Calls, control: CallControl) {
    this.#kind = kind;
    this.#calls = calls;
    this.#control = control;
    this.#onProgress = control.onProgress && quiet(control.onProgress);
  }

  start(controllers: Controllers): void {
    this.#controllers = controllers;
    this.#begun = this.#begin();
    void settled(this.#begun);
    this.#stopWatching = whenGivenUp(this.#control, (error) => {
      this.#fail(error);
      this.drop();
    });
  }

  async #begin(): Promise<string> {
    try {
      const { stream, bytes } = await this.#kind.begin();
      if (!this.#isOver) gone.register(FORGOTTEN, this, dropper(this.#calls, stream), this);
      this.#give(bytes);
      return stream;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async write(chunk: unknown): Promise<void> {
    try {
      await this.#taken(viewedBytes('chunk', chunk));
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #taken(source: Uint8Array): Promise<void> {
    const end = typedArrayParts.byteLength(source);
    for (let at = 0; at < end && !this.#isOver;) {
      at += this.#copy(source, at, end);
      if (this.#filled === this.#pieceBytes()) await this.#send();
    }
  }

  /** @returns how many bytes the piece has taken */
  #copy(source: Uint8Array, at: number, end: number): number {
    this.#piece ??= this.#emptyPiece();
    const room = this.#pieceBytes() - this.#filled;
    const taken = end - at < room ? end - at : room;
    const place = viewOf(this.#piece, this.#filled, this.#filled + taken);
    setBytes(place, viewOf(source, at, at + taken));
    this.#filled += taken;
    return taken;
  }

  #emptyPiece(): Uint8Array {
    const spare = this.#spares[this.#spares.length - 1];
    if (!spare) return new SafeUint8Array(this.#pieceBytes());
    this.#spares.length--;
    return spare;
  }

  /** The first piece may be shorter than the others; the last has been copied out of its place. */
  #keep(spare: Uint8Array): void {
    const fits = typedArrayParts.byteLength(spare) === this.#kind.pieceBytes;
    if (fits && !this.#isOver) this.#spares[this.#spares.length] = spare;
  }

  #pieceBytes(): number {
    return this.#index === 0 ? this.#kind.firstBytes : this.#kind.pieceBytes;
  }

  async #send(): Promise<void> {
    const stream = await this.#begun;
    while (this.#isFull() && !this.#isOver) await this.#room();
    if (this.#isOver) return; // the stream has failed with the right error already
    const bytes = this.#filledPiece();
    const pieceBytes = typedArrayParts.byteLength(bytes); // before they are given away
    const piece = { stream, index: this.#index++, bytes };
    this.#inFlight++;
    const answer = this.#calls.call('streamPiece', piece, NO_CONTROL);
    this.#last = this.#received(answer, pieceBytes, this.#last);
    void settled(this.#last);
  }

  /** The piece with a buffer of just its length, which is about to be given away. */
  #filledPiece(): Uint8Array {
    const piece = this.#piece!;
    const filled = viewOf(piece, 0, this.#filled);
    const isWhole = this.#filled === typedArrayParts.byteLength(piece);
    this.#piece = undefined;
    this.#filled = 0;
    return isWhole ? piece : new SafeUint8Array(filled);
  }

  /** Enough is under way, or waits to be read. */
  #isFull(): boolean {
    return this.#inFlight === WIDTH || this.#isUnread();
  }

  #isUnread(): boolean {
    return (readController.desiredSize(this.#controllers.read) ?? 0) <= 0;
  }

  /** Whoever reads has taken something. */
  wanted(): void {
    this.#wake();
  }

  #room(): Promise<void> {
    return new SafePromise((resolve) => {
      this.#waiting[this.#waiting.length] = resolve;
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let i = 0; i < waiting.length; i++) waiting[i]!();
  }

  async #received(
    answer: Promise<{ readonly parts: readonly Part[]; readonly spare: Uint8Array }>,
    pieceBytes: number,
    before: Promise<void> | undefined,
  ): Promise<void> {
    try {
      const { parts, spare } = await answer;
      this.#keep(spare);
      await before;
      await this.#giveAll(parts);
      this.#doneBytes += pieceBytes;
      this.#onProgress?.({ bytes: this.#doneBytes });
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#inFlight--;
      this.#wake();
    }
  }

  async end(): Promise<void> {
    try {
      await this.#ended();
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #ended(): Promise<void> {
    if (this.#filled > 0) await this.#send();
    const stream = await this.#begun;
    await this.#last;
    for (let done = false; !done && !this.#isOver;) {
      const end = await this.#calls.call('endStream', { stream }, NO_CONTROL);
      await this.#giveAll(end.parts);
      done = end.done;
    }
    if (this.#isOver) return;
    this.#over();
    readController.close(this.#controllers.read);
  }

  /** Given up from outside: the content script lets the key go. */
  drop(): void {
    this.#over();
    void this.#dropped();
  }

  async #dropped(): Promise<void> {
    try {
      await dropped(this.#calls, await this.#begun);
    } catch {
      // It never began: there is nothing to drop.
    }
  }

  async #giveAll(parts: readonly Part[]): Promise<void> {
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!;
      if (typeof part === 'number') await this.#giveZeros(part);
      else this.#give(part);
    }
  }

  /** They did not travel: each piece of them is made when there is room for it. */
  async #giveZeros(count: number): Promise<void> {
    for (let left = count; left > 0;) {
      while (this.#isUnread() && !this.#isOver) await this.#room();
      if (this.#isOver) return;
      const taken = left < LARGE_CHUNK_BYTES ? left : LARGE_CHUNK_BYTES;
      this.#give(new SafeUint8Array(taken));
      left -= taken;
    }
  }

  #give(bytes: Uint8Array): void {
    if (this.#isOver || typedArrayParts.byteLength(bytes) === 0) return;
    readController.enqueue(this.#controllers.read, bytes);
  }

  /** @returns the error with which the stream fails, if it has not ended yet */
  #fail(error: unknown): unknown {
    if (!this.#isOver) failBoth(this.#controllers, error);
    this.#over();
    return error;
  }

  #over(): void {
    this.#isOver = true;
    this.#spares = [];
    gone.unregister(FORGOTTEN, this);
    this.#stopWatching();
    this.#wake();
  }
}

/** Whoever needs the result hears of its failure by the stream. */
async function settled(promise: Promise<unknown>): Promise<void> {
  try {
    await promise;
  } catch {
    // Told by `#fail`.
  }
}
