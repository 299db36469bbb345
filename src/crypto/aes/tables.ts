/**
 * The tables of AES, computed from the definitions of FIPS 197; none is written down.
 *
 * One Int32Array per direction, in five pages of 256 words:
 *
 *     0    256    512    768    1024  1280
 *     | T0 | T1   | T2   | T3   | S   |
 *
 * T_r[x] is what byte x in row r adds to a column in one round: SubBytes and MixColumns in one
 * look-up, while ShiftRows is the caller's choice of columns. T_r is T_0 with its bytes rotated by
 * r rows. S is the substitution alone, for the last round, which has no MixColumns (section 5.1).
 * The inverse cipher has the same five pages with InvSubBytes and InvMixColumns.
 *
 * Words are little-endian, row 0 in the low byte, as are the hosts on which JavaScript runs: a
 * state is then read from memory without swapping bytes. block.ts refuses other hosts.
 */

/** For the cipher and for its inverse. */
export type Tables = readonly [encrypt: Int32Array, decrypt: Int32Array];

/** x · a in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2). */
export const xtime = (a: number): number => (a << 1) ^ ((a >> 7) * 0x11b);

/** Computes everything anew, which takes microseconds; the cipher does it once, in rounds.ts. */
export function computeTables(): Tables {
  const encrypt = new Int32Array(1280);
  const decrypt = new Int32Array(1280);
  // x + 1 generates the field's 255 units: powers[i] · powers[255 - i] = 1 (section 4.2).
  const powers = [1];
  for (let i = 0; i < 255; i++) powers.push(powers[i] ^ xtime(powers[i]));
  for (let i = 0; i < 256; i++) {
    // 0, which is no power, takes the last turn and counts as its own inverse (section 5.1.1).
    const x = i < 255 ? powers[i] : 0;
    const inverse = x && powers[255 - i];
    // The affine transformation (equation 5.1): the sum of five rotations, and 0x63.
    let s = inverse ^ (inverse << 1) ^ (inverse << 2) ^ (inverse << 3) ^ (inverse << 4);
    s = ((s ^ (s >> 8)) & 0xff) ^ 0x63;
    // The columns of MixColumns, {02} {01} {01} {03}, and InvMixColumns, {0e} {09} {0d} {0b}.
    const s2 = xtime(s);
    const x2 = xtime(x);
    const x4 = xtime(x2);
    const x8 = xtime(x4);
    let e = s2 | (s << 8) | (s << 16) | ((s2 ^ s) << 24);
    let d = (x8 ^ x4 ^ x2) | ((x8 ^ x) << 8) | ((x8 ^ x4 ^ x) << 16) | ((x8 ^ x2 ^ x) << 24);
    for (let page = 0; page < 1024; page += 256) {
      encrypt[page | x] = e;
      decrypt[page | s] = d;
      e = (e << 8) | (e >>> 24);
      d = (d << 8) | (d >>> 24);
    }
    encrypt[1024 | x] = s;
    decrypt[1024 | s] = x;
  }
  return [encrypt, decrypt];
}
