/**
 * The rounds of AES (FIPS 197, sections 5.1 and 5.3.5), over runs of blocks, with the chaining of
 * the modes that run block after block. One loop serves both directions: the inverse cipher takes
 * its columns in the opposite order, which is the same order once columns 1 and 3 are exchanged, in
 * the state as in the round keys; then only the tables differ.
 *
 * What makes it fast, measured in V8:
 *
 * - Everything that the loop touches is one piece of memory, whose parts lie on the prototype of
 *   `Loop`. V8 takes what it finds there for constant and writes addresses and lengths into the
 *   machine code: 1.4 times as fast as the same arrays in locals, fields or module scope. So there
 *   is one set of registers for all keys, filled before a run and wiped after it, and one set of
 *   active tables, overwritten (5 KiB, about 0.1 µs) when the direction changes.
 * - Blocks pass through that memory in chunks that stay in the first cache. The copies cost 2 %,
 *   and callers' views may start anywhere.
 * - Columns are stored as words and read back as bytes: the processor forwards the store, and three
 *   instructions (move, shift, mask) become one.
 * - Rounds alternate between two halves of the state, so that a column can be stored at once.
 * - CTR computes what 256 successive counters have in common only once: 133 look-ups a block in
 *   place of 160.
 */
import type { OffsetRun } from '../contracts.ts';
import type { Tables } from './tables.ts';
import { computeTables } from './tables.ts';

/** What a run does with each block: the cipher alone, or one step of a mode. Odd: its inverse. */
export const ENCRYPT = 0;
export const DECRYPT = 1;
export const CBC = 2;
export const OFFSET_ENCRYPT = 4;
export const OFFSET_DECRYPT = 5;
export const CTR = 6;

/**
 * The memory, part by part, in words: two states; the masks on the way in and on the way out; round
 * keys, 4 · (Nr + 1) ≤ 60; L_0 … L_31; a chunk of blocks; the active tables (see tables.ts).
 */
const PARTS = {
  w: 8,
  m: 4,
  n: 4,
  k: 60,
  l: 128,
  d: 1024,
  t0: 256,
  t1: 256,
  t2: 256,
  t3: 256,
  s: 256,
};
// Where some of them begin, in bytes.
const MASKS = 4 * 8;
const COUNTER_END = MASKS + 15;
const K0_END = MASKS + 4 * 8 + 15;
const LS = MASKS + 4 * (8 + 60);
const BLOCKS = LS + 4 * 128;
const CHUNK_BYTES = 4 * 1024;
const TABLES = BLOCKS + CHUNK_BYTES;

const memory = new Int32Array(TABLES / 4 + 1280);

/** The tables once they are computed, and which of them are the active ones. */
const lazy: { tables?: Tables; active?: number } = {};

/** The tables, computed at the first call: a constant that costs nothing until AES is used. */
export const tables = (): Tables => (lazy.tables ??= computeTables());

class Loop {
  declare private readonly t0: Int32Array;
  declare private readonly t1: Int32Array;
  declare private readonly t2: Int32Array;
  declare private readonly t3: Int32Array;
  declare private readonly s: Int32Array;
  declare private readonly w: Int32Array;
  /** All of the memory; its first bytes are the state. */
  declare b: Uint8Array;
  declare private readonly m: Int32Array;
  declare private readonly n: Int32Array;
  declare private readonly k: Int32Array;
  declare private readonly l: Int32Array;
  /** The chunk of blocks. */
  declare private readonly d: Int32Array;

