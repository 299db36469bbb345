/**
 * The rounds of AES (FIPS 197, sections 5.1 and 5.3.5) over blocks in registers, and the steps of modes
 * directly before and after them. One implementation of the rounds serves both directions. The inverse cipher
 * takes its columns in the opposite order; with columns 1 and 3 exchanged, in the state and in the round
 * keys, the order is the same and only the tables differ.
 *
 * Optimisations, as measured on x86-64 in V8 and SpiderMonkey:
 *
 * - Two blocks are processed at once, so that the processor works at one while it waits for the look-ups of
 * the other: 1.3 times as fast. CBC encryption, where each block needs the previous one, processes one.
 * - All steps of a block are in one function. V8 would inline several functions; SpiderMonkey calls them,
 * which is a fifth slower.
 * - Tables and states are two views of one memory (registers.ts), and the offsets of the tables are numeric
 * literals. Bundlers turn a named constant into a variable; the compiler then checks the bounds of every
 * look-up, at half the speed.
 * - Columns are stored as words and read back as bytes: the processor forwards the store, and one instruction
 * replaces three (move, shift, mask). 1.2 times as fast as shifts.
 * - CTR computes the part that 256 successive counters share only once: 133 look-ups per block instead of
 * 160.
 */
import { load32le, store32le } from '../words.ts';
import { CHUNK, COMMON, INDEX, KEYS, MASK, OFFSETS, registers } from './registers.ts';

/** The step that is applied to each block: the cipher, its inverse, or a step of a mode. */
export const ENCRYPT = 0;
/** The inverse cipher on each block. */
export const DECRYPT = 1;
/** Bit: CBC chaining around the cipher or its inverse. */
export const CBC = 2;
/** Bit: counter mode; the registers hold the counter block. */
export const CTR = 4;

/**
 * Position of the only byte of the masked counter block that differs between blocks. K0_END is that of the
 * key.
 */
export const COUNTER_END = 4 * MASK + 15;
const K0_END = 4 * KEYS + 15;

// Where the keys of rounds 1 and 3 begin.
const ROUND1 = KEYS + 4;
const ROUND3 = KEYS + 12;

/**
 * Encrypts or decrypts the chunk's blocks.
 *
 * The tables' pages begin at TABLES = 96: T_0 there, then T_1, T_2 and T_3 at 352, 608 and 864, and S_0 to
 * S_3 at 1120, 1376, 1632 and 1888.
 *
 * @param step one of the constants above
 * @param end end of the blocks, in words
 * @param last start of the last round's key: KEYS + 4 · Nr
 * @param one 3 for the inverse cipher, else 1
 */
