/**
 * GHASH (SP 800-38D, section 6.4): Y_i = (Y_{i-1} ⊕ X_i) · H in GF(2^128), where the first bit of a block is
 * the coefficient of x^0.
 *
 * A word of Y is multiplied four bits at a time with tables of v(x) · x^{4j} · H, one for each of the eight
 * positions j in a word (Shoup's method, with 128 entries per key). Horner's rule combines the four words:
 * ((Y_3 · x^32 + Y_2) · x^32 + Y_1) · x^32 + Y_0.
 *
 * NOT safe against side channels: the addresses of the look-ups depend on H and data.
 */
import { timesXReflected } from '../gf128.ts';
import { load32be, store32be } from '../words.ts';

/** Table words for one key: 4 arrays, one for each word of an entry, of 8 positions · 16 values. */
const PLACES = 8;
const ENTRIES = PLACES * 16;

const registers = new Int32Array(4 * ENTRIES + 4);

/** GHASH (SP 800-38D, section 6.4) with a table of the hash key. Not safe against cache timing. */
export class Ghash {
  private readonly table = new Int32Array(4 * ENTRIES);
  private readonly y = new Int32Array(4);

  // On the prototype and shared by all keys, because V8 then compiles addresses and lengths as constants (see
  // aes/rounds.ts): entries by word, and Y as words and as bytes.
  declare private readonly t0: Int32Array;
  declare private readonly t1: Int32Array;
  declare private readonly t2: Int32Array;
  declare private readonly t3: Int32Array;
  declare private readonly w: Int32Array;
  declare private readonly b: Uint8Array;

  static {
    Object.assign(Ghash.prototype, {
      t0: registers.subarray(0, ENTRIES),
      t1: registers.subarray(ENTRIES, 2 * ENTRIES),
      t2: registers.subarray(2 * ENTRIES, 3 * ENTRIES),
      t3: registers.subarray(3 * ENTRIES, 4 * ENTRIES),
      w: registers.subarray(4 * ENTRIES),
      b: new Uint8Array(registers.buffer, 16 * ENTRIES),
    });
  }

  /** @param h the hash subkey, 16 bytes */
  constructor(h: Uint8Array) {
    const { table } = this;
    const v = [0, 4, 8, 12].map((offset) => load32be(h, offset));
    for (let place = 0; place < ENTRIES; place += 16) {
      // The highest of the four bits is the lowest power.
      for (let bit = 8; bit > 0; bit >>= 1) {
        for (let word = 0; word < 4; word++) table[word * ENTRIES + place + bit] = v[word];
        timesXReflected(v);
      }
      for (let i = 3; i < 16; i++) {
        const low = i & -i;
        if (i === low) continue;
        for (let word = 0; word < 4; word++) {
          const at = word * ENTRIES + place;
          table[at + i] = table[at + low] ^ table[at + (i ^ low)];
        }
      }
    }
  }

  /** Adds `data` of any length, padded with zeros to whole blocks. */
  absorb(data: Uint8Array): this {
    const whole = data.length - (data.length % 16);
    registers.set(this.table);
    this.w.set(this.y);
    if (whole > 0) this.blocks(data, whole);
    if (whole < data.length) {
      const last = new Uint8Array(16);
      last.set(data.subarray(whole));
      this.blocks(last, 16);
    }
    this.y.set(this.w);
    registers.fill(0);
    return this;
  }

  /** @returns Y, 16 bytes */
  digest(): Uint8Array<ArrayBuffer> {
    const digest = new Uint8Array(16);
    this.y.forEach((word, i) => store32be(digest, 4 * i, word));
    return digest;
  }

  /** Resets to Y_0 = 0, for another message under the same key. */
  reset(): this {
    this.y.fill(0);
    return this;
  }

  wipe(): void {
    this.table.fill(0);
    this.y.fill(0);
  }

  /**
   * Updates Y in `w`. No code follows the loop: V8 compiles the running loop without type feedback for later
   * lines, and would return to the interpreter there.
   */
  private blocks(data: Uint8Array, length: number): void {
    const { t0, t1, t2, t3, w, b } = this;
    for (let p = 0; p < length; p += 16) {
      let z0 = 0;
      let z1 = 0;
      let z2 = 0;
      let z3 = 0;
      for (let word = 12; word >= 0; word -= 4) {
        // Z · x^32: all words move by one; the last one is reduced by x^128 = x^7 + x^2 + x + 1.
        const out = z3;
        z3 = z2;
        z2 = z1;
        z1 = z0 ^ (out << 31) ^ (out << 30) ^ (out << 25);
        z0 = out ^ (out >>> 1) ^ (out >>> 2) ^ (out >>> 7);
        // The words of Y are big-endian numbers in little-endian memory; the data's bytes are in order.
        const x0 = b[word + 3] ^ data[p + word];
        const x1 = b[word + 2] ^ data[p + word + 1];
        const x2 = b[word + 1] ^ data[p + word + 2];
        const x3 = b[word] ^ data[p + word + 3];
        let i = x0 >> 4;
        z0 ^= t0[i];
        z1 ^= t1[i];
        z2 ^= t2[i];
        z3 ^= t3[i];
        i = 16 + (x0 & 15);
        z0 ^= t0[i];
        z1 ^= t1[i];
        z2 ^= t2[i];
        z3 ^= t3[i];
        i = 32 + (x1 >> 4);
        z0 ^= t0[i];
        z1 ^= t1[i];
        z2 ^= t2[i];
        z3 ^= t3[i];
        i = 48 + (x1 & 15);
        z0 ^= t0[i];
        z1 ^= t1[i];
        z2 ^= t2[i];
        z3 ^= t3[i];
        i = 64 + (x2 >> 4);
        z0 ^= t0[i];
        z1 ^= t1[i];
        z2 ^= t2[i];
        z3 ^= t3[i];
        i = 80 + (x2 & 15);
        z0 ^= t0[i];
        z1 ^= t1[i];
        z2 ^= t2[i];
        z3 ^= t3[i];
        i = 96 + (x3 >> 4);
        z0 ^= t0[i];
        z1 ^= t1[i];
        z2 ^= t2[i];
        z3 ^= t3[i];
        i = 112 + (x3 & 15);
        z0 ^= t0[i];
        z1 ^= t1[i];
        z2 ^= t2[i];
        z3 ^= t3[i];
      }
      w[0] = z0;
      w[1] = z1;
      w[2] = z2;
      w[3] = z3;
    }
  }
}
