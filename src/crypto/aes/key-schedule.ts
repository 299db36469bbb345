/**
 * The key schedule of AES (FIPS 197, section 5.2) for 128, 192 and 256 bits, and the round keys of
 * the equivalent inverse cipher (section 5.3.5). Words are little-endian, as in tables.ts.
 */
import type { Tables } from './tables.ts';
import { xtime } from './tables.ts';

/**
 * KeyExpansion (algorithm 2).
 *
 * @param key 16, 24 or 32 bytes
 * @returns w: 4 · (Nr + 1) words for 10, 12 or 14 rounds
 */
export function expandKey([encrypt]: Tables, key: Uint8Array): Int32Array {
  /** SUBWORD: the S-box on each byte. */
  const subWord = (word: number): number =>
    encrypt[1024 | (word & 0xff)] |
    (encrypt[1024 | ((word >> 8) & 0xff)] << 8) |
    (encrypt[1024 | ((word >> 16) & 0xff)] << 16) |
    (encrypt[1024 | (word >>> 24)] << 24);

  const nk = key.length / 4;
  const w = new Int32Array(4 * nk + 28);
  new Uint8Array(w.buffer).set(key);
  let rcon = 1;
  for (let i = nk; i < w.length; i++) {
    let temp = w[i - 1];
    // temp = SUBWORD(ROTWORD(temp)) ⊕ Rcon[i / Nk]; Rcon is the powers of x in the first byte.
    if (i % nk === 0) {
      temp = subWord((temp >>> 8) | (temp << 24)) ^ rcon;
      rcon = xtime(rcon);
    } else if (nk > 6 && i % nk === 4) {
      temp = subWord(temp);
    }
    w[i] = w[i - nk] ^ temp;
  }
  return w;
}

/**
 * The round keys as the equivalent inverse cipher wants them (algorithm 5): rounds reversed, and
 * InvMixColumns applied to all but the first and last. Words 1 and 3 of each are exchanged, because
 * that is how rounds.ts holds a state that it decrypts.
 *
 * @param w the result of `expandKey`
 */
export function invertKey([encrypt, decrypt]: Tables, w: Int32Array): Int32Array {
  const last = w.length - 4;
  return w.map((_, i) => {
    const word = w[last - (i & ~3) + (-i & 3)];
    if (i < 4 || i >= last) return word;
    // A T-table of the inverse cipher is InvMixColumns after InvSubBytes: SubBytes undoes the latter.
    let column = 0;
    for (let r = 0; r < 4; r++) {
      column ^= decrypt[(r << 8) | encrypt[1024 | ((word >>> (8 * r)) & 0xff)]];
    }
    return column;
  });
}