export function crypt(step: number, end: number, last: number, one: number): void {
  const { w, b } = registers;
  if (step & CTR) foresee();
  for (let p = CHUNK; p < end;) {
    const two = !(step & CBC) && p + 4 < end;
    for (let o = 0; o <= (two ? 8 : 0); o += 8) {
      if (step & CTR) {
        // A counter, in which only the last byte is new, becomes a state after two rounds.
        w[4] = w[COMMON + 4] ^ w[864 + (b[COUNTER_END]++ ^ b[K0_END])];
        w[o] = w[COMMON] ^ w[96 + b[16]];
        w[o + 1] = w[COMMON + 1] ^ w[864 + b[19]];
        w[o + 2] = w[COMMON + 2] ^ w[608 + b[18]];
        w[o + 3] = w[COMMON + 3] ^ w[352 + b[17]];
      } else {
        // A block is masked and becomes a state; it then replaces the mask. The mask of OCB is Offset_i =
        // Offset_{i-1} ⊕ L_{ntz(i)}, that of CBC the last result. In other steps mask and L are zero.
        const i = ++w[INDEX];
        // ntz(i) = 31 - clz(i & -i)
        const l = OFFSETS + 4 * 31 - 4 * Math.clz32(i & -i);
        for (let j = 0; j < 4; j++) {
          const from = (j * one) & 3;
          const at = p + o / 2 + from;
          w[o + j] = w[KEYS + j] ^ w[at] ^ (w[at] = w[MASK + from] ^= w[l + from]);
        }
      }
    }
    for (let q = step & CTR ? ROUND3 : ROUND1; q < last; q += 4) {
      // New columns are stored behind the state until no look-up needs the old ones. Variables instead would
      // be a tenth slower: V8 XORs late and keeps all looked-up values until then.
      let x = (w[4] = w[96 + b[0]] ^ w[352 + b[5]] ^ w[608 + b[10]] ^ w[864 + b[15]] ^ w[q]);
      let y = (w[5] = w[96 + b[4]] ^ w[352 + b[9]] ^ w[608 + b[14]] ^ w[864 + b[3]] ^ w[q + 1]);
      let z = (w[6] = w[96 + b[8]] ^ w[352 + b[13]] ^ w[608 + b[2]] ^ w[864 + b[7]] ^ w[q + 2]);
      w[3] = w[96 + b[12]] ^ w[352 + b[1]] ^ w[608 + b[6]] ^ w[864 + b[11]] ^ w[q + 3];
      w[0] = x;
      w[1] = y;
      w[2] = z;
      if (two) {
        x = w[12] = w[96 + b[32]] ^ w[352 + b[37]] ^ w[608 + b[42]] ^ w[864 + b[47]] ^ w[q];
        y = w[13] = w[96 + b[36]] ^ w[352 + b[41]] ^ w[608 + b[46]] ^ w[864 + b[35]] ^ w[q + 1];
        z = w[14] = w[96 + b[40]] ^ w[352 + b[45]] ^ w[608 + b[34]] ^ w[864 + b[39]] ^ w[q + 2];
        w[11] = w[96 + b[44]] ^ w[352 + b[33]] ^ w[608 + b[38]] ^ w[864 + b[43]] ^ w[q + 3];
        w[8] = x;
        w[9] = y;
        w[10] = z;
      }
    }
    // The last round, without MixColumns: XORs the states to their blocks.
    for (let o = 0; o <= (two ? 32 : 0); o += 32) {
      for (let i = 0; i < 4; i++) {
        w[p + ((i * one) & 3)] ^=
          w[1120 + b[o + 4 * i]] ^
          w[1376 + b[o + ((4 * i + 5) & 15)]] ^
          w[1632 + b[o + ((4 * i + 10) & 15)]] ^
          w[1888 + b[o + ((4 * i + 15) & 15)]] ^
          w[last + i];
      }
      p += 4;
    }
    if (step & CBC) for (let j = 0; j < 4; j++) w[MASK + j] = w[p - 4 + j] ^= w[MASK + j];
  }
  // inc32 (SP 800-38D, section 6.2): the last byte became 0, or there is no carry.
  if (step & CTR) for (let i = COUNTER_END; !b[i] && i > COUNTER_END - 3;) b[--i]++;
}

/** A block of four words, from a byte on. */
function store(to: Uint8Array, at: number, w0: number, w1: number, w2: number, w3: number): void {
  store32le(to, at, w0);
  store32le(to, at + 4, w1);
  store32le(to, at + 8, w2);
  store32le(to, at + 12, w3);
}

/**
 * Encrypts one block, as tags and short messages do. Its state is in variables: what `run` fills and wipes for a chunk
 * costs more than the rounds of a few blocks, and more than what variables cost there. The tables are those of `crypt`; its
 * steps are written out, as SpiderMonkey calls a function for each column.
 *
 * @param step ENCRYPT, CBC or CTR
 * @param keys round keys
 * @param at first byte of the block in `source` and `target`
 * @param target may be `source`; absent where only the chaining block counts, as for a MAC
 * @param mask the counter or the chaining block, which the step changes
 */
