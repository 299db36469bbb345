/**
 * The tables of AES, computed from the definitions of FIPS 197 when this module is loaded.
 *
 * One Int32Array per direction, in eight pages of 256 words:
 *
 *     0    256    512    768    1024  1280  1536  1792  2048
 *     | T0 | T1   | T2   | T3   | S0  | S1  | S2  | S3  |
 *
 * T_r[x] is the contribution of byte x in row r to a column in one round: SubBytes and MixColumns in one
 * look-up. The caller does ShiftRows by its choice of columns. T_r is T_0 with its bytes rotated by r rows.
 * S_r[x] is the same without MixColumns, for the last round (section 5.1): the substitute of x in row r. The
 * inverse cipher has the same eight pages with InvSubBytes and InvMixColumns.
 *
 * Words are little-endian, row 0 in the low byte, as on all common hosts: a state is then read from memory
 * without swapping bytes. registers.ts refuses other hosts.
 */

/** Tables of the cipher and of its inverse. */
export type Tables = readonly [encrypt: Int32Array, decrypt: Int32Array];

/** x · a in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2). */
export const xtime = (a: number): number => (a << 1) ^ ((a >> 7) * 0x11b);

/** The contribution of a byte in row 0 to its column in MixColumns (equation 5.8): {02} {01} {01} {03}. */
const mix = (a: number): number => xtime(a) | (0x010100 * a) | ((xtime(a) ^ a) << 24);

/** Computes new tables, which takes microseconds. run.ts calls it once. */
export function computeTables(): Tables {
  const encrypt = new Int32Array(2048);
  const decrypt = new Int32Array(2048);
  // x + 1 generates the field's 255 units: powers[i] · powers[255 - i] = 1 (section 4.2).
  const powers = [1];
  for (let i = 0; i < 255; i++) powers.push(powers[i] ^ xtime(powers[i]));
  for (let i = 0; i < 256; i++) {
    // 0 is not a power. It is processed first and counts as its own inverse (section 5.1.1).
    const x = i && powers[i];
    const inverse = i && powers[255 - i];
    // The affine transformation (equation 5.1): the sum of five rotations, and 0x63.
    let s = inverse ^ (inverse << 1) ^ (inverse << 2) ^ (inverse << 3) ^ (inverse << 4);
    s = ((s ^ (s >> 8)) & 0xff) ^ 0x63;
    // InvMixColumns is MixColumns after {05} {00} {04} {00}, the factors 5 = 4 + 1 and 4.
    const x4 = xtime(xtime(x));
    let d = mix(x4);
    d = mix(x4 ^ x) ^ (d << 16) ^ (d >>> 16);
    let e = mix(s);
    // Page by page, row by row; a separate function would cost 1 ms at a cold start.
    for (let page = 0; page < 1024; page += 256) {
      encrypt[page | x] = e;
      decrypt[page | s] = d;
      encrypt[1024 | page | x] = s << (page >> 5);
      decrypt[1024 | page | s] = x << (page >> 5);
      e = (e << 8) | (e >>> 24);
      d = (d << 8) | (d >>> 24);
    }
  }
  return [encrypt, decrypt];
}
