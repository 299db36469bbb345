import {
  LARGE_CHUNK_BYTES,
  PREFIX_BYTES,
  TAG_BYTES,
} from '../../../src/format/wire/sealed-length.ts';
import { MAX_STREAM_PIECES } from '../../../src/rpc/limits.ts';
import { SafePromise, SafeUint8Array } from '../../../src/rpc/primordials.ts';
import type { CallControl } from '../arguments.ts';
import { viewedBytes } from '../arguments.ts';
import type { Calls } from '../connection/calls.ts';
import { NO_CONTROL, quiet, whenGivenUp } from '../connection/control.ts';
import { dropped, dropWhenForgotten, remember } from './forgotten-streams.ts';
import { Pieces } from './pieces.ts';
import type { PieceLengths } from './pieces.ts';
import { readController, typedArrayParts } from '../primordials.ts';
import { failBoth, pairOf } from './stream-pair.ts';
import type { ByteStream, Controllers } from './stream-pair.ts';

/** Pieces in the content script at the same time. */
const WIDTH = 6;

/** Bytes, or a number of zeros. */
type Part = Uint8Array | number;

/** The differences between sealing and opening. */
export interface StreamKind extends PieceLengths {
  begin(): Promise<{ readonly stream: string; readonly bytes: Uint8Array }>;
}

export const SEALING = { firstBytes: LARGE_CHUNK_BYTES, pieceBytes: LARGE_CHUNK_BYTES } as const;
export const OPENING = {
  firstBytes: PREFIX_BYTES,
  pieceBytes: LARGE_CHUNK_BYTES + TAG_BYTES,
} as const;

/**
 * A stream through the content script. Written bytes are copied once, into pieces that are transferred. A
 * few pieces are in progress at a time; the writer waits for the others.
 */
export function contentStream(kind: StreamKind, calls: Calls, control: CallControl): ByteStream {
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

class Pump {
  readonly #kind: StreamKind;
  readonly #calls: Calls;
  readonly #control: CallControl;
  readonly #onProgress: CallControl['onProgress'];
  #controllers!: Controllers;
  #begun!: Promise<string>;
  /** Undefined before it has begun. */
  #stream: string | undefined;
  #stopWatching: () => void = () => undefined;
  #isOver = false;
  readonly #pieces: Pieces;
  #isEnding = false;
  #index = 0;
  #inFlight = 0;
  /** Callbacks of what waits for room. */
  #waiting: (() => void)[] = [];
  /** Results are given in order: each waits for the one before it. */
  #last: Promise<void> | undefined;
  #doneBytes = 0;

  constructor(kind: StreamKind, calls: Calls, control: CallControl) {
    this.#kind = kind;
    this.#calls = calls;
    this.#control = control;
    this.#pieces = new Pieces(kind);
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
      if (!this.#isOver) dropWhenForgotten(this, this.#calls, stream);
      this.#give(bytes);
      this.#stream = stream;
      this.#send();
      return stream;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** @returns a promise only where the writer has to wait, which most short chunks do not */
  write(chunk: unknown): Promise<void> | undefined {
    try {
      const source = viewedBytes('chunk', chunk);
      const taken = this.#take(source, 0);
      const isTaken = taken === typedArrayParts.byteLength(source);
      return isTaken ? undefined : this.#takeRest(source, taken);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async #takeRest(source: Uint8Array, from: number): Promise<void> {
    try {
      const end = typedArrayParts.byteLength(source);
      for (let at = from; at < end && !this.#isOver; at = this.#take(source, at)) {
        await this.#room();
      }
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** @returns the end of the bytes that were taken, from `from` on */
  #take(source: Uint8Array, from: number): number {
    const end = typedArrayParts.byteLength(source);
    let at = from;
    while (at < end && this.#pieces.wholeCount < MAX_STREAM_PIECES && !this.#isOver) {
      at += this.#pieces.add(source, at);
      this.#send();
    }
    return at;
  }

  /** Sends complete pieces if there is room, unless more are likely to be complete before an answer arrives. */
  #send(): void {
    const count = this.#pieces.wholeCount;
    if (this.#stream === undefined || this.#isOver || count === 0 || !this.#hasRoom(count)) return;
    if (count < MAX_STREAM_PIECES && this.#inFlight > 0 && !this.#isEnding) return;
    const pieces = this.#pieces.take();
    const bytes = totalBytes(pieces); // before they are transferred
    const params = { stream: this.#stream, index: this.#index, pieces };
    this.#index += count;
    this.#inFlight += count;
    const answer = this.#calls.call('streamPieces', params, NO_CONTROL);
    this.#last = this.#received(answer, { count, bytes }, this.#last);
    void settled(this.#last);
  }

  /** Whether neither too many pieces are in progress nor too many results unread. */
  #hasRoom(count: number): boolean {
    return this.#inFlight + count <= WIDTH && !this.#isUnread();
  }

  #isUnread(): boolean {
    return (readController.desiredSize(this.#controllers.read) ?? 0) <= 0;
  }

  /** The reader has taken a result. */
  wanted(): void {
    this.#send();
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
    answer: Promise<{ readonly parts: readonly Part[]; readonly spares: readonly Uint8Array[] }>,
    { count, bytes }: { readonly count: number; readonly bytes: number },
    before: Promise<void> | undefined,
  ): Promise<void> {
    try {
      const { parts, spares } = await answer;
      if (!this.#isOver) this.#pieces.keep(spares);
      await before;
      await this.#giveAll(parts);
      this.#doneBytes += bytes;
      this.#onProgress?.({ bytes: this.#doneBytes });
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#inFlight -= count;
      this.#send();
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
    this.#isEnding = true;
    this.#pieces.end();
    const stream = await this.#begun;
    this.#send();
    while ((this.#pieces.wholeCount > 0 || this.#inFlight > 0) && !this.#isOver) await this.#room();
    for (let done = false; !done && !this.#isOver;) {
      const end = await this.#calls.call('endStream', { stream }, NO_CONTROL);
      await this.#giveAll(end.parts);
      done = end.done;
    }
    if (this.#isOver) return;
    this.#over();
    readController.close(this.#controllers.read);
  }

  /** Ends the stream from outside; the content script drops the key. */
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

  /** Zeros are not sent as bytes: they are made here, a piece at a time, when there is room. */
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
    this.#pieces.drop();
    remember(this);
    this.#stopWatching();
    this.#wake();
  }
}

function totalBytes(pieces: readonly Uint8Array[]): number {
  let total = 0;
  for (let i = 0; i < pieces.length; i++) total += typedArrayParts.byteLength(pieces[i]!);
  return total;
}

/** Waits for a promise and ignores its failure, which `#fail` reports. */
async function settled(promise: Promise<unknown>): Promise<void> {
  try {
    await promise;
  } catch {
    // Reported by `#fail`.
  }
}
