/**
 * Twofish (Schneier, Kelsey, Whiting, Wagner, Hall, Ferguson, "Twofish: A 128-Bit Block Cipher", 1998): blocks
 * of 128 bits, little-endian words, 16 rounds, with full keying: the S-boxes of the key and the MDS matrix are
 * four tables of 256 words.
 *
 * NOT safe against side channels: the addresses of its look-ups depend on key and data.
 */
import { wipe } from '../bytes.ts';
import { KeyedWordCipher, keyWords } from './word-cipher.ts';

const ROUNDS = 16;
/** Whitening (8) and two for each round */
const KEYS = 8 + 2 * ROUNDS;

// Section 4.3.2: x^8 + x^6 + x^5 + x^3 + 1. Section 4.3: x^8 + x^6 + x^3 + x^2 + 1
const MDS_POLYNOMIAL = 0x169;
const RS_POLYNOMIAL = 0x14d;

/** Section 4.3.2, by rows */
const MDS = [
  [0x01, 0xef, 0x5b, 0x5b],
  [0x5b, 0xef, 0xef, 0x01],
  [0xef, 0x5b, 0x01, 0xef],
  [0xef, 0x01, 0xef, 0x5b],
];

/** Section 4.3, by rows */
const RS = [
  [0x01, 0xa4, 0x55, 0x87, 0x5a, 0x58, 0xdb, 0x9e],
  [0xa4, 0x56, 0x82, 0xf3, 0x1e, 0xc6, 0x68, 0xe5],
  [0x02, 0xa1, 0xfc, 0xc1, 0x47, 0xae, 0x3d, 0x19],
  [0xa4, 0x55, 0x87, 0x5a, 0x58, 0xdb, 0x9e, 0x03],
];

/** Section 4.3.5: q0 and q1, from their tables t0, t1, t2 and t3 of nibbles */
const Q = [
  permutation('817d6f320b59eca4', 'ecb81235f4a6709d', 'ba5e6d90c8f32471', 'd7f4126e9b3085ca'),
  permutation('28bdf76e31940ac5', '1e2b4c376da5f908', '4c75169a0ed82b3f', 'b951c3de647f208a'),
];

/** Section 4.3.5, figure 2: which q is applied to byte i before the XOR with L_3, L_2, L_1 and L_0 … */
const BEFORE = [
  [0, 0, 1, 1],
  [0, 1, 0, 1],
  [1, 1, 0, 0],
  [1, 0, 0, 1],
];
/** … and which afterwards, before the MDS matrix. */
const LAST = [1, 0, 1, 0];

/** Column i of the MDS matrix times q(x), a page of 256 words for each column. */
const COLUMNS = Int32Array.from({ length: 1024 }, (_, at) => {
  const column = at >> 8;
  const x = Q[LAST[column]][at & 0xff];
  return MDS.reduce(
    (word, row, i) => word | (multiply(row[column], x, MDS_POLYNOMIAL) << (8 * i)),
    0,
  );
});

/** Twofish with keys of 16, 24 or 32 bytes. */
export class Twofish extends KeyedWordCipher {
  /** g, a page for each byte of its argument */
  declare readonly tables: Int32Array;

  /** @param key 16, 24 or 32 bytes; copied */
  constructor(key: Uint8Array) {
    super(key, expandKey);
    this.tables = expandTables(key);
  }

  override wipe(): void {
    super.wipe();
    this.tables.fill(0);
  }

  /** Sections 4.1 and 4.2; two rounds at a time, so that the halves need not be exchanged. */
  protected encryptWords(w: Int32Array, from: number, to: number): void {
    const { keys: k, tables: s } = this;
    for (let p = from; p < to; p += 4) {
      let a = w[p] ^ k[0];
      let b = w[p + 1] ^ k[1];
      let c = w[p + 2] ^ k[2];
      let d = w[p + 3] ^ k[3];
      for (let r = 8; r < KEYS; r += 4) {
        let t0 = g(s, a);
        let t1 = gRotated(s, b);
        c ^= t0 + t1 + k[r];
        c = (c >>> 1) | (c << 31);
        d = ((d << 1) | (d >>> 31)) ^ (t0 + 2 * t1 + k[r + 1]);
        t0 = g(s, c);
        t1 = gRotated(s, d);
        a ^= t0 + t1 + k[r + 2];
        a = (a >>> 1) | (a << 31);
        b = ((b << 1) | (b >>> 31)) ^ (t0 + 2 * t1 + k[r + 3]);
      }
      // The last exchange is undone: output whitening is on R_2, R_3, R_0, R_1.
      w[p] = c ^ k[4];
      w[p + 1] = d ^ k[5];
      w[p + 2] = a ^ k[6];
      w[p + 3] = b ^ k[7];
    }
  }

