/**
 * Poly1305 (RFC 8439, section 2.5): a one-time authenticator. A polynomial whose coefficients are the
 * message's blocks is evaluated at r modulo 2^130 - 5, and s is added. A key used for two messages reveals r
 * and s.
 *
 * Numbers are six limbs of 22 bits in doubles. 6 · 22 = 132, and 2^132 = 4 · 2^130 is 20 modulo the prime, so
 * a product's upper limbs are added times 20. With limbs below 2^23 + 2^22 the sum of a column stays below
 * 2^53, where doubles are exact. It has no table look-ups and no branches on data: the time depends on
 * lengths only.
 */
import { wipe } from '../bytes.ts';
import type { Mac } from '../contracts.ts';
import { checkBytes } from '../errors.ts';
import { load32le, store32le } from '../words.ts';

const LIMB = 0x40_0000;
const LIMB_MASK = LIMB - 1;
const PER_LIMB = 1 / LIMB;

/** 2^128, which ends a whole block, in the limb of 2^110 */
const BLOCK_END = 2 ** 18;

/**
 * Poly1305 (RFC 8439, section 2.5): a one-time MAC. The 32-byte key must be used for one message
 * only.
 */
export class Poly1305 implements Mac {
  readonly tagBytes = 16;
  /** r, limbs of 22 bits */
  private readonly r = new Float64Array(6);
  private readonly s = new Int32Array(4);
  /** The accumulator a of section 2.5.1 */
  private readonly h = new Float64Array(6);
  private readonly pending = new Uint8Array(16);
  private pendingBytes = 0;
  private ended = false;

  /** @param key r ‖ s: 32 bytes, for one message only; not kept */
  constructor(key: Uint8Array) {
    checkBytes('key', key, 32);
    // clamp(r) of section 2.5.1: r &= 0x0ffffffc0ffffffc0ffffffc0fffffff
    const w0 = load32le(key, 0) & 0x0fff_ffff;
    const w1 = load32le(key, 4) & 0x0fff_fffc;
    const w2 = load32le(key, 8) & 0x0fff_fffc;
    const w3 = load32le(key, 12) & 0x0fff_fffc;
    this.r[0] = w0 & LIMB_MASK;
    this.r[1] = ((w0 >>> 22) | (w1 << 10)) & LIMB_MASK;
    this.r[2] = ((w1 >>> 12) | (w2 << 20)) & LIMB_MASK;
    this.r[3] = (w2 >>> 2) & LIMB_MASK;
    this.r[4] = ((w2 >>> 24) | (w3 << 8)) & LIMB_MASK;
    this.r[5] = w3 >>> 14;
    for (let i = 0; i < 4; i++) this.s[i] = load32le(key, 16 + 4 * i);
  }

  update(data: Uint8Array): this {
    checkBytes('data', data);
    if (this.ended) throw new Error('Poly1305 has ended');
    let taken = 0;
    if (this.pendingBytes > 0) {
      taken = this.fill(data);
      if (this.pendingBytes < 16) return this;
      this.blocks(this.pending, 0, 16, BLOCK_END);
      this.pendingBytes = 0;
    }
    const end = data.length - ((data.length - taken) % 16);
    this.blocks(data, taken, end, BLOCK_END);
    if (end < data.length) this.fill(data.subarray(end));
    return this;
  }

  digest(): Uint8Array<ArrayBuffer> {
    if (this.ended) throw new Error('Poly1305 has ended');
    this.ended = true;
    if (this.pendingBytes > 0) {
      // The byte 1 after the message ends the last block; zeros fill it.
      this.pending[this.pendingBytes] = 1;
      this.pending.fill(0, this.pendingBytes + 1);
      this.blocks(this.pending, 0, 16, 0);
    }
    const tag = this.sum();
    this.wipe();
    return tag;
  }

  wipe(): void {
    wipe(this.r, this.s, this.h, this.pending);
    this.pendingBytes = 0;
    this.ended = true;
  }

  /** Fills the pending block. @returns the number of bytes taken */
  private fill(data: Uint8Array): number {
    const part = data.subarray(0, 16 - this.pendingBytes);
    this.pending.set(part, this.pendingBytes);
    this.pendingBytes += part.length;
    return part.length;
  }

