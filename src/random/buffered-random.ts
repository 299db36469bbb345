import { wipe, xorInto } from '../crypto/bytes.ts';
import type { RandomSource } from './contract.ts';

/** 64 salts' worth: the first one, which a woken worker is waited for with, does not pay for more. */
const DRAW_BYTES = 2 * 1024;

/**
 * A source for many short requests: one long draw stands for dozens of short ones, each of which
 * would cost the generator a new key. No byte is given twice, and none is kept once it was given.
 *
 * Fresh bytes of the platform are XORed into each request. Without them, both copies of a machine
 * that is copied while it runs would give what was drawn before.
 */
export class BufferedRandom implements RandomSource {
  readonly #source: RandomSource;
  readonly #platform: RandomSource;
  #drawn = new Uint8Array(0);
  #next = 0;

  /** @param platform the browser's own generator */
  constructor(source: RandomSource, platform: RandomSource) {
    this.#source = source;
    this.#platform = platform;
  }

  bytes(lengthBytes: number): Uint8Array<ArrayBuffer> {
    const bytes = lengthBytes > DRAW_BYTES ? undefined : this.#fresh(lengthBytes);
    // The source has its own rule for a platform that fails.
    if (bytes === undefined) return this.#source.bytes(lengthBytes);
    if (this.#next + lengthBytes > this.#drawn.length) this.#draw();
    const place = this.#drawn.subarray(this.#next, this.#next + lengthBytes);
    xorInto(bytes, place);
    wipe(place);
    this.#next += lengthBytes;
    return bytes;
  }

  #fresh(lengthBytes: number): Uint8Array<ArrayBuffer> | undefined {
    try {
      return this.#platform.bytes(lengthBytes);
    } catch {
      return undefined;
    }
  }

  #draw(): void {
    wipe(this.#drawn);
    this.#drawn = new Uint8Array(this.#source.bytes(DRAW_BYTES));
    this.#next = 0;
  }
}
