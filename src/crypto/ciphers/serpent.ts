/**
 * Serpent (Anderson, Biham, Knudsen, "Serpent: A Proposal for the Advanced Encryption Standard", 1998): blocks
 * of 128 bits, little-endian words, 32 rounds, in the bit-slice form without the initial and final
 * permutations. The byte order is that of NESSIE; the vectors of the AES submission are reversed.
 *
 * No address and no branch depends on a secret.
 */
import { checkBytes } from '../errors.ts';
import { rotateLeft32 } from '../words.ts';
import { INVERSES, ROUNDS } from './serpent-rounds.ts';
import { WordCipher } from './word-cipher.ts';

const LAST = 31;
/** 33 keys of four words */
const KEY_WORDS = 132;
/** The fractional part of the golden ratio, section 4 */
const PHI = 0x9e3779b9;

/** Serpent with keys of 16, 24 or 32 bytes. */
export class Serpent extends WordCipher {
  readonly blockBytes = 16;
  declare readonly keys: Int32Array;

  /** @param key 16, 24 or 32 bytes; copied */
  constructor(key: Uint8Array) {
    super();
    checkBytes('key', key, [16, 24, 32]);
    this.keys = expandKey(key);
  }

  wipe(): void {
    this.keys.fill(0);
  }

  /** Section 3: the last round mixes a second key in place of the linear transformation. */
  protected encryptWords(w: Int32Array, from: number, to: number): void {
    const { keys } = this;
    for (let i = 0; i <= LAST; i++) ROUNDS[i & 7](w, from, to, keys, 4 * i, i < LAST);
    mixLastKey(keys, w, from, to);
  }

  protected decryptWords(w: Int32Array, from: number, to: number): void {
    const { keys } = this;
    mixLastKey(keys, w, from, to);
    for (let i = LAST; i >= 0; i--) INVERSES[i & 7](w, from, to, keys, 4 * i, i > 0);
  }
}

function mixLastKey(keys: Int32Array, w: Int32Array, from: number, to: number): void {
  for (let p = from; p < to; p++) w[p] ^= keys[KEY_WORDS - 4 + (p & 3)];
}

/** Section 4 */
function expandKey(key: Uint8Array): Int32Array {
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
  // K_i = S_{(3 - i) mod 8} of the prekeys: a round with a key of zeros, without the linear transformation
  for (let i = 0; i < KEY_WORDS; i += 4) ROUNDS[(35 - i / 4) & 7](keys, i, i + 4, words, 0, false);
  return keys;
}
