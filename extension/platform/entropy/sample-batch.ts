import { nativeSha256 } from '../../../src/engine/native/digests.ts';

/** u32 microseconds since the last event, two i16 distances in pixels; big-endian. */
const SAMPLE_BYTES = 8;
/** As many as one digest is of (MOVEMENTS_EVENTS of src/rpc), whose table the smallest script leaves out. */
export const MAX_SAMPLES = 32;

/**
 * Times and distances of the user's movements, 8 bytes each. Only differences are stored: neither the
 * pointer's position nor the keys can be read from them.
 */
export class SampleBatch {
  readonly #view = new DataView(new ArrayBuffer(MAX_SAMPLES * SAMPLE_BYTES));
  #count = 0;
  #last: { time: number; x: number; y: number } | undefined;

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === MAX_SAMPLES;
  }

  /**
   * The first event only gives the starting time. Events are dropped when the batch is full.
   *
   * @param time - of the event, ms, with decimals
   */
  add(time: number, x = 0, y = 0): void {
    const last = this.#last;
    this.#last = { time, x, y };
    if (!last || this.isFull) return;
    const offset = this.#count * SAMPLE_BYTES;
    const microseconds = Math.round((time - last.time) * 1000);
    this.#view.setUint32(offset, Math.min(Math.max(microseconds, 0), 0xffffffff));
    this.#view.setInt16(offset + 4, clampToInt16(x - last.x));
    this.#view.setInt16(offset + 6, clampToInt16(y - last.y));
    this.#count++;
  }

  /** Takes the samples, 8 bytes each. The batch is empty and wiped afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#view.buffer);
    const taken = bytes.slice(0, this.#count * SAMPLE_BYTES);
    bytes.fill(0);
    this.#count = 0;
    return taken;
  }

  /** Takes the SHA-256 of the samples, which keeps their entropy and hides their pattern. */
  async takeHashed(): Promise<Uint8Array> {
    const taken = this.take();
    const digest = await nativeSha256(taken);
    taken.fill(0);
    return digest;
  }
}

function clampToInt16(value: number): number {
  return Math.min(Math.max(Math.round(value), -0x8000), 0x7fff);
}
