/*
 * Padding (docs/format.md section 5): message ‖ 80 ‖ zeros, up to the Padmé length. Like ISO/IEC
 * 7816-4 padding it is read from the end, and there is one valid length for each message.
 */
import { AuthenticationError } from '../../crypto/errors.ts';
import { paddedLength } from './sealed-length.ts';

/** First byte after the message. */
const MARKER = 0x80;
/** Padding is made in parts of at most this length. */
const PART_BYTES = 2 ** 20;

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

/** The padding of a message of this length, in parts: 80 ‖ zeros. */
export function* paddingOf(messageBytes: number): Generator<Uint8Array> {
  yield Uint8Array.of(MARKER);
  const end = paddedLength(messageBytes);
  for (let at = messageBytes + 1; at < end; at += PART_BYTES) {
    yield new Uint8Array(Math.min(PART_BYTES, end - at));
  }
}

/** -1 for zeros alone. A loop: a call for each byte takes half a second of 64 MiB. */
function lastNonZero(part: Uint8Array): number {
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
