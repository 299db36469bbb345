import { wipe } from '../../crypto/bytes.ts';
import type { RandomSource } from '../../random/contract.ts';

/** 64 salts' worth: the first one, which a woken worker is waited for with, does not pay for more. */
const DRAW_BYTES = 2 * 1024;

/**
 * A source for many short requests: one long draw stands for dozens of short ones, each of which
 * would cost the generator a new key. No byte is given twice, and none is kept once it was given.
 */
export class BufferedRandom implements RandomSource {
  readonly #source: RandomSource;
  #drawn = new Uint8Array(0);
  #next = 0;

  constructor(source: RandomSource) {
    this.#source = source;
  }

  bytes(lengthBytes: number): Uint8Array<ArrayBuffer> {
    if (lengthBytes > DRAW_BYTES) return this.#source.bytes(lengthBytes);
    if (this.#next + lengthBytes > this.#drawn.length) this.#draw();
    const place = this.#drawn.subarray(this.#next, this.#next + lengthBytes);
    const bytes = place.slice();
    wipe(place);
    this.#next += lengthBytes;
    return bytes;
  }

  #draw(): void {
    wipe(this.#drawn);
    this.#drawn = new Uint8Array(this.#source.bytes(DRAW_BYTES));
    this.#next = 0;
  }
}
