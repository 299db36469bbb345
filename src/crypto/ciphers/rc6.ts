/**
 * RC6-32/20 (Rivest, Robshaw, Sidney, Yin, "The RC6 Block Cipher", version 1.1, 1998): blocks of 128 bits,
 * little-endian words, 20 rounds.
 *
 * No address and no branch depends on a secret. It multiplies, and rotates by amounts that depend on key and
 * data: constant-time on current processors, which JavaScript engines do not promise.
 */
import { checkBytes } from '../errors.ts';
import { keyWords, WordCipher } from './word-cipher.ts';

const ROUNDS = 20;
/** 2r + 4 round keys */
const KEYS = 2 * ROUNDS + 4;

// Section 2.1: Odd((e - 2) · 2^32) and Odd((φ - 1) · 2^32)
const P32 = 0xb7e15163;
const Q32 = 0x9e3779b9;

/** RC6-32/20 with keys of 16, 24 or 32 bytes. */
export class Rc6 extends WordCipher {
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
        a = (rotl(a ^ t, u) + s[i]) | 0;
        c = (rotl(c ^ u, t) + s[i + 1]) | 0;
        t = spread(c);
        u = spread(a);
        b = (rotl(b ^ t, u) + s[i + 2]) | 0;
        d = (rotl(d ^ u, t) + s[i + 3]) | 0;
        t = spread(d);
        u = spread(b);
        c = (rotl(c ^ t, u) + s[i + 4]) | 0;
        a = (rotl(a ^ u, t) + s[i + 5]) | 0;
        t = spread(a);
        u = spread(c);
        d = (rotl(d ^ t, u) + s[i + 6]) | 0;
        b = (rotl(b ^ u, t) + s[i + 7]) | 0;
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
        b = rotr((b - s[i + 7]) | 0, t) ^ u;
        d = rotr((d - s[i + 6]) | 0, u) ^ t;
        u = spread(b);
        t = spread(d);
        a = rotr((a - s[i + 5]) | 0, t) ^ u;
        c = rotr((c - s[i + 4]) | 0, u) ^ t;
        u = spread(a);
        t = spread(c);
        d = rotr((d - s[i + 3]) | 0, t) ^ u;
        b = rotr((b - s[i + 2]) | 0, u) ^ t;
        u = spread(d);
        t = spread(b);
        c = rotr((c - s[i + 1]) | 0, t) ^ u;
        a = rotr((a - s[i]) | 0, u) ^ t;
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

/** Rotation by the low five bits of `count`, 0 included. */
function rotl(x: number, count: number): number {
  return (x << count) | (x >>> (32 - count));
}

function rotr(x: number, count: number): number {
  return (x >>> count) | (x << (32 - count));
}

/** Section 2.1, figure 1 */
function expandKey(key: Uint8Array): Int32Array {
  const l = keyWords(key);
  const s = new Int32Array(KEYS);
  for (let i = 0; i < KEYS; i++) s[i] = P32 + Math.imul(i, Q32);
  let a = 0;
  let b = 0;
  for (let step = 0; step < 3 * KEYS; step++) {
    const i = step % KEYS;
    const j = step % l.length;
    a = s[i] = rotl((s[i] + a + b) | 0, 3);
    b = l[j] = rotl((l[j] + a + b) | 0, a + b);
  }
  l.fill(0);
  return s;
}