export function cryptOne(
  step: number,
  keys: Int32Array,
  at: number,
  source: Uint8Array,
  target?: Uint8Array,
  mask?: Uint8Array,
): void {
  const { w } = registers;
  const input = step & CTR ? mask! : source;
  const from = step & CTR ? 0 : at;
  let s0 = load32le(input, from) ^ keys[0];
  let s1 = load32le(input, from + 4) ^ keys[1];
  let s2 = load32le(input, from + 8) ^ keys[2];
  let s3 = load32le(input, from + 12) ^ keys[3];
  if (step & CBC) {
    s0 ^= load32le(mask!, 0);
    s1 ^= load32le(mask!, 4);
    s2 ^= load32le(mask!, 8);
    s3 ^= load32le(mask!, 12);
  }
  const last = keys.length - 4;
  for (let q = 4; q < last; q += 4) {
    // SubBytes, ShiftRows, MixColumns and AddRoundKey, column by column.
    const x =
      w[96 + (s0 & 0xff)] ^
      w[352 + ((s1 >>> 8) & 0xff)] ^
      w[608 + ((s2 >>> 16) & 0xff)] ^
      w[864 + (s3 >>> 24)] ^
      keys[q];
    const y =
      w[96 + (s1 & 0xff)] ^
      w[352 + ((s2 >>> 8) & 0xff)] ^
      w[608 + ((s3 >>> 16) & 0xff)] ^
      w[864 + (s0 >>> 24)] ^
      keys[q + 1];
    const z =
      w[96 + (s2 & 0xff)] ^
      w[352 + ((s3 >>> 8) & 0xff)] ^
      w[608 + ((s0 >>> 16) & 0xff)] ^
      w[864 + (s1 >>> 24)] ^
      keys[q + 2];
    s3 =
      w[96 + (s3 & 0xff)] ^
      w[352 + ((s0 >>> 8) & 0xff)] ^
      w[608 + ((s1 >>> 16) & 0xff)] ^
      w[864 + (s2 >>> 24)] ^
      keys[q + 3];
    s0 = x;
    s1 = y;
    s2 = z;
  }
  // The last round, without MixColumns.
  let x =
    w[1120 + (s0 & 0xff)] ^
    w[1376 + ((s1 >>> 8) & 0xff)] ^
    w[1632 + ((s2 >>> 16) & 0xff)] ^
    w[1888 + (s3 >>> 24)] ^
    keys[last];
  let y =
    w[1120 + (s1 & 0xff)] ^
    w[1376 + ((s2 >>> 8) & 0xff)] ^
    w[1632 + ((s3 >>> 16) & 0xff)] ^
    w[1888 + (s0 >>> 24)] ^
    keys[last + 1];
  let z =
    w[1120 + (s2 & 0xff)] ^
    w[1376 + ((s3 >>> 8) & 0xff)] ^
    w[1632 + ((s0 >>> 16) & 0xff)] ^
    w[1888 + (s1 >>> 24)] ^
    keys[last + 2];
  s3 =
    w[1120 + (s3 & 0xff)] ^
    w[1376 + ((s0 >>> 8) & 0xff)] ^
    w[1632 + ((s1 >>> 16) & 0xff)] ^
    w[1888 + (s2 >>> 24)] ^
    keys[last + 3];
  if (step & CTR) {
    x ^= load32le(source, at);
    y ^= load32le(source, at + 4);
    z ^= load32le(source, at + 8);
    s3 ^= load32le(source, at + 12);
  }
  if (step & CBC) store(mask!, 0, x, y, z, s3);
  if (target) store(target, at, x, y, z, s3);
  // inc32 (SP 800-38D, section 6.2)
  if (step & CTR) {
    mask![15]++;
    for (let i = 15; !mask![i] && i > 12;) mask![--i]++;
  }
}

/**
 * Computes the part of rounds 1 and 2 that the 256 counters around this one share.
 *
 * The last byte affects column 0 in round 1, and so one byte of each column in round 2. The varying byte is
 * set to 0x52 first: its substitute is 0, and so is its contribution in T_r.
 */
function foresee(): void {
  const { w, b } = registers;
  for (let j = 0; j < 4; j++) w[j] = w[MASK + j] ^ w[KEYS + j];
  b[15] = 0x52;
  // Columns 0 to 3 of round 1 go behind the state, where round 2 reads them; its own go to COMMON.
  for (let i = 0; i < 8; i++) {
    if (i === 4) {
      w[COMMON + 4] = w[4];
      w[4] = 0x52525252;
    }
    const o = 4 * (i & 4);
    w[i < 4 ? 4 + i : COMMON - 4 + i] =
      w[96 + b[4 * i]] ^
      w[352 + b[o + ((4 * i + 5) & 15)]] ^
      w[608 + b[o + ((4 * i + 10) & 15)]] ^
      w[864 + b[o + ((4 * i + 15) & 15)]] ^
      w[ROUND1 + i];
  }
}
