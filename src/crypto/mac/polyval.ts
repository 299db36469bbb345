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
    const part = new Uint8Array(Math.min(PART_BYTES, data.length + (-data.length & 15)));
    for (let done = 0; done < data.length; done += PART_BYTES) {
      const left = data.length - done;
      const bytes = Math.min(PART_BYTES, left + (-left & 15));
      // Byte i of a block, or the zero of its padding, becomes byte 15 - i.
      for (let i = 0; i < bytes; i++) part[i ^ 15] = i < left ? data[done + i] : 0;
      this.ghash.absorb(part.subarray(0, bytes));
    }
    wipe(part);
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

/**
 * mulX_GHASH: times x, where the first bit of a block is the coefficient of x^0. A shift to the right; the
 * bit shifted out is reduced by R = 11100001 ‖ 0^120 (SP 800-38D, section 6.3).
 */
function timesX(v: Uint8Array): void {
  const carry = -(v[15] & 1) & 0b1110_0001;
  for (let i = 15; i > 0; i--) v[i] = (v[i] >> 1) | (v[i - 1] << 7);
  v[0] = (v[0] >> 1) ^ carry;
}
