/* Padding (padding.ts) of messages that are not in memory as a whole. */
import { AuthenticationError } from '../../crypto/errors.ts';
import { lastNonZero, MARKER } from './padding.ts';
import { paddedLength } from './sealed-length.ts';

/** Padding is made in parts of at most this length. */
const PART_BYTES = 2 ** 20;

/** The padding of a message of this length, in parts: 80 ‖ zeros. */
export function* paddingOf(messageBytes: number): Generator<Uint8Array> {
  yield Uint8Array.of(MARKER);
  const end = paddedLength(messageBytes);
  for (let at = messageBytes + 1; at < end; at += PART_BYTES) {
    yield new Uint8Array(Math.min(PART_BYTES, end - at));
  }
}

/** Bytes, or a number of zeros: a long run of zeros need not be in memory. */
export type Part = Uint8Array | number;

/**
 * Removes the padding of a message that is read part by part. Possible padding is kept as a number of zeros
 * until a later part shows that it is not padding. The longest such run is as long as the padding could be: a
 * 32nd of a large message.
 */
export class PaddingFilter {
  #totalBytes = 0;
  /** Number of zeros after the `80` of possible padding; undefined without possible padding. */
  #zeros: number | undefined;

  /** Takes the next part. @returns the bytes that cannot be padding; views of the part where possible */
  read(part: Uint8Array): Part[] {
    if (part.length === 0) return [];
    const last = lastNonZero(part);
    this.#totalBytes += part.length;
    if (last < 0 && this.#zeros !== undefined) return this.#extend(part.length);
    const before = this.#release();
    if (part[last] !== MARKER) return [...before, part];
    this.#zeros = part.length - last - 1;
    return [...before, part.subarray(0, last), ...this.#extend(0)];
  }

  /**
   * Checks the end.
   *
   * @throws AuthenticationError if the kept bytes are not the one valid padding
   */
  end(): void {
    const messageBytes = this.#totalBytes - 1 - (this.#zeros ?? 0);
    const valid = this.#zeros !== undefined && paddedLength(messageBytes) === this.#totalBytes;
    if (!valid) throw new AuthenticationError();
  }

  /** More zeros than the padding of a message of this length are part of the message. */
  #extend(zeros: number): Part[] {
    this.#zeros! += zeros;
    const possible = paddedLength(this.#totalBytes - 1 - this.#zeros!);
    return possible < this.#totalBytes ? this.#release() : [];
  }

  #release(): Part[] {
    if (this.#zeros === undefined) return [];
    const parts = [Uint8Array.of(MARKER), this.#zeros];
    this.#zeros = undefined;
    return parts;
  }
}