  protected decryptWords(w: Int32Array, from: number, to: number): void {
    const { keys: k, tables: s } = this;
    for (let p = from; p < to; p += 4) {
      let c = w[p] ^ k[4];
      let d = w[p + 1] ^ k[5];
      let a = w[p + 2] ^ k[6];
      let b = w[p + 3] ^ k[7];
      for (let r = KEYS - 4; r >= 8; r -= 4) {
        let t0 = g(s, c);
        let t1 = gRotated(s, d);
        a = ((a << 1) | (a >>> 31)) ^ (t0 + t1 + k[r + 2]);
        b ^= t0 + 2 * t1 + k[r + 3];
        b = (b >>> 1) | (b << 31);
        t0 = g(s, a);
        t1 = gRotated(s, b);
        c = ((c << 1) | (c >>> 31)) ^ (t0 + t1 + k[r]);
        d ^= t0 + 2 * t1 + k[r + 1];
        d = (d >>> 1) | (d << 31);
      }
      w[p] = a ^ k[0];
      w[p + 1] = b ^ k[1];
      w[p + 2] = c ^ k[2];
      w[p + 3] = d ^ k[3];
    }
  }
}

function g(s: Int32Array, x: number): number {
  return (
    s[x & 0xff] ^ s[256 + ((x >>> 8) & 0xff)] ^ s[512 + ((x >>> 16) & 0xff)] ^ s[768 + (x >>> 24)]
  );
}

/** g of the word rotated left by 8 */
function gRotated(s: Int32Array, x: number): number {
  return (
    s[x >>> 24] ^ s[256 + (x & 0xff)] ^ s[512 + ((x >>> 8) & 0xff)] ^ s[768 + ((x >>> 16) & 0xff)]
  );
}

/** The round keys, and the tables of g. Wipe them. */
export interface TwofishKeys {
  readonly keys: Int32Array;
  readonly tables: Int32Array;
}

/** @param key 16, 24 or 32 bytes; not kept */
export function expandTwofishKey(key: Uint8Array): TwofishKeys {
  return { keys: expandKey(key), tables: expandTables(key) };
}

/** Section 4.3.4: K_2i and K_2i+1 from h with the even and the odd words of the key */
function expandKey(key: Uint8Array): Int32Array {
  const m = keyWords(key);
  const even = m.filter((_, i) => i % 2 === 0);
  const odd = m.filter((_, i) => i % 2 === 1);
  const keys = new Int32Array(KEYS);
  for (let i = 0; i < KEYS; i += 2) {
    const a = h(i, even);
    const b = h(i + 1, odd);
    const rotated = (b << 8) | (b >>> 24);
    keys[i] = a + rotated;
    const sum = (a + 2 * rotated) | 0;
    keys[i + 1] = (sum << 9) | (sum >>> 23);
  }
  wipe(m, even, odd);
  return keys;
}

/** Section 4.3: S = RS times eight bytes of the key, in reverse order; then g for each value of each byte. */
function expandTables(key: Uint8Array): Int32Array {
  const count = key.length / 8;
  const bytes = new Uint8Array(4 * count);
  for (let i = 0; i < count; i++) {
    RS.forEach((row, j) => {
      bytes[4 * (count - 1 - i) + j] = row.reduce(
        (sum, factor, n) => sum ^ multiply(key[8 * i + n], factor, RS_POLYNOMIAL),
        0,
      );
    });
  }
  const s = new Int32Array(bytes.buffer);
  const tables = new Int32Array(1024);
  for (let at = 0; at < 1024; at++) tables[at] = substituted(at >> 8, at & 0xff, s);
  wipe(bytes);
  return tables;
}

/** Section 4.3.5: h of the word whose four bytes are `x` */
function h(x: number, list: Int32Array): number {
  return (
    substituted(0, x, list) ^
    substituted(1, x, list) ^
    substituted(2, x, list) ^
    substituted(3, x, list)
  );
}

/** What byte i of h's argument contributes to its result. */
function substituted(i: number, x: number, list: Int32Array): number {
  let y = x;
  for (let l = list.length - 1; l >= 0; l--) {
    y = Q[BEFORE[l][i]][y] ^ ((list[l] >>> (8 * i)) & 0xff);
  }
  return COLUMNS[256 * i + y];
}

/** Section 4.3.5: a permutation of bytes from four of nibbles */
function permutation(...digits: readonly string[]): Uint8Array {
  const [t0, t1, t2, t3] = digits.map((text) => Array.from(text, (digit) => parseInt(digit, 16)));
  const mixed = (a: number, b: number): number => a ^ ((b >> 1) | ((b & 1) << 3)) ^ ((8 * a) & 15);
  return Uint8Array.from({ length: 256 }, (_, x) => {
    const [a0, b0] = [x >> 4, x & 15];
    const [a2, b2] = [t0[a0 ^ b0], t1[mixed(a0, b0)]];
    const [a4, b4] = [t2[a2 ^ b2], t3[mixed(a2, b2)]];
    return 16 * b4 + a4;
  });
}

/** The product of two polynomials over GF(2), modulo a third of degree 8. No branch depends on a or b. */
function multiply(a: number, b: number, polynomial: number): number {
  let product = 0;
  let power = a;
  for (let bit = 0; bit < 8; bit++) {
    product ^= -((b >> bit) & 1) & power;
    power = (power << 1) ^ (-(power >> 7) & polynomial);
  }
  return product;
}
