/**
 * The rounds of AES (FIPS 197, sections 5.1 and 5.3.5), over runs of blocks, with the chaining of
 * the modes that run block after block. One loop serves both directions: the inverse cipher takes
 * its columns in the opposite order, which is the same order once columns 1 and 3 are exchanged, in
 * the state as in the round keys; then only the tables differ.
 *
 * What makes it fast, measured in V8 and SpiderMonkey:
 *
 * - Everything that the loop touches lies on the prototype of its object. V8 takes what it finds
 *   there for constant and writes addresses and lengths into the machine code (1.4 times as fast
 *   as the same arrays in locals, fields or module scope). Therefore there is one set of registers
 *   for all keys, filled before each run and wiped after it, and one set of active tables, which
 *   are overwritten (5 KiB, about 0.1 µs) when the direction changes.
 * - Columns are stored as words and read back as bytes: the processor forwards the store, and three
 *   instructions (move, shift, mask) become one.
 * - Rounds alternate between two halves of the state, so that a column can be stored at once.
 * - CTR computes what 256 successive counters have in common only once (see `run`): 133 look-ups
 *   a block in place of 160.
 */
import type { OffsetRun } from '../contracts.ts';
import { computeTables } from './tables.ts';

/** What a run does with a block beside the cipher: nothing, or one step of a mode. */
export const PLAIN = 0;
export const CBC_ENCRYPT = 1;
export const CBC_DECRYPT = 2;
export const OFFSET = 3;
export const CTR = 4;

/** Bytes that go through the loop in one call: few enough for the compiler to be called often. */
const CHUNK_BYTES = 8192;

// The registers in words: state 2 · 4, round keys 4 · (Nr + 1) ≤ 60, masks 2 · 4, L_0 … L_31.
const KEYS = 8;
const MASKS = KEYS + 60;
const LS = MASKS + 8;
const END = LS + 4 * 32;

export class Rounds {
  readonly tables = computeTables();
  private readonly active = new Int32Array(1280);
  private readonly registers = new Int32Array(END);
  private readonly scratch = new Int32Array(CHUNK_BYTES / 4);
  private direction?: Int32Array;

  // On the prototype, for the reason above: the pages of the active tables; the state as words and
  // as bytes; round keys; the masks on the way in and out; L_i.
  declare private readonly t0: Int32Array;
  declare private readonly t1: Int32Array;
  declare private readonly t2: Int32Array;
  declare private readonly t3: Int32Array;
  declare private readonly s: Int32Array;
  declare private readonly w: Int32Array;
  declare private readonly b: Uint8Array;
  declare private readonly k: Int32Array;
  declare private readonly m: Int32Array;
  declare private readonly l: Int32Array;

  /** There is one object of this class: `rounds` makes it. */
  constructor() {
    const { active, registers } = this;
    Object.assign(Rounds.prototype, {
      t0: active.subarray(0, 256),
      t1: active.subarray(256, 512),
      t2: active.subarray(512, 768),
      t3: active.subarray(768, 1024),
      s: active.subarray(1024),
      w: registers.subarray(0, 8),
      b: new Uint8Array(registers.buffer, 0, 32),
      k: registers.subarray(KEYS, MASKS),
      m: registers.subarray(MASKS, LS),
      l: registers.subarray(LS),
    });
    // One block before the first long run: V8 may compile the loop while it runs for the first time,
    // and would then know nothing of the lines after it, and come back from compiled code to
    // interpret them at the end of each run (measured: CCM at a third of its speed).
    this.run(CTR, 1, 40, this.scratch, this.scratch, 4, 0);
    registers.fill(0);
    this.scratch.fill(0, 0, 4);
  }