  /**
   * @param step one of the constants above
   * @param one 3 if columns 1 and 3 are exchanged (inverse cipher), else 1
   * @param last index of the last round key's first word in `k`: 4 · Nr
   * @param words how many words of the chunk hold blocks
   * @param index blocks before this chunk (OFFSET)
   */
  run(step: number, one: number, last: number, words: number, index: number): void {
    const { t0, t1, t2, t3, s, w, b, m, n, k, l, d } = this;
    const three = 4 - one;
    // What rounds 1 and 2 of a window of 256 counters have in common.
    let e = 0;
    let f0 = 0;
    let f1 = 0;
    let f2 = 0;
    let f3 = 0;
    for (let p = 0; p < words; p += 4) {
      let q = 4;
      if ((step | 1) === OFFSET_DECRYPT) {
        // Offset_i = Offset_{i-1} ⊕ L_{ntz(i)}
        const ntz = (31 - Math.clz32(++index & -index)) << 2;
        n[0] = m[0] ^= l[ntz];
        n[1] = m[1] ^= l[ntz + 1];
        n[2] = m[2] ^= l[ntz + 2];
        n[3] = m[3] ^= l[ntz + 3];
      }
      if (step === CTR) {
        n[0] = d[p];
        n[1] = d[p + 1];
        n[2] = d[p + 2];
        n[3] = d[p + 3];
        if (p > 0 && b[COUNTER_END] > 0) {
          // Byte 15 alone differs from the last block: after round 1 it has spread to column 0, and
          // after round 2 to one byte of each column. The rest of both rounds is e and f.
          const c = e ^ t3[b[COUNTER_END] ^ b[K0_END]];
          w[0] = f0 ^ t0[c & 0xff];
          w[1] = f1 ^ t3[c >>> 24];
          w[2] = f2 ^ t2[(c >>> 16) & 0xff];
          w[3] = f3 ^ t1[(c >>> 8) & 0xff];
          q = 12;
        } else {
          d.fill(0, p, p + 4);
        }
      }
      if (q === 4) {
        w[0] = d[p] ^ m[0] ^ k[0];
        w[1] = d[p + one] ^ m[one] ^ k[1];
        w[2] = d[p + 2] ^ m[2] ^ k[2];
        w[3] = d[p + three] ^ m[three] ^ k[3];
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
          e = w[4] ^ t3[b[COUNTER_END] ^ b[K0_END]];
          f0 = w[0] ^ t0[b[16]];
          f1 = w[1] ^ t3[b[19]];
          f2 = w[2] ^ t2[b[18]];
          f3 = w[3] ^ t1[b[17]];
        }
      }
      if (step === CTR) {
        // inc32 (SP 800-38D, section 6.2): carry on while a byte comes out as 0.
        let j = COUNTER_END + 1;
        while ((++b[--j] & 0xff) === 0 && j > COUNTER_END - 3);
      }
      d[p] = n[0] ^ s[b[16]] ^ (s[b[21]] << 8) ^ (s[b[26]] << 16) ^ (s[b[31]] << 24) ^ k[q];
      d[p + one] =
        n[one] ^ s[b[20]] ^ (s[b[25]] << 8) ^ (s[b[30]] << 16) ^ (s[b[19]] << 24) ^ k[q + 1];
      d[p + 2] = n[2] ^ s[b[24]] ^ (s[b[29]] << 8) ^ (s[b[18]] << 16) ^ (s[b[23]] << 24) ^ k[q + 2];
      d[p + three] =
        n[three] ^ s[b[28]] ^ (s[b[17]] << 8) ^ (s[b[22]] << 16) ^ (s[b[27]] << 24) ^ k[q + 3];
      if (step === CBC) for (let j = 0; j < 4; j++) m[j] = d[p + j];
    }
  }
}

let end = 0;
for (const [name, words] of Object.entries(PARTS)) {
  const part = memory.subarray(end, (end += words));
  (Loop.prototype as unknown as Record<string, Int32Array>)[name] = part;
}
const bytes = (Loop.prototype.b = new Uint8Array(memory.buffer));
const loop = new Loop();

bytes[0] = 1;
if (memory[0] !== 1) throw new Error('big-endian host');

// One block before the first long run: V8 may compile the loop while it runs for the first time, and
// would then know nothing of the lines after it, and fall back from compiled code at the end of each
// run (measured: CCM at a third of its speed).
loop.run(CTR, 1, 40, 4, 0);
bytes.fill(0);

/**
 * Loads the registers, sends a run of blocks through the loop chunk by chunk, and wipes them.
 *
 * @param step one of the constants above
 * @param keys from key-schedule.ts, for the cipher and its inverse
 * @param chain counter, chaining block or offset, which the run moves on
 * @param offsets L_i of OFFSET, and the blocks before this run, which the run moves on
 */
export function process(
  step: number,
  { keys }: { readonly keys: readonly Int32Array[] },
  source: Uint8Array,
  target?: Uint8Array,
  chain?: Uint8Array,
  offsets?: OffsetRun,
): void {
  const inverse = step & 1;
  const w = keys[inverse];
  if (lazy.active !== inverse) memory.set(tables()[(lazy.active = inverse)], TABLES / 4);
  memory.set(w, (MASKS + 32) / 4);
  if (chain) bytes.set(chain, MASKS);
  if (offsets) bytes.set(offsets.masks, LS);
  for (let done = 0; done < source.length; done += CHUNK_BYTES) {
    const chunk = source.subarray(done, done + CHUNK_BYTES);
    bytes.set(chunk, BLOCKS);
    const index = offsets ? offsets.index : 0;
    loop.run(step, inverse ? 3 : 1, w.length - 4, chunk.length / 4, index);
    target?.set(bytes.subarray(BLOCKS, BLOCKS + chunk.length), done);
    if (offsets) offsets.index += chunk.length / 16;
  }
  chain?.set(bytes.subarray(MASKS, MASKS + 16));
  bytes.fill(0, 0, BLOCKS + Math.min(source.length, CHUNK_BYTES));
}
