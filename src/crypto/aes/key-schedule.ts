/**
 * The key schedule of AES (FIPS 197, section 5.2) for 128, 192 and 256 bits, and the round keys of
 * the equivalent inverse cipher (section 5.3.5). Words are little-endian, as in tables.ts.
 */
import type { Tables } from './tables.ts';
import { xtime } from './tables.ts';

/** Round keys for the cipher, and for its inverse where they are computed. */
export type Keys = [encrypt: Int32Array, decrypt?: Int32Array];

/** Substitutes each byte of a word by the page of its row, from word `first` of the table on, and XORs the results. */
const substitute = (table: Int32Array, first: number, word: number): number =>
  table[first + (word & 0xff)] ^
  table[first + 256 + ((word >>> 8) & 0xff)] ^
  table[first + 512 + ((word >>> 16) & 0xff)] ^
  table[first + 768 + (word >>> 24)];

/**
 * Memory for the round keys of the next ciphers, which share a buffer of 2 KiB: an array with a buffer of its own costs
 * twice as much as the schedule.
 */
const SHARED_BYTES = 2048;
const shared = { buffer: /* @__PURE__ */ new ArrayBuffer(0), used: 0 };

function newWords(count: number): Int32Array {
  if (shared.used + 4 * count > shared.buffer.byteLength) {
    shared.buffer = new ArrayBuffer(SHARED_BYTES);
    shared.used = 0;
  }
  shared.used += 4 * count;
  return new Int32Array(shared.buffer, shared.used - 4 * count, count);
}

/**
 * KeyExpansion (algorithm 2).
 *
 * @param key 16, 24 or 32 bytes
 * @returns w: 4 · (Nr + 1) words for 10, 12 or 14 rounds
 */
export function expandKey([encrypt]: Tables, key: Uint8Array): Int32Array {
  const nk = key.length / 4;
  const w = newWords(key.length + 28);
  for (let i = 0; i < key.length; i++) w[i >> 2] |= key[i] << (8 * (i & 3));
  let rcon = 1;
  for (let i = nk; i < w.length;) {
    // temp = SUBWORD(ROTWORD(temp)) ⊕ Rcon[i / Nk] every Nk words
    let temp = substitute(encrypt, 1024, w[i - 1]);
    temp = (temp >>> 8) ^ (temp << 24) ^ rcon;
    rcon = xtime(rcon);
    for (let j = 0; j < nk && i < w.length; j++, i++) {
      // With 256 bits, temp = SUBWORD(temp) where i mod Nk is 4
      if (j === 4 && nk > 6) temp = substitute(encrypt, 1024, temp);
      w[i] = temp ^= w[i - nk];
    }
  }
  return w;
}

/**
 * The round keys in the form of the equivalent inverse cipher (algorithm 5): rounds reversed, and
 * InvMixColumns applied to all but the first and last. Words 1 and 3 of each round key are exchanged, as in
 * the states that rounds.ts decrypts.
 *
 * @param w the result of `expandKey`
 */
export function invertKey([encrypt, decrypt]: Tables, w: Int32Array): Int32Array {
  const last = w.length - 4;
  return w.map((_, i) => {
    // Words 0, 3, 2 and 1 of round Nr - r: word 4 r + c is at 4 (Nr - r) + (4 - c) mod 4.
    const word = w[last - i + (i & 3 && 4)];
    // A T-table of the inverse cipher is InvMixColumns after InvSubBytes. SubBytes cancels InvSubBytes.
    return i < 4 || i >= last ? word : substitute(decrypt, 0, substitute(encrypt, 1024, word));
  });
}
