/**
 * RC6-32/20 (Rivest, Robshaw, Sidney, Yin, "The RC6 Block Cipher", version 1.1, 1998): blocks of 128 bits,
 * little-endian words, 20 rounds.
 *
 * No address and no branch depends on a secret. It multiplies, and rotates by amounts that depend on key and
 * data: constant-time on current processors, which JavaScript engines do not promise.
 */
import { rotateLeft32, rotateRight32 } from '../words.ts';
import { KeyedWordCipher, keyWords } from './word-cipher.ts';

const ROUNDS = 20;
/** 2r + 4 round keys */
const KEYS = 2 * ROUNDS + 4;

// Section 2.1: Odd((e - 2) · 2^32) and Odd((φ - 1) · 2^32)
const P32 = 0xb7e15163;
const Q32 = 0x9e3779b9;

/** RC6-32/20 with keys of 16, 24 or 32 bytes. */
export class Rc6 extends KeyedWordCipher {
  /** @param key 16, 24 or 32 bytes; copied */
  constructor(key: Uint8Array) {
    super(key, expandRc6Key);
  }

  /** Section 2.2, figure 2 */
  protected encryptWords(w: Int32Array, from: number, to: number): void {
    const s = this.keys;
    for (let p = from; p < to; p += 4) {
      let a = w[p];
      let b = (w[p + 1] + s[0]) | 0;
      let c = w[p + 2];
      let d = (w[p + 3] + s[1]) | 0;
      // Four rounds at a time, so that (A, B, C, D) = (B, C, D, A) needs no moves.
      for (let i = 2; i < KEYS - 2; i += 8) {
        let t = spread(b);
        let u = spread(d);
        a = (rotateLeft32(a ^ t, u) + s[i]) | 0;
        c = (rotateLeft32(c ^ u, t) + s[i + 1]) | 0;
        t = spread(c);
        u = spread(a);
        b = (rotateLeft32(b ^ t, u) + s[i + 2]) | 0;
        d = (rotateLeft32(d ^ u, t) + s[i + 3]) | 0;
        t = spread(d);
        u = spread(b);
        c = (rotateLeft32(c ^ t, u) + s[i + 4]) | 0;
        a = (rotateLeft32(a ^ u, t) + s[i + 5]) | 0;
        t = spread(a);
        u = spread(c);
        d = (rotateLeft32(d ^ t, u) + s[i + 6]) | 0;
        b = (rotateLeft32(b ^ u, t) + s[i + 7]) | 0;
      }
      w[p] = a + s[KEYS - 2];
      w[p + 1] = b;
      w[p + 2] = c + s[KEYS - 1];
      w[p + 3] = d;
    }
  }

  /** Section 2.2, figure 3 */
  protected decryptWords(w: Int32Array, from: number, to: number): void {
    const s = this.keys;
    for (let p = from; p < to; p += 4) {
      let a = (w[p] - s[KEYS - 2]) | 0;
      let b = w[p + 1];
      let c = (w[p + 2] - s[KEYS - 1]) | 0;
      let d = w[p + 3];
      for (let i = KEYS - 10; i >= 2; i -= 8) {
        let u = spread(c);
        let t = spread(a);
        b = rotateRight32((b - s[i + 7]) | 0, t) ^ u;
        d = rotateRight32((d - s[i + 6]) | 0, u) ^ t;
        u = spread(b);
        t = spread(d);
        a = rotateRight32((a - s[i + 5]) | 0, t) ^ u;
        c = rotateRight32((c - s[i + 4]) | 0, u) ^ t;
        u = spread(a);
        t = spread(c);
        d = rotateRight32((d - s[i + 3]) | 0, t) ^ u;
        b = rotateRight32((b - s[i + 2]) | 0, u) ^ t;
        u = spread(d);
        t = spread(b);
        c = rotateRight32((c - s[i + 1]) | 0, t) ^ u;
        a = rotateRight32((a - s[i]) | 0, u) ^ t;
      }
      w[p] = a;
      w[p + 1] = b - s[0];
      w[p + 2] = c;
      w[p + 3] = d - s[1];
    }
  }
}

/** (x · (2x + 1)) <<< lg w */
function spread(x: number): number {
  const product = Math.imul(x, 2 * x + 1);
  return (product << 5) | (product >>> 27);
}

/**
 * Section 2.1, figure 1.
 *
 * @param key 16, 24 or 32 bytes; not kept
 * @returns 44 round keys; wipe them
 */
export function expandRc6Key(key: Uint8Array): Int32Array {
  const l = keyWords(key);
  const s = new Int32Array(KEYS);
  for (let i = 0; i < KEYS; i++) s[i] = P32 + Math.imul(i, Q32);
  let a = 0;
  let b = 0;
  for (let step = 0; step < 3 * KEYS; step++) {
    const i = step % KEYS;
    const j = step % l.length;
    a = s[i] = rotateLeft32((s[i] + a + b) | 0, 3);
    b = l[j] = rotateLeft32((l[j] + a + b) | 0, a + b);
  }
  l.fill(0);
  return s;
}
