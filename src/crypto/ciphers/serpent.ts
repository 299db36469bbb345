/**
 * Serpent (Anderson, Biham, Knudsen, "Serpent: A Proposal for the Advanced Encryption Standard", 1998): blocks
 * of 128 bits, little-endian words, 32 rounds, in the bit-slice form without the initial and final
 * permutations. The byte order is that of NESSIE; the vectors of the AES submission are reversed.
 *
 * No address and no branch depends on a secret.
 */
import { rotateLeft32 } from '../words.ts';
import { decrypt, encrypt } from './serpent-rounds.ts';
import { KeyedWordCipher } from './word-cipher.ts';

/** 33 keys of four words */
const KEY_WORDS = 132;
/** The fractional part of the golden ratio, section 4 */
const PHI = 0x9e3779b9;

/** S_0 … S_7 (appendix A.5): digit i is S(i). serpent-rounds.ts has them as circuits. */
const S_BOXES = [
  '38f1a65bed42709c',
  'fc27905a1be86d34',
  '86793cafd1e40b52',
  '0fb8c963d124a75e',
  '1f83c0b6254a9e7d',
  'f52b4a9c03e8d671',
  '72c5846be91fd3a0',
  '1df0e82b74ca9356',
].map((digits) => Array.from(digits, (digit) => parseInt(digit, 16)));

/** Serpent with keys of 16, 24 or 32 bytes. */
export class Serpent extends KeyedWordCipher {
  /** @param key 16, 24 or 32 bytes; copied */
  constructor(key: Uint8Array) {
    super(key, expandSerpentKey);
  }

  protected encryptWords(w: Int32Array, from: number, to: number): void {
    encrypt(this.keys, w, from, to);
  }

  protected decryptWords(w: Int32Array, from: number, to: number): void {
    decrypt(this.keys, w, from, to);
  }
}

/**
 * Section 4.
 *
 * @param key 16, 24 or 32 bytes; not kept
 * @returns 33 round keys of four words; wipe them
 */
export function expandSerpentKey(key: Uint8Array): Int32Array {
  // Shorter keys are padded with a 1 bit, which is in the lowest place of the next byte, and zeros.
  const words = new Int32Array(8 + KEY_WORDS);
  const bytes = new Uint8Array(words.buffer);
  bytes.set(key);
  if (key.length < 32) bytes[key.length] = 1;
  // w_i = (w_{i-8} ⊕ w_{i-5} ⊕ w_{i-3} ⊕ w_{i-1} ⊕ φ ⊕ i) <<< 11
  for (let i = 0; i < KEY_WORDS; i++) {
    const sum = words[i] ^ words[i + 3] ^ words[i + 5] ^ words[i + 7] ^ PHI ^ i;
    words[i + 8] = rotateLeft32(sum, 11);
  }
  const keys = words.slice(8);
  words.fill(0);
  // K_i = S_{(3 - i) mod 8} of four prekeys
  for (let i = 0; i < KEY_WORDS; i += 4) substitute(S_BOXES[(35 - i / 4) & 7], keys, i);
  return keys;
}

/**
 * An S-box on four words in bit-slice form: collects, for each value of the nibbles, the places that have it.
 * Branches depend on the S-box only.
 */
function substitute(box: readonly number[], w: Int32Array, at: number): void {
  const result = new Int32Array(4);
  for (let value = 0; value < 16; value++) {
    let places = -1;
    for (let bit = 0; bit < 4; bit++) places &= (value >> bit) & 1 ? w[at + bit] : ~w[at + bit];
    for (let bit = 0; bit < 4; bit++) if ((box[value] >> bit) & 1) result[bit] |= places;
  }
  w.set(result, at);
  result.fill(0);
}
