/**
 * The rounds of Serpent (Anderson, Biham, Knudsen, "Serpent: A Proposal for the Advanced Encryption Standard",
 * 1998, section 3) in bit-slice form: each S-box is a circuit over four words, which are the bits of 32
 * nibbles. The circuits are those that Brian Gladman and Sam Simpson published in 1998.
 *
 * Eight rounds stand in one loop. As functions of their own they ran at a quarter of the speed in V8, which
 * does not inline so many.
 */

/**
 * Encrypts blocks of four words.
 *
 * @param k 33 round keys of four words
 * @param w the blocks w[from … to - 1], changed in place
 */
export function encrypt(k: Int32Array, w: Int32Array, from: number, to: number): void {
  for (let p = from; p < to; p += 4) {
    let a = w[p];
    let b = w[p + 1];
    let c = w[p + 2];
    let d = w[p + 3];
    for (let i = 0; ; i += 32) {
      // S0
      a ^= k[i];
      b ^= k[i + 1];
      c ^= k[i + 2];
      d ^= k[i + 3];
      {
        const t1 = a ^ d;
        const t3 = c ^ t1;
        const t4 = b ^ t3;
        const y3 = (a & d) ^ t4;
        const t7 = a ^ (b & t1);
        const y2 = t4 ^ (c | t7);
        const t12 = y3 & (t3 ^ t7);
        const y1 = ~t3 ^ t12;
        const y0 = t12 ^ ~t7;
        a = y0;
        b = y1;
        c = y2;
        d = y3;
      }
      a = (a << 13) | (a >>> 19);
      c = (c << 3) | (c >>> 29);
      b ^= a ^ c;
      d ^= c ^ (a << 3);
      b = (b << 1) | (b >>> 31);
      d = (d << 7) | (d >>> 25);
      a ^= b ^ d;
      c ^= d ^ (b << 7);
      a = (a << 5) | (a >>> 27);
      c = (c << 22) | (c >>> 10);
      // S1
      a ^= k[i + 4];
      b ^= k[i + 5];
      c ^= k[i + 6];
      d ^= k[i + 7];
      {
        const t2 = b ^ ~a;
        const t5 = c ^ (a | t2);
        const y2 = d ^ t5;
        const t7 = b ^ (d | t2);
        const t8 = t2 ^ y2;
        const y3 = t8 ^ (t5 & t7);
        const t11 = t5 ^ t7;
        const y1 = y3 ^ t11;
        const y0 = t5 ^ (t8 & t11);
        a = y0;
        b = y1;
        c = y2;
        d = y3;
      }
      a = (a << 13) | (a >>> 19);
      c = (c << 3) | (c >>> 29);
      b ^= a ^ c;
      d ^= c ^ (a << 3);
      b = (b << 1) | (b >>> 31);
      d = (d << 7) | (d >>> 25);
      a ^= b ^ d;
      c ^= d ^ (b << 7);
      a = (a << 5) | (a >>> 27);
      c = (c << 22) | (c >>> 10);
      // S2
      a ^= k[i + 8];
      b ^= k[i + 9];
      c ^= k[i + 10];
      d ^= k[i + 11];
      {
        const t1 = ~a;
        const t2 = b ^ d;
        const t3 = c & t1;
        const y0 = t2 ^ t3;
        const t5 = c ^ t1;
        const t6 = c ^ y0;
        const t7 = b & t6;
        const y3 = t5 ^ t7;
        const y2 = a ^ ((d | t7) & (y0 | t5));
        const y1 = t2 ^ y3 ^ (y2 ^ (d | t1));
        a = y0;
        b = y1;
        c = y2;
        d = y3;
      }
      a = (a << 13) | (a >>> 19);
      c = (c << 3) | (c >>> 29);
      b ^= a ^ c;
      d ^= c ^ (a << 3);
      b = (b << 1) | (b >>> 31);
      d = (d << 7) | (d >>> 25);
      a ^= b ^ d;
      c ^= d ^ (b << 7);
      a = (a << 5) | (a >>> 27);
      c = (c << 22) | (c >>> 10);
      // S3
      a ^= k[i + 12];
      b ^= k[i + 13];
      c ^= k[i + 14];
      d ^= k[i + 15];
      {
        const t1 = a ^ b;
        const t2 = a & c;
        const t3 = a | d;
        const t4 = c ^ d;
        const t5 = t1 & t3;
        const t6 = t2 | t5;
        const y2 = t4 ^ t6;
        const t8 = b ^ t3;
        const t9 = t6 ^ t8;
        const t10 = t4 & t9;
        const y0 = t1 ^ t10;
        const t12 = y2 & y0;
        const y1 = t9 ^ t12;
        const y3 = (b | d) ^ (t4 ^ t12);
        a = y0;
        b = y1;
        c = y2;
        d = y3;
      }
      a = (a << 13) | (a >>> 19);
      c = (c << 3) | (c >>> 29);
      b ^= a ^ c;
      d ^= c ^ (a << 3);
      b = (b << 1) | (b >>> 31);
      d = (d << 7) | (d >>> 25);
      a ^= b ^ d;
      c ^= d ^ (b << 7);
      a = (a << 5) | (a >>> 27);
      c = (c << 22) | (c >>> 10);
      // S4
      a ^= k[i + 16];
      b ^= k[i + 17];
      c ^= k[i + 18];
      d ^= k[i + 19];
      {
        const t1 = a ^ d;
        const t2 = d & t1;
        const t3 = c ^ t2;
        const t4 = b | t3;
        const y3 = t1 ^ t4;
        const t6 = ~b;
        const t7 = t1 | t6;
        const y0 = t3 ^ t7;
        const t9 = a & y0;
        const t10 = t1 ^ t6;
        const t11 = t4 & t10;
        const y2 = t9 ^ t11;
        const y1 = a ^ t3 ^ (t10 & y2);
        a = y0;
        b = y1;
        c = y2;
        d = y3;
      }
      a = (a << 13) | (a >>> 19);
      c = (c << 3) | (c >>> 29);
      b ^= a ^ c;
      d ^= c ^ (a << 3);
      b = (b << 1) | (b >>> 31);
      d = (d << 7) | (d >>> 25);
      a ^= b ^ d;
      c ^= d ^ (b << 7);
      a = (a << 5) | (a >>> 27);
      c = (c << 22) | (c >>> 10);
      // S5
      a ^= k[i + 20];
      b ^= k[i + 21];
      c ^= k[i + 22];
      d ^= k[i + 23];
      {
        const t1 = ~a;
        const t2 = a ^ b;
        const t3 = a ^ d;
        const t4 = c ^ t1;
        const t5 = t2 | t3;
        const y0 = t4 ^ t5;
        const t7 = d & y0;
        const t8 = t2 ^ y0;
        const y1 = t7 ^ t8;
        const t10 = t1 | y0;
        const t11 = t2 | t7;
        const t12 = t3 ^ t10;
        const y2 = t11 ^ t12;
        const y3 = b ^ t7 ^ (y1 & t12);
        a = y0;
        b = y1;
        c = y2;
        d = y3;
      }
      a = (a << 13) | (a >>> 19);
      c = (c << 3) | (c >>> 29);
      b ^= a ^ c;
      d ^= c ^ (a << 3);
      b = (b << 1) | (b >>> 31);
      d = (d << 7) | (d >>> 25);
      a ^= b ^ d;
      c ^= d ^ (b << 7);
      a = (a << 5) | (a >>> 27);
      c = (c << 22) | (c >>> 10);
      // S6
      a ^= k[i + 24];
      b ^= k[i + 25];
      c ^= k[i + 26];
      d ^= k[i + 27];
      {
        const t1 = ~a;
        const t2 = a ^ d;
        const t3 = b ^ t2;
        const t4 = t1 | t2;
        const t5 = c ^ t4;
        const y1 = b ^ t5;
        const t7 = t2 | y1;
        const t8 = d ^ t7;
        const t9 = t5 & t8;
        const y2 = t3 ^ t9;
        const t11 = t5 ^ t8;
        const y0 = y2 ^ t11;
        const y3 = ~t5 ^ (t3 & t11);
        a = y0;
        b = y1;
        c = y2;
        d = y3;
      }
      a = (a << 13) | (a >>> 19);
      c = (c << 3) | (c >>> 29);
      b ^= a ^ c;
      d ^= c ^ (a << 3);
      b = (b << 1) | (b >>> 31);
      d = (d << 7) | (d >>> 25);
      a ^= b ^ d;
      c ^= d ^ (b << 7);
      a = (a << 5) | (a >>> 27);
      c = (c << 22) | (c >>> 10);
      // S7
      a ^= k[i + 28];
      b ^= k[i + 29];
      c ^= k[i + 30];
      d ^= k[i + 31];
      {
        const t1 = b ^ c;
        const t2 = c & t1;
        const t3 = d ^ t2;
        const t4 = a ^ t3;
        const t5 = d | t1;
        const t6 = t4 & t5;
        const y1 = b ^ t6;
        const t8 = t3 | y1;
        const t9 = a & t4;
        const y3 = t1 ^ t9;
        const t11 = t4 ^ t8;
        const t12 = y3 & t11;
        const y2 = t3 ^ t12;
        const y0 = ~t11 ^ (y3 & y2);
        a = y0;
        b = y1;
        c = y2;
        d = y3;
      }
      if (i === 96) break;
      a = (a << 13) | (a >>> 19);
      c = (c << 3) | (c >>> 29);
      b ^= a ^ c;
      d ^= c ^ (a << 3);
      b = (b << 1) | (b >>> 31);
      d = (d << 7) | (d >>> 25);
      a ^= b ^ d;
      c ^= d ^ (b << 7);
      a = (a << 5) | (a >>> 27);
      c = (c << 22) | (c >>> 10);
    }
    w[p] = a ^ k[128];
    w[p + 1] = b ^ k[129];
    w[p + 2] = c ^ k[130];
    w[p + 3] = d ^ k[131];
  }
}
/** The inverse of `encrypt`, under the same conditions. */
export function decrypt(k: Int32Array, w: Int32Array, from: number, to: number): void {
  for (let p = from; p < to; p += 4) {
    let a = w[p] ^ k[128];
    let b = w[p + 1] ^ k[129];
    let c = w[p + 2] ^ k[130];
    let d = w[p + 3] ^ k[131];
    for (let i = 96; ; i -= 32) {
      // The inverse of S7
      {
        const t3 = c | (a & b);
        const t4 = d & (a | b);
        const y3 = t3 ^ t4;
        const t6 = ~d;
        const t7 = b ^ t4;
        const t9 = t7 | (y3 ^ t6);
        const y1 = a ^ t9;
        const y0 = c ^ t7 ^ (d | y1);
        const y2 = t3 ^ y1 ^ (y0 ^ (a & y3));
        a = y0 ^ k[i + 28];
        b = y1 ^ k[i + 29];
        c = y2 ^ k[i + 30];
        d = y3 ^ k[i + 31];
      }
      c = (c >>> 22) | (c << 10);
      a = (a >>> 5) | (a << 27);
      c ^= d ^ (b << 7);
      a ^= b ^ d;
      d = (d >>> 7) | (d << 25);
      b = (b >>> 1) | (b << 31);
      d ^= c ^ (a << 3);
      b ^= a ^ c;
      c = (c >>> 3) | (c << 29);
      a = (a >>> 13) | (a << 19);
      // The inverse of S6
      {
        const t1 = ~a;
        const t2 = a ^ b;
        const t3 = c ^ t2;
        const t4 = c | t1;
        const t5 = d ^ t4;
        const y1 = t3 ^ t5;
        const t7 = t3 & t5;
        const t8 = t2 ^ t7;
        const t9 = b | t8;
        const y3 = t5 ^ t9;
        const t11 = b | y3;
        const y0 = t8 ^ t11;
        const y2 = (d & t1) ^ (t3 ^ t11);
        a = y0 ^ k[i + 24];
        b = y1 ^ k[i + 25];
        c = y2 ^ k[i + 26];
        d = y3 ^ k[i + 27];
      }
      c = (c >>> 22) | (c << 10);
      a = (a >>> 5) | (a << 27);
      c ^= d ^ (b << 7);
      a ^= b ^ d;
      d = (d >>> 7) | (d << 25);
      b = (b >>> 1) | (b << 31);
      d ^= c ^ (a << 3);
      b ^= a ^ c;
      c = (c >>> 3) | (c << 29);
      a = (a >>> 13) | (a << 19);
      // The inverse of S5
      {
        const t1 = ~c;
        const t2 = b & t1;
        const t3 = d ^ t2;
        const t4 = a & t3;
        const t5 = b ^ t1;
        const y3 = t4 ^ t5;
        const t7 = b | y3;
        const t8 = a & t7;
        const y1 = t3 ^ t8;
        const t10 = a | d;
        const t11 = t1 ^ t7;
        const y0 = t10 ^ t11;
        const y2 = (b & t10) ^ (t4 | (a ^ c));
        a = y0 ^ k[i + 20];
        b = y1 ^ k[i + 21];
        c = y2 ^ k[i + 22];
        d = y3 ^ k[i + 23];
      }
      c = (c >>> 22) | (c << 10);
      a = (a >>> 5) | (a << 27);
      c ^= d ^ (b << 7);
      a ^= b ^ d;
      d = (d >>> 7) | (d << 25);
      b = (b >>> 1) | (b << 31);
      d ^= c ^ (a << 3);
      b ^= a ^ c;
      c = (c >>> 3) | (c << 29);
      a = (a >>> 13) | (a << 19);
      // The inverse of S4
      {
        const t1 = c | d;
        const t2 = a & t1;
        const t3 = b ^ t2;
        const t4 = a & t3;
        const t5 = c ^ t4;
        const y1 = d ^ t5;
        const t7 = ~a;
        const t8 = t5 & y1;
        const y3 = t3 ^ t8;
        const t10 = y1 | t7;
        const t11 = d ^ t10;
        const y0 = y3 ^ t11;
        const y2 = (t3 & t11) ^ (y1 ^ t7);
        a = y0 ^ k[i + 16];
        b = y1 ^ k[i + 17];
        c = y2 ^ k[i + 18];
        d = y3 ^ k[i + 19];
      }
      c = (c >>> 22) | (c << 10);
      a = (a >>> 5) | (a << 27);
      c ^= d ^ (b << 7);
      a ^= b ^ d;
      d = (d >>> 7) | (d << 25);
      b = (b >>> 1) | (b << 31);
      d ^= c ^ (a << 3);
      b ^= a ^ c;
      c = (c >>> 3) | (c << 29);
      a = (a >>> 13) | (a << 19);
      // The inverse of S3
      {
        const t1 = a | b;
        const t2 = b ^ c;
        const t3 = b & t2;
        const t4 = a ^ t3;
        const t5 = c ^ t4;
        const t6 = d | t4;
        const y0 = t2 ^ t6;
        const t8 = t2 | t6;
        const t9 = d ^ t8;
        const y2 = t5 ^ t9;
        const t11 = t1 ^ t9;
        const t12 = y0 & t11;
        const y3 = t4 ^ t12;
        const y1 = y3 ^ (y0 ^ t11);
        a = y0 ^ k[i + 12];
        b = y1 ^ k[i + 13];
        c = y2 ^ k[i + 14];
        d = y3 ^ k[i + 15];
      }
      c = (c >>> 22) | (c << 10);
      a = (a >>> 5) | (a << 27);
      c ^= d ^ (b << 7);
      a ^= b ^ d;
      d = (d >>> 7) | (d << 25);
      b = (b >>> 1) | (b << 31);
      d ^= c ^ (a << 3);
      b ^= a ^ c;
      c = (c >>> 3) | (c << 29);
      a = (a >>> 13) | (a << 19);
      // The inverse of S2
      {
        const t1 = b ^ d;
        const t2 = ~t1;
        const t3 = a ^ c;
        const t4 = c ^ t1;
        const t5 = b & t4;
        const y0 = t3 ^ t5;
        const t7 = a | t2;
        const t8 = d ^ t7;
        const t9 = t3 | t8;
        const y3 = t1 ^ t9;
        const t11 = ~t4;
        const t12 = y0 | y3;
        const y1 = t11 ^ t12;
        const y2 = (d & t11) ^ (t3 ^ t12);
        a = y0 ^ k[i + 8];
        b = y1 ^ k[i + 9];
        c = y2 ^ k[i + 10];
        d = y3 ^ k[i + 11];
      }
      c = (c >>> 22) | (c << 10);
      a = (a >>> 5) | (a << 27);
      c ^= d ^ (b << 7);
      a ^= b ^ d;
      d = (d >>> 7) | (d << 25);
      b = (b >>> 1) | (b << 31);
      d ^= c ^ (a << 3);
      b ^= a ^ c;
      c = (c >>> 3) | (c << 29);
      a = (a >>> 13) | (a << 19);
      // The inverse of S1
      {
        const t1 = b ^ d;
        const t3 = a ^ (b & t1);
        const t4 = t1 ^ t3;
        const y3 = c ^ t4;
        const t7 = b ^ (t1 & t3);
        const t8 = y3 | t7;
        const y1 = t3 ^ t8;
        const t10 = ~y1;
        const t11 = y3 ^ t7;
        const y0 = t10 ^ t11;
        const y2 = t4 ^ (t10 | t11);
        a = y0 ^ k[i + 4];
        b = y1 ^ k[i + 5];
        c = y2 ^ k[i + 6];
        d = y3 ^ k[i + 7];
      }
      c = (c >>> 22) | (c << 10);
      a = (a >>> 5) | (a << 27);
      c ^= d ^ (b << 7);
      a ^= b ^ d;
      d = (d >>> 7) | (d << 25);
      b = (b >>> 1) | (b << 31);
      d ^= c ^ (a << 3);
      b ^= a ^ c;
      c = (c >>> 3) | (c << 29);
      a = (a >>> 13) | (a << 19);
      // The inverse of S0
      {
        const t1 = ~a;
        const t2 = a ^ b;
        const t4 = d ^ (t1 | t2);
        const t5 = c ^ t4;
        const y2 = t2 ^ t5;
        const t8 = t1 ^ (d & t2);
        const y1 = t4 ^ (y2 & t8);
        const y3 = (a & t4) ^ (t5 | y1);
        const y0 = y3 ^ (t5 ^ t8);
        a = y0 ^ k[i];
        b = y1 ^ k[i + 1];
        c = y2 ^ k[i + 2];
        d = y3 ^ k[i + 3];
      }
      if (i === 0) break;
      c = (c >>> 22) | (c << 10);
      a = (a >>> 5) | (a << 27);
      c ^= d ^ (b << 7);
      a ^= b ^ d;
      d = (d >>> 7) | (d << 25);
      b = (b >>> 1) | (b << 31);
      d ^= c ^ (a << 3);
      b ^= a ^ c;
      c = (c >>> 3) | (c << 29);
      a = (a >>> 13) | (a << 19);
    }
    w[p] = a;
    w[p + 1] = b;
    w[p + 2] = c;
    w[p + 3] = d;
  }
}
