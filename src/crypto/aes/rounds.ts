/**
 * The rounds of AES (FIPS 197, sections 5.1 and 5.3.5) over blocks in registers, and what modes do
 * with a block right before and after them. One set of rounds serves both directions: the inverse
 * cipher takes its columns in the opposite order, which is the same order once columns 1 and 3 are
 * exchanged, in the state as in the round keys; then only the tables differ.
 *
 * What makes it fast, as measured on x86-64 in V8 and SpiderMonkey:
 *
 * - Two blocks are under way at once, so that the processor works at one while it waits for the
 *   other's look-ups: 1.3 times as fast. CBC, where each block needs the last, has but one.
 * - All that happens to a block happens in one function. V8 would make one of several by itself;
 *   SpiderMonkey calls them, which costs it a fifth.
 * - Tables and states are two views of one memory (registers.ts), and the places of the tables are
 *   numbers: bundlers turn a constant's name into a variable, of whose value a compiler knows
 *   nothing; it then checks every look-up's bounds, at half the speed.
 * - Columns are stored as words and read back as bytes: the processor forwards the store, and three
 *   instructions (move, shift, mask) become one. 1.2 times as fast as shifts.
 * - CTR computes what 256 successive counters have in common only once: 133 look-ups a block in
 *   place of 160.
 */
import { CHUNK, COMMON, INDEX, KEYS, MASK, OFFSETS, registers } from './registers.ts';

/** What is done with each block: the cipher alone or its inverse, or one step of a mode. */
export const ENCRYPT = 0;
/** The inverse cipher on each block. */
export const DECRYPT = 1;
/** Bit: CBC chaining around the cipher or its inverse. */
export const CBC = 2;
/** Bit: counter mode; the registers hold the counter block. */
export const CTR = 4;

/** The byte of the masked counter block that differs from block to block; K0_END is that of the key. */
export const COUNTER_END = 4 * MASK + 15;
const K0_END = 4 * KEYS + 15;

// Where the keys of rounds 1 and 3 begin.
const ROUND1 = KEYS + 4;
const ROUND3 = KEYS + 12;

/**
 * Sends the chunk's blocks through the cipher.
 *
 * The tables' pages begin at TABLES = 96: T_0 there, then T_1, T_2 and T_3 at 352, 608 and 864, and
 * S_0 to S_3 at 1120, 1376, 1632 and 1888.
 *
 * @param step one of the constants above
 * @param end where the blocks end, in words
 * @param last where the last round's key begins: KEYS + 4 · Nr
 * @param one 3 for the inverse cipher, else 1
 */
export function crypt(step: number, end: number, last: number, one: number): void {
  const { w, b } = registers;
  if (step & CTR) foresee();
  for (let p = CHUNK; p < end;) {
    const two = !(step & CBC) && p + 4 < end;
    for (let o = 0; o <= (two ? 8 : 0); o += 8) {
      if (step & CTR) {
        // A counter, of which only the last byte is new, becomes a state after two rounds.
        w[4] = w[COMMON + 4] ^ w[864 + (b[COUNTER_END]++ ^ b[K0_END])];
        w[o] = w[COMMON] ^ w[96 + b[16]];
        w[o + 1] = w[COMMON + 1] ^ w[864 + b[19]];
        w[o + 2] = w[COMMON + 2] ^ w[608 + b[18]];
        w[o + 3] = w[COMMON + 3] ^ w[352 + b[17]];
      } else {
        // A block becomes a state, masked; the mask takes its place. Of OCB the mask is
        // Offset_i = Offset_{i-1} ⊕ L_{ntz(i)}, of CBC the last result; otherwise zero, as L is.
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
      // New columns wait behind the state until no look-up needs the old ones. In variables alone
      // they would be slower by a tenth: V8 adds up late, and keeps all that was looked up till then.
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
    // The last round, which has no MixColumns: adds the states to their blocks.
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
  // inc32 (SP 800-38D, section 6.2): the last byte came out as 0, or there is nothing to carry.
  if (step & CTR) for (let i = COUNTER_END; !b[i] && i > COUNTER_END - 3;) b[--i]++;
}

/**
 * Computes what rounds 1 and 2 of the 256 counters around this one have in common.
 *
 * The last byte acts on column 0 in round 1, and so on a byte of each column in round 2. What is to
 * be left out is set to 0x52 before: that byte's substitute is 0, and so is all that T_r has for it.
 */
function foresee(): void {
  const { w, b } = registers;
  for (let j = 0; j < 4; j++) w[j] = w[MASK + j] ^ w[KEYS + j];
  b[15] = 0x52;
  // Columns 0 to 3 of round 1 go behind the state, where round 2 finds them; its own to COMMON.
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
