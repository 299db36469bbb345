/*
 * Padding (docs/format.md section 5): message ‖ 80 ‖ zeros, up to the Padmé length. Like ISO/IEC
 * 7816-4 padding it is read from the end, and there is one valid length for each message.
 */
import { AuthenticationError } from '../../crypto/errors.ts';
import { paddedLength } from './sealed-length.ts';

/** First byte after the message. */
export const MARKER = 0x80;

/** The bytes of the padded message from `from` to `to`: a view where it has only message bytes. */
export function paddedSlice(message: Uint8Array, from: number, to: number): Uint8Array {
  if (to <= message.length) return message.subarray(from, to);
  const slice = new Uint8Array(to - from);
  slice.set(message.subarray(from, to));
  const marker = message.length - from;
  if (marker >= 0) slice[marker] = MARKER;
  return slice;
}

/** Writes the padding after a message into the rest of its padded form. */
export function markPadding(padded: Uint8Array, messageBytes: number): void {
  padded.fill(0, messageBytes);
  padded[messageBytes] = MARKER;
}

/** -1 for zeros alone. A loop: a call for each byte takes half a second of 64 MiB. */
export function lastNonZero(part: Uint8Array): number {
  let at = part.length - 1;
  while (at >= 0 && part[at] === 0) at--;
  return at;
}

/** Finds the length of a padded message from its parts, in order, without keeping them. */
export class PaddingReader {
  #totalBytes = 0;
  /** The last byte that is not zero, and its position. */
  #lastByte = 0;
  #lastAt = -1;

  /** Takes the next part. */
  read(part: Uint8Array): void {
    const last = lastNonZero(part);
    if (last >= 0) {
      this.#lastByte = part[last]!;
      this.#lastAt = this.#totalBytes + last;
    }
    this.#totalBytes += part.length;
  }

  /**
   * @returns length of the message in bytes
   * @throws AuthenticationError when the padding is not the one valid padding
   */
  messageBytes(): number {
    const valid = this.#lastByte === MARKER && paddedLength(this.#lastAt) === this.#totalBytes;
    if (!valid) throw new AuthenticationError();
    return this.#lastAt;
  }
}
