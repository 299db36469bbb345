/**
 * SC2000 (Shimoyama and others, Fujitsu, "The Block Cipher SC2000", FSE 2001; NESSIE submission): blocks of
 * 128 bits, big-endian words, 7 steps of I, B, I, R for keys of 128 bits and 8 for longer ones, the last
 * without R.
 *
 * NOT safe against side channels: the addresses of its look-ups depend on key and data.
 */
import { load32be, rotateLeft32, swap32 } from '../words.ts';
import { KeyedWordCipher } from './word-cipher.ts';

const S5 = Uint8Array.of(
  ...[0x14, 0x1a, 0x07, 0x1f, 0x13, 0x0c, 0x0a, 0x0f, 0x16, 0x1e, 0x0d, 0x0e, 0x04, 0x18, 0x09],
  ...[0x12, 0x1b, 0x0b, 0x01, 0x15, 0x06, 0x10, 0x02, 0x1c, 0x17, 0x05, 0x08, 0x03, 0x00, 0x11],
  ...[0x1d, 0x19],
);
const S6 = Uint8Array.of(
  ...[0x2f, 0x3b, 0x19, 0x2a, 0x0f, 0x17, 0x1c, 0x27, 0x1a, 0x26, 0x24, 0x13, 0x3c, 0x18, 0x1d],
  ...[0x38, 0x25, 0x3f, 0x14, 0x3d, 0x37, 0x02, 0x1e, 0x2c, 0x09, 0x0a, 0x06, 0x16, 0x35, 0x30],
  ...[0x33, 0x0b, 0x3e, 0x34, 0x23, 0x12, 0x0e, 0x2e, 0x00, 0x36, 0x11, 0x28, 0x1b, 0x04, 0x1f],
  ...[0x08, 0x05, 0x0c, 0x03, 0x10, 0x29, 0x22, 0x21, 0x07, 0x2d, 0x31, 0x32, 0x3a, 0x01, 0x15],
  ...[0x2b, 0x39, 0x20, 0x0d],
);

/** The M function: row i is added for bit i of its argument, counted from the highest. */
const M = Int32Array.of(
  ...[0xd0c19225, 0xa5a2240a, 0x1b84d250, 0xb728a4a1, 0x6a704902, 0x85dddbe6, 0x766ff4a4],
  ...[0xecdfe128, 0xafd13e94, 0xdf837d09, 0xbb27fa52, 0x695059ac, 0x52a1bb58, 0xcc322f1d],
  ...[0x1844565b, 0xb4a8acf6, 0x34235438, 0x6847a851, 0xe48c0cbb, 0xcd181136, 0x9a112a0c],
  ...[0x43ec6d0e, 0x87d8d27d, 0x487dc995, 0x90fb9b4b, 0xa1f63697, 0xfc513ed9, 0x78a37d93],
  ...[0x8d16c5df, 0x9e0c8bbe, 0x3c381f7c, 0xe9fb0779],
);

/**
 * M after the S-boxes, for the highest 11 bits (S6, S5) of a word, the next 10 (S5, S5) and the lowest 11 (S5,
 * S6), one table after the other.
 */
const MIDDLE = 2048;
const LOW = MIDDLE + 1024;
export const SC2000_TABLES: Int32Array = Int32Array.from({ length: LOW + 2048 }, (_, at) => {
  if (at < MIDDLE) return linear(((S6[at >> 5] << 5) | S5[at & 31]) << 21);
  if (at < LOW) return linear(((S5[(at >> 5) & 31] << 5) | S5[at & 31]) << 11);
  return linear((S5[((at - LOW) >> 6) & 31] << 6) | S6[at & 63]);
});

/** The key schedule: the order of the four branches, by t, and the pairs of indices, by s. */
const ORDERS = 'abcd badc cdab dcba acdb bdca cabd dbac adbc bcad cbda dacb'
  .split(' ')
  .map((order) => Array.from(order, (branch) => 'abcd'.indexOf(branch)));
const INDICES = '00 11 22 01 12 20 02 10 21'.split(' ').map((pair) => Array.from(pair, Number));

/** SC2000 with keys of 16, 24 or 32 bytes. */
export class Sc2000 extends KeyedWordCipher {
  /** @param key 16, 24 or 32 bytes; copied */
  constructor(key: Uint8Array) {
    super(key, expandSc2000Key);
  }