  /**
   * a = (a + block) · r mod p for each block from `start` to `end`.
   *
   * @param last 2^128 as a part of the sixth limb, or 0 if the block contains its own end
   */
  private blocks(data: Uint8Array, start: number, end: number, last: number): void {
    const [r0, r1, r2, r3, r4, r5] = this.r;
    const [s1, s2, s3, s4, s5] = [20 * r1, 20 * r2, 20 * r3, 20 * r4, 20 * r5];
    let [h0, h1, h2, h3, h4, h5] = this.h;
    for (let at = start; at < end; at += 16) {
      const w0 = load32le(data, at);
      const w1 = load32le(data, at + 4);
      const w2 = load32le(data, at + 8);
      const w3 = load32le(data, at + 12);
      const a0 = h0 + (w0 & LIMB_MASK);
      const a1 = h1 + (((w0 >>> 22) | (w1 << 10)) & LIMB_MASK);
      const a2 = h2 + (((w1 >>> 12) | (w2 << 20)) & LIMB_MASK);
      const a3 = h3 + ((w2 >>> 2) & LIMB_MASK);
      const a4 = h4 + (((w2 >>> 24) | (w3 << 8)) & LIMB_MASK);
      const a5 = h5 + (w3 >>> 14) + last;

      h0 = a0 * r0 + a1 * s5 + a2 * s4 + a3 * s3 + a4 * s2 + a5 * s1;
      h1 = a0 * r1 + a1 * r0 + a2 * s5 + a3 * s4 + a4 * s3 + a5 * s2;
      h2 = a0 * r2 + a1 * r1 + a2 * r0 + a3 * s5 + a4 * s4 + a5 * s3;
      h3 = a0 * r3 + a1 * r2 + a2 * r1 + a3 * r0 + a4 * s5 + a5 * s4;
      h4 = a0 * r4 + a1 * r3 + a2 * r2 + a3 * r1 + a4 * r0 + a5 * s5;
      h5 = a0 * r5 + a1 * r4 + a2 * r3 + a3 * r2 + a4 * r1 + a5 * r0;

      let carry = Math.floor(h0 * PER_LIMB);
      h0 -= carry * LIMB;
      h1 += carry;
      carry = Math.floor(h1 * PER_LIMB);
      h1 -= carry * LIMB;
      h2 += carry;
      carry = Math.floor(h2 * PER_LIMB);
      h2 -= carry * LIMB;
      h3 += carry;
      carry = Math.floor(h3 * PER_LIMB);
      h3 -= carry * LIMB;
      h4 += carry;
      carry = Math.floor(h4 * PER_LIMB);
      h4 -= carry * LIMB;
      h5 += carry;
      carry = Math.floor(h5 * PER_LIMB);
      h5 -= carry * LIMB;
      h0 += 20 * carry;
      carry = Math.floor(h0 * PER_LIMB);
      h0 -= carry * LIMB;
      h1 += carry;
    }
    this.h.set([h0, h1, h2, h3, h4, h5]);
  }

  /** The number a, reduced to 0 … p - 1, plus s modulo 2^128, as 16 bytes. */
  private sum(): Uint8Array<ArrayBuffer> {
    const limbs = Int32Array.from(this.h);
    const reduced = new Int32Array(6);
    carryOn(limbs);
    carryOn(limbs);
    // a + 5 has the bit 2^130 if a ≥ p = 2^130 - 5, and without it is then a - p.
    let carry = 5;
    for (let i = 0; i < 6; i++) {
      const limb = limbs[i] + carry;
      reduced[i] = limb & LIMB_MASK;
      carry = limb >>> 22;
    }
    const take = -((reduced[5] >>> 20) & 1); // all ones if a ≥ p
    for (let i = 0; i < 6; i++) limbs[i] ^= take & (limbs[i] ^ reduced[i]);
    const tag = this.addS(limbs);
    wipe(limbs, reduced);
    return tag;
  }

  /** Converts limbs of 22 bits to words of 32 and adds s, modulo 2^128. */
  private addS(limbs: Int32Array): Uint8Array<ArrayBuffer> {
    const [l0, l1, l2, l3, l4, l5] = limbs;
    const words = [
      l0 | (l1 << 22),
      (l1 >>> 10) | (l2 << 12),
      (l2 >>> 20) | (l3 << 2) | (l4 << 24),
      (l4 >>> 8) | (l5 << 14),
    ];
    const tag = new Uint8Array(16);
    let carry = 0;
    words.forEach((word, i) => {
      const sum = (word >>> 0) + (this.s[i] >>> 0) + carry;
      store32le(tag, 4 * i, sum | 0);
      carry = Math.floor(sum / 0x1_0000_0000);
    });
    return tag;
  }
}

/** Reduces limbs to below 2^22, the last to below 2^20: the part from 2^130 on is added times 5. */
function carryOn(limbs: Int32Array): void {
  let carry = 5 * (limbs[5] >>> 20);
  limbs[5] &= 0xf_ffff;
  for (let i = 0; i < 6; i++) {
    const limb = limbs[i] + carry;
    limbs[i] = i < 5 ? limb & LIMB_MASK : limb;
    carry = limb >>> 22;
  }
}

/** @returns the tag of the parts joined, 16 bytes */
export function poly1305(
  key: Uint8Array,
  ...parts: readonly Uint8Array[]
): Uint8Array<ArrayBuffer> {
  const mac = new Poly1305(key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}