  /**
   * Loads the registers, sends a run of blocks through the loop chunk by chunk, and wipes them.
   *
   * @param step one of the constants above
   * @param keys from key-schedule.ts, of the direction that `inverse` says
   * @param chain counter, chaining block or offset, which the run moves on
   * @param offsets L_i of OFFSET and the blocks before this run
   */
  process(
    step: number,
    keys: Int32Array,
    inverse: boolean,
    source: Uint8Array,
    target?: Uint8Array,
    chain?: Uint8Array,
    offsets?: OffsetRun,
  ): void {
    const { registers, scratch } = this;
    const table = inverse ? this.tables.decrypt : this.tables.encrypt;
    if (this.direction !== table) this.active.set((this.direction = table));
    const bytes = new Uint8Array(registers.buffer);
    // CBC decryption masks on the way out, all others on the way in.
    const at = 4 * MASKS + (step === CBC_DECRYPT ? 16 : 0);
    registers.set(keys, KEYS);
    if (chain) bytes.set(chain, at);
    if (offsets) bytes.set(offsets.masks, 4 * LS);
    const index = offsets ? offsets.index : 0;
    const scratchBytes = new Uint8Array(scratch.buffer);
    const { length } = source;
    // Words can be read in place only where they are aligned; making two views costs more than
    // copying a few blocks.
    const direct = target && length > 512 && ((source.byteOffset | target.byteOffset) & 3) === 0;
    for (let done = 0; done < length; done += CHUNK_BYTES) {
      const size = Math.min(CHUNK_BYTES, length - done);
      let from: Int32Array = scratch;
      let to: Int32Array = scratch;
      if (direct) {
        from = new Int32Array(source.buffer, source.byteOffset + done, size / 4);
        to = new Int32Array(target.buffer, target.byteOffset + done, size / 4);
      } else {
        scratchBytes.set(source.subarray(done, done + size));
      }
      this.run(step, inverse ? 3 : 1, keys.length - 4, from, to, size / 4, index + done / 16);
      if (!direct) target?.set(scratchBytes.subarray(0, size), done);
    }
    chain?.set(bytes.subarray(at, at + 16));
    registers.fill(0);
    if (!direct) scratch.fill(0, 0, length / 4);
  }

