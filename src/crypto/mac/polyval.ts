/**
 * POLYVAL (RFC 8452, section 3): GHASH with the opposite order of bytes, for GCM-SIV. Computed with GHASH, by
 * appendix A of the RFC:
 *
 *     POLYVAL(H, X_1, …, X_n) =
 *       ByteReverse(GHASH(mulX_GHASH(ByteReverse(H)), ByteReverse(X_1), …, ByteReverse(X_n)))
 *
 * NOT safe against side channels, like ghash.ts.
 */
import { copyOf, wipe } from '../bytes.ts';
import { Ghash } from './ghash.ts';

/** Bytes that are reversed and absorbed at once: each call of GHASH copies its table. A multiple of 16. */
const PART_BYTES = 4096;

/** POLYVAL (RFC 8452, section 3), computed as GHASH of reversed bytes. */
export class Polyval {
  private readonly ghash: Ghash;

  /** @param h the authentication key, 16 bytes */
  constructor(h: Uint8Array) {
    const reversed = copyOf(h).reverse();
    timesX(reversed);
    this.ghash = new Ghash(reversed);
    wipe(reversed);
  }

  /** Adds `data` of any length, padded with zeros to whole blocks. */
  absorb(data: Uint8Array): this {
    const words = new Int32Array(Math.min(PART_BYTES, data.length + (-data.length & 15)) / 4);
    const part = new Uint8Array(words.buffer);
    for (let done = 0; done < data.length; done += PART_BYTES) {
      const bytes = Math.min(PART_BYTES, data.length - done);
      const end = bytes + (-bytes & 15);
      part.set(data.subarray(done, done + bytes));
      part.fill(0, bytes, end);
      reverseBlocks(words, end / 4);
      this.ghash.absorb(part.subarray(0, end));
    }
    wipe(words);
    return this;
  }

  /** @returns the sum, 16 bytes */
  digest(): Uint8Array<ArrayBuffer> {
    return this.ghash.digest().reverse();
  }

  wipe(): void {
    this.ghash.wipe();
  }
}

/** Reverses the bytes of each block of four words. By words, because a loop over bytes takes as long as GHASH. */
function reverseBlocks(words: Int32Array, end: number): void {
  for (let i = 0; i < end; i += 4) {
    const [first, second] = [words[i], words[i + 1]];
    words[i] = reverseWord(words[i + 3]);
    words[i + 1] = reverseWord(words[i + 2]);
    words[i + 2] = reverseWord(second);
    words[i + 3] = reverseWord(first);
  }
}

const reverseWord = (word: number): number =>
  (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);

/**
 * mulX_GHASH: times x, where the first bit of a block is the coefficient of x^0. A shift to the right; the
 * bit shifted out is reduced by R = 11100001 ‖ 0^120 (SP 800-38D, section 6.3).
 */
function timesX(v: Uint8Array): void {
  const carry = -(v[15] & 1) & 0b1110_0001;
  for (let i = 15; i > 0; i--) v[i] = (v[i] >> 1) | (v[i - 1] << 7);
  v[0] = (v[0] >> 1) ^ carry;
}
