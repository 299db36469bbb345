/**
 * The S-boxes of Serpent (Anderson, Biham, Knudsen, 1998, appendix A.5) and their inverses as circuits over four
 * words, which are the bits of nibbles: those that Brian Gladman and Sam Simpson published in 1998, as in
 * src/crypto/ciphers/serpent-rounds.ts.
 *
 * A step is "t1 = a ^ d": the inputs are a (the lowest bits), b, c, d; the outputs y0 (the lowest) to y3.
 */

/** S_0 … S_7 */
export const S_BOXES: readonly string[] = [
  `
    t1 = a ^ d; t3 = c ^ t1; t4 = b ^ t3; t13 = a & d; y3 = t13 ^ t4; t14 = b & t1;
    t7 = a ^ t14; t15 = c | t7; y2 = t4 ^ t15; t16 = t3 ^ t7; t12 = y3 & t16; t17 = ~t3;
    y1 = t17 ^ t12; t18 = ~t7; y0 = t12 ^ t18
  `,
  `
    t12 = ~a; t2 = b ^ t12; t13 = a | t2; t5 = c ^ t13; y2 = d ^ t5; t14 = d | t2;
    t7 = b ^ t14; t8 = t2 ^ y2; t15 = t5 & t7; y3 = t8 ^ t15; t11 = t5 ^ t7; y1 = y3 ^ t11;
    t16 = t8 & t11; y0 = t5 ^ t16
  `,
  `
    t1 = ~a; t2 = b ^ d; t3 = c & t1; y0 = t2 ^ t3; t5 = c ^ t1; t6 = c ^ y0; t7 = b & t6;
    y3 = t5 ^ t7; t8 = d | t7; t9 = y0 | t5; t10 = t8 & t9; y2 = a ^ t10; t11 = t2 ^ y3;
    t12 = d | t1; t13 = y2 ^ t12; y1 = t11 ^ t13
  `,
  `
    t1 = a ^ b; t2 = a & c; t3 = a | d; t4 = c ^ d; t5 = t1 & t3; t6 = t2 | t5; y2 = t4 ^ t6;
    t8 = b ^ t3; t9 = t6 ^ t8; t10 = t4 & t9; y0 = t1 ^ t10; t12 = y2 & y0; y1 = t9 ^ t12;
    t13 = b | d; t14 = t4 ^ t12; y3 = t13 ^ t14
  `,
  `
    t1 = a ^ d; t2 = d & t1; t3 = c ^ t2; t4 = b | t3; y3 = t1 ^ t4; t6 = ~b; t7 = t1 | t6;
    y0 = t3 ^ t7; t9 = a & y0; t10 = t1 ^ t6; t11 = t4 & t10; y2 = t9 ^ t11; t12 = a ^ t3;
    t13 = t10 & y2; y1 = t12 ^ t13
  `,
  `
    t1 = ~a; t2 = a ^ b; t3 = a ^ d; t4 = c ^ t1; t5 = t2 | t3; y0 = t4 ^ t5; t7 = d & y0;
    t8 = t2 ^ y0; y1 = t7 ^ t8; t10 = t1 | y0; t11 = t2 | t7; t12 = t3 ^ t10; y2 = t11 ^ t12;
    t13 = b ^ t7; t14 = y1 & t12; y3 = t13 ^ t14
  `,
  `
    t1 = ~a; t2 = a ^ d; t3 = b ^ t2; t4 = t1 | t2; t5 = c ^ t4; y1 = b ^ t5; t7 = t2 | y1;
    t8 = d ^ t7; t9 = t5 & t8; y2 = t3 ^ t9; t11 = t5 ^ t8; y0 = y2 ^ t11; t12 = ~t5;
    t13 = t3 & t11; y3 = t12 ^ t13
  `,
  `
    t1 = b ^ c; t2 = c & t1; t3 = d ^ t2; t4 = a ^ t3; t5 = d | t1; t6 = t4 & t5; y1 = b ^ t6;
    t8 = t3 | y1; t9 = a & t4; y3 = t1 ^ t9; t11 = t4 ^ t8; t12 = y3 & t11; y2 = t3 ^ t12;
    t13 = ~t11; t14 = y3 & y2; y0 = t13 ^ t14
  `,
];