  /**
   * @param step one of the constants above
   * @param swapped 3 if columns 1 and 3 are exchanged (inverse cipher), else 1
   * @param last index of the last round key's first word in `k`: 4 · Nr
   * @param source words of whole blocks
   * @param target may be `source`
   * @param words how many words of both
   * @param index blocks before this run (OFFSET)
   */
  private run(
    step: number,
    swapped: number,
    last: number,
    source: Int32Array,
    target: Int32Array,
    words: number,
    index: number,
  ): void {
    const { t0, t1, t2, t3, s, w, b, k, m, l } = this;
    const other = 4 - swapped;
    // Masks on the way in and on the way out.
    let m0 = m[0];
    let m1 = m[swapped];
    let m2 = m[2];
    let m3 = m[other];
    let n0 = m[4];
    let n1 = m[4 + swapped];
    let n2 = m[6];
    let n3 = m[4 + other];
    // The counter's last word as a number, and the constant parts of a window of 256 counters.
    let counter = swap(m3);
    let e = 0;
    let f0 = 0;
    let f1 = 0;
    let f2 = 0;
    let f3 = 0;
    for (let p = 0; p < words; p += 4) {
      let i0 = source[p];
      let i1 = source[p + swapped];
      let i2 = source[p + 2];
      let i3 = source[p + other];
      let q = 4;
      if (step === OFFSET) {
        // Offset_i = Offset_{i-1} ⊕ L_{ntz(i)}
        const ntz = (31 - Math.clz32(++index & -index)) << 2;
        n0 = m0 ^= l[ntz];
        n1 = m1 ^= l[ntz + swapped];
        n2 = m2 ^= l[ntz + 2];
        n3 = m3 ^= l[ntz + other];
      }
      if (step === CTR) {
        n0 = i0;
        n1 = i1;
        n2 = i2;
        n3 = i3;
        i0 = i1 = i2 = i3 = 0;
        m3 = swap(counter);
        if (p > 0 && counter & 0xff) q = 12;
      }
      if (q === 4) {
        w[0] = i0 ^ m0 ^ k[0];
        w[1] = i1 ^ m1 ^ k[1];
        w[2] = i2 ^ m2 ^ k[2];
        w[3] = i3 ^ m3 ^ k[3];
      } else {
        // Byte 15 alone differs from the last block: after round 1 it has spread to column 0, and
        // after round 2 to one byte of each column. The rest of both rounds is e and f.
        const c = e ^ t3[(counter & 0xff) ^ (k[3] >>> 24)];
        w[0] = f0 ^ t0[c & 0xff];
        w[1] = f1 ^ t3[c >>> 24];
        w[2] = f2 ^ t2[(c >>> 16) & 0xff];
        w[3] = f3 ^ t1[(c >>> 8) & 0xff];
      }
      for (;;) {
        w[4] = t0[b[0]] ^ t1[b[5]] ^ t2[b[10]] ^ t3[b[15]] ^ k[q];
        w[5] = t0[b[4]] ^ t1[b[9]] ^ t2[b[14]] ^ t3[b[3]] ^ k[q + 1];
        w[6] = t0[b[8]] ^ t1[b[13]] ^ t2[b[2]] ^ t3[b[7]] ^ k[q + 2];
        w[7] = t0[b[12]] ^ t1[b[1]] ^ t2[b[6]] ^ t3[b[11]] ^ k[q + 3];
        q += 4;
        // Nr - 1 is odd for each key size, so that the last whole round always ends here.
        if (q === last) break;
        w[0] = t0[b[16]] ^ t1[b[21]] ^ t2[b[26]] ^ t3[b[31]] ^ k[q];
        w[1] = t0[b[20]] ^ t1[b[25]] ^ t2[b[30]] ^ t3[b[19]] ^ k[q + 1];
        w[2] = t0[b[24]] ^ t1[b[29]] ^ t2[b[18]] ^ t3[b[23]] ^ k[q + 2];
        w[3] = t0[b[28]] ^ t1[b[17]] ^ t2[b[22]] ^ t3[b[27]] ^ k[q + 3];
        q += 4;
        if (q === 12 && step === CTR) {
          // Rounds 1 and 2 without what depends on the counter's last byte.
          e = w[4] ^ t3[(counter & 0xff) ^ (k[3] >>> 24)];
          f0 = w[0] ^ t0[b[16]];
          f1 = w[1] ^ t3[b[19]];
          f2 = w[2] ^ t2[b[18]];
          f3 = w[3] ^ t1[b[17]];
        }
      }
      n0 ^= s[b[16]] ^ (s[b[21]] << 8) ^ (s[b[26]] << 16) ^ (s[b[31]] << 24) ^ k[q];
      n1 ^= s[b[20]] ^ (s[b[25]] << 8) ^ (s[b[30]] << 16) ^ (s[b[19]] << 24) ^ k[q + 1];
      n2 ^= s[b[24]] ^ (s[b[29]] << 8) ^ (s[b[18]] << 16) ^ (s[b[23]] << 24) ^ k[q + 2];
      n3 ^= s[b[28]] ^ (s[b[17]] << 8) ^ (s[b[22]] << 16) ^ (s[b[27]] << 24) ^ k[q + 3];
      target[p] = n0;
      target[p + swapped] = n1;
      target[p + 2] = n2;
      target[p + other] = n3;
      if (step === CBC_ENCRYPT) {
        m0 = n0;
        m1 = n1;
        m2 = n2;
        m3 = n3;
      }
      n0 = n1 = n2 = n3 = 0;
      if (step === CBC_DECRYPT) {
        n0 = i0;
        n1 = i1;
        n2 = i2;
        n3 = i3;
      }
      counter = (counter + 1) | 0;
    }
    if (step === CTR) m3 = swap(counter);
    m[0] = m0;
    m[swapped] = m1;
    m[2] = m2;
    m[other] = m3;
    m[4] = n0;
    m[4 + swapped] = n1;
    m[6] = n2;
    m[4 + other] = n3;
  }
}

const swap = (word: number): number =>
  (word << 24) | ((word << 8) & 0xff0000) | ((word >> 8) & 0xff00) | (word >>> 24);

const shared: { rounds?: Rounds } = {};

/** The one set of tables and registers, made at the first call: it costs nothing until then. */
export const rounds = (): Rounds => (shared.rounds ??= new Rounds());