  protected encryptWords(w: Int32Array, from: number, to: number): void {
    const { keys: k } = this;
    const end = k.length;
    for (let p = from; p < to; p += 4) {
      let a = swap32(w[p]);
      let b = swap32(w[p + 1]);
      let c = swap32(w[p + 2]);
      let d = swap32(w[p + 3]);
      let mask = 0x55555555;
      for (let i = 0; ; i += 8) {
        // I
        a ^= k[i];
        b ^= k[i + 1];
        c ^= k[i + 2];
        d ^= k[i + 3];
        // B: S4 = 25ac7f1bd609483e on the nibbles that the bits of a, b, c and d form, a the highest
        const bd = b & d;
        const bc = b & c;
        const bOrD = b | d;
        const a1 = c ^ bd ^ bc ^ (a & ~bOrD);
        const b1 = bOrD ^ bc ^ (a & (~d ^ (b | c)));
        const c1 = ~(d | bc) ^ bd ^ (a & ~(c & d));
        const d1 = b | (d & ~c);
        d = d1 ^ (a & ~(c & ~d));
        a = a1;
        b = b1;
        c = c1;
        // I
        a ^= k[i + 4];
        b ^= k[i + 5];
        c ^= k[i + 6];
        d ^= k[i + 7];
        if (i + 8 === end) break;
        // R on one half, R on the other, and the exchange of the halves
        let s = substituted(c);
        let t = substituted(d);
        a ^= (s & mask) ^ t;
        b ^= (t & ~mask) ^ s;
        s = substituted(a);
        t = substituted(b);
        const e = a;
        const f = b;
        a = c ^ (s & mask) ^ t;
        b = d ^ (t & ~mask) ^ s;
        c = e;
        d = f;
        mask ^= 0x66666666; // 33333333 and 55555555 in turns
      }
      w[p] = swap32(a);
      w[p + 1] = swap32(b);
      w[p + 2] = swap32(c);
      w[p + 3] = swap32(d);
    }
  }

  /** The steps of `encryptWords`, undone from the last to the first. */
  protected decryptWords(w: Int32Array, from: number, to: number): void {
    const { keys: k } = this;
    for (let p = from; p < to; p += 4) {
      let a = swap32(w[p]);
      let b = swap32(w[p + 1]);
      let c = swap32(w[p + 2]);
      let d = swap32(w[p + 3]);
      // The mask of the last R pair: there are 6 of them, or 7.
      let mask = k.length === 56 ? 0x33333333 : 0x55555555;
      for (let i = k.length - 8; ; i -= 8) {
        a ^= k[i + 4];
        b ^= k[i + 5];
        c ^= k[i + 6];
        d ^= k[i + 7];
        // The inverse of S4
        const t1 = b & c;
        const t2 = b & d;
        const t3 = ~c;
        const t4 = d | b;
        const t5 = t3 | t1;
        const t6 = t5 ^ a;
        const t7 = t6 | d;
        const t8 = t7 ^ b;
        const t9 = t3 ^ b;
        const t10 = a ^ t4;
        const t11 = a | t2;
        const t12 = t4 ^ t1;
        const t13 = t11 & t5;
        const t14 = t13 ^ t12;
        const t15 = t12 & t10;
        const t16 = t15 ^ t2;
        const t17 = t16 ^ t9;
        const t18 = t14 & a;
        const t19 = t16 ^ t4;
        const t20 = t19 | t18;
        a = t17;
        b = t14;
        c = t8;
        d = t20;
        a ^= k[i];
        b ^= k[i + 1];
        c ^= k[i + 2];
        d ^= k[i + 3];
        if (i === 0) break;
        let s = substituted(c);
        let t = substituted(d);
        a ^= (s & mask) ^ t;
        b ^= (t & ~mask) ^ s;
        s = substituted(a);
        t = substituted(b);
        const e = a;
        const f = b;
        a = c ^ (s & mask) ^ t;
        b = d ^ (t & ~mask) ^ s;
        c = e;
        d = f;
        mask ^= 0x66666666;
      }
      w[p] = swap32(a);
      w[p + 1] = swap32(b);
      w[p + 2] = swap32(c);
      w[p + 3] = swap32(d);
    }
  }
}

/** The S function and the M function. */
function substituted(x: number): number {
  return (
    SC2000_TABLES[x >>> 21] ^
    SC2000_TABLES[MIDDLE + ((x >>> 11) & 1023)] ^
    SC2000_TABLES[LOW + (x & 2047)]
  );
}

/** The M function; for the tables, whose indices are public. */
function linear(x: number): number {
  return M.reduce((sum, row, i) => sum ^ ((x << i) >> 31 ? row : 0), 0);
}

/**
 * @param key 16, 24 or 32 bytes; not kept
 * @returns 56 round keys, or 64 for more than 16 bytes; wipe them
 */
export function expandSc2000Key(key: Uint8Array): Int32Array {
  // Shorter keys are repeated to eight words u_1 … u_8.
  const u = Int32Array.from({ length: 8 }, (_, i) => load32be(key, (4 * i) % key.length));
  // Intermediate keys: branch p has index 0, 1 and 2.
  const intermediate = new Int32Array(12);
  for (let p = 0; p < 4; p++) {
    for (let i = 0; i < 3; i++) {
      const sum = (substituted(u[2 * p]) + substituted(4 * i + p)) | 0;
      const product = Math.imul(substituted(u[2 * p + 1]), i + 1);
      intermediate[3 * p + i] = substituted(sum ^ product);
    }
  }
  const keys = new Int32Array(key.length === 16 ? 56 : 64);
  for (let n = 0; n < keys.length; n++) {
    const order = ORDERS[(n + Math.floor(n / 36)) % 12];
    const [even, odd] = INDICES[n % 9];
    const [x, y, z, w] = order.map((p, i) => intermediate[3 * p + (i % 2 === 0 ? even : odd)]);
    keys[n] = ((rotateLeft32(x, 1) + y) | 0) ^ rotateLeft32((rotateLeft32(z, 1) - w) | 0, 1);
  }
  u.fill(0);
  intermediate.fill(0);
  return keys;
}