/** Their inverses. */
export const INVERSES: readonly string[] = [
  `
    t1 = ~a; t2 = a ^ b; t9 = t1 | t2; t4 = d ^ t9; t5 = c ^ t4; y2 = t2 ^ t5; t10 = d & t2;
    t8 = t1 ^ t10; t11 = y2 & t8; y1 = t4 ^ t11; t12 = a & t4; t13 = t5 | y1; y3 = t12 ^ t13;
    t14 = t5 ^ t8; y0 = y3 ^ t14
  `,
  `
    t1 = b ^ d; t12 = b & t1; t3 = a ^ t12; t4 = t1 ^ t3; y3 = c ^ t4; t13 = t1 & t3;
    t7 = b ^ t13; t8 = y3 | t7; y1 = t3 ^ t8; t10 = ~y1; t11 = y3 ^ t7; y0 = t10 ^ t11;
    t14 = t10 | t11; y2 = t4 ^ t14
  `,
  `
    t1 = b ^ d; t2 = ~t1; t3 = a ^ c; t4 = c ^ t1; t5 = b & t4; y0 = t3 ^ t5; t7 = a | t2;
    t8 = d ^ t7; t9 = t3 | t8; y3 = t1 ^ t9; t11 = ~t4; t12 = y0 | y3; y1 = t11 ^ t12;
    t13 = d & t11; t14 = t3 ^ t12; y2 = t13 ^ t14
  `,
  `
    t1 = a | b; t2 = b ^ c; t3 = b & t2; t4 = a ^ t3; t5 = c ^ t4; t6 = d | t4; y0 = t2 ^ t6;
    t8 = t2 | t6; t9 = d ^ t8; y2 = t5 ^ t9; t11 = t1 ^ t9; t12 = y0 & t11; y3 = t4 ^ t12;
    t13 = y0 ^ t11; y1 = y3 ^ t13
  `,
  `
    t1 = c | d; t2 = a & t1; t3 = b ^ t2; t4 = a & t3; t5 = c ^ t4; y1 = d ^ t5; t7 = ~a;
    t8 = t5 & y1; y3 = t3 ^ t8; t10 = y1 | t7; t11 = d ^ t10; y0 = y3 ^ t11; t12 = t3 & t11;
    t13 = y1 ^ t7; y2 = t12 ^ t13
  `,
  `
    t1 = ~c; t2 = b & t1; t3 = d ^ t2; t4 = a & t3; t5 = b ^ t1; y3 = t4 ^ t5; t7 = b | y3;
    t8 = a & t7; y1 = t3 ^ t8; t10 = a | d; t11 = t1 ^ t7; y0 = t10 ^ t11; t12 = b & t10;
    t13 = a ^ c; t14 = t4 | t13; y2 = t12 ^ t14
  `,
  `
    t1 = ~a; t2 = a ^ b; t3 = c ^ t2; t4 = c | t1; t5 = d ^ t4; y1 = t3 ^ t5; t7 = t3 & t5;
    t8 = t2 ^ t7; t9 = b | t8; y3 = t5 ^ t9; t11 = b | y3; y0 = t8 ^ t11; t12 = d & t1;
    t13 = t3 ^ t11; y2 = t12 ^ t13
  `,
  `
    t10 = a & b; t3 = c | t10; t11 = a | b; t4 = d & t11; y3 = t3 ^ t4; t6 = ~d; t7 = b ^ t4;
    t12 = y3 ^ t6; t9 = t7 | t12; y1 = a ^ t9; t13 = c ^ t7; t14 = d | y1; y0 = t13 ^ t14;
    t15 = t3 ^ y1; t16 = a & y3; t17 = y0 ^ t16; y2 = t15 ^ t17
  `,
];
