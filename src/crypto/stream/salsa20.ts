/**
 * Salsa20 (D. J. Bernstein, "Salsa20 specification", 27 April 2005; the variants with 8 and 12 rounds from
 * "The Salsa20 family of stream ciphers"): the predecessor of ChaCha20.
 *
 * Encryption and decryption are the same operation. It is not authenticated: changing a bit of the ciphertext
 * changes that bit of the plaintext. It has no table look-ups and no branches on data: the time depends on
 * lengths only.
 */
import { wipe } from '../bytes.ts';
import { checkBytes, targetOf } from '../errors.ts';
import { load32le, rotateLeft32 } from '../words.ts';
import { STREAM_BLOCK_BYTES, xorKeyStream } from './key-stream.ts';

/** Blocks under one key and nonce: the counter has 64 bits (section 10). */
const MAX_BLOCKS = 0x1_0000_0000_0000_0000n;

/** Section 9: σ, "expand 32-byte k", with a key of 32 bytes, τ, "expand 16-byte k", with one of 16. */
const SIGMA = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];
const TAU = [0x6170_7865, 0x3120_646e, 0x7962_2d36, 0x6b20_6574];

/** Numbers of rounds: Salsa20/8, Salsa20/12, Salsa20/20. */
export type SalsaRounds = 8 | 12 | 20;

/** Options of Salsa20. */
export interface SalsaOptions {
  /** 20 if absent */
  readonly rounds?: SalsaRounds;
  /** Number of the first block, 0 … 2^64 - 1; 0 if absent */
  readonly counter?: number | bigint;
}

/**
 * @param key 16 or 32 bytes
 * @param nonce 8 bytes, never twice under one key
 * @param source any length, of at most 2^64 - counter blocks of 64 bytes
 * @param target as long as `source`, which it may be; a new array if absent
 * @returns `target`: source ⊕ key stream
 * @throws RangeError if the message is so long that the counter would repeat, or for other rounds
 */
export function salsa20(
  key: Uint8Array,
  nonce: Uint8Array,
  source: Uint8Array,
  options: SalsaOptions = {},
  target?: Uint8Array,
): Uint8Array {
  checkBytes('key', key, [16, 32]);
  checkBytes('nonce', nonce, 8);
  checkBytes('source', source);
  const result = targetOf(target, source.length);
  const rounds = checkSalsaRounds(options.rounds ?? 20);
  const counter = checkSalsaCounter(options.counter ?? 0, source.length);
  const state = salsaState(key, nonce, counter);
  // Section 10: XORs each block of the source with the expansion of nonce and counter.
  xorKeyStream((block) => nextBlock(state, rounds, block), source, result);
  wipe(state);
  return result;
}

/** @returns `rounds`, if it is 8, 12 or 20. @throws RangeError otherwise */
export function checkSalsaRounds(rounds: number): SalsaRounds {
  if (rounds === 8 || rounds === 12 || rounds === 20) return rounds;
  throw new RangeError(`rounds must be 8, 12 or 20, got ${rounds}`);
}

/**
 * @param counter number of the first block
 * @param lengthBytes of the whole message
 * @returns `counter` as bigint
 * @throws TypeError if it is not an integer; RangeError if a block's number would not fit 64 bits
 */
export function checkSalsaCounter(counter: number | bigint, lengthBytes: number): bigint {
  if (typeof counter !== 'bigint' && !Number.isSafeInteger(counter)) {
    throw new TypeError('counter must be an integer');
  }
  const first = BigInt(counter);
  if (first < 0n || first >= MAX_BLOCKS) {
    throw new RangeError(`counter must be 0 to 2^64 - 1, got ${first}`);
  }
  if (first + BigInt(Math.ceil(lengthBytes / STREAM_BLOCK_BYTES)) > MAX_BLOCKS) {
    throw new RangeError(
      `source has ${lengthBytes} bytes, more than the counter allows from block ${first}`,
    );
  }
  return first;
}

/**
 * Sections 9 and 10: the constants are on the diagonal, the key's halves between them, nonce and counter in
 * the middle.
 *
 * @param key 16 or 32 bytes; of 16, both halves are the same
 * @param nonce 8 bytes
 * @param counter 0 … 2^64 - 1, low word first
 * @returns 16 words; to be wiped
 */
export function salsaState(key: Uint8Array, nonce: Uint8Array, counter: bigint): Int32Array {
  const state = new Int32Array(16);
  (key.length === 32 ? SIGMA : TAU).forEach((word, i) => (state[5 * i] = word));
  for (let i = 0; i < 4; i++) {
    state[1 + i] = load32le(key, 4 * i);
    state[11 + i] = load32le(key, key.length - 16 + 4 * i);
  }
  state[6] = load32le(nonce, 0);
  state[7] = load32le(nonce, 4);
  state[8] = Number(counter & 0xffff_ffffn);
  state[9] = Number(counter >> 32n);
  return state;
}

/** The next block of key stream. Increments the counter. */
function nextBlock(state: Int32Array, rounds: SalsaRounds, block: Int32Array): void {
  salsaBlock(state, 0, rounds / 2, block, 0);
  state[8]++;
  if (state[8] === 0) state[9]++;
}

/**
 * Section 8: Salsa20(x) = x + doubleround^count(x), of x = a or, for scrypt, x = a ⊕ b: writing the sum of two
 * blocks first would take a tenth of its time.
 *
 * @param a 16 words from `i` on
 * @param target receives 16 words from `at` on
 * @param b 16 words from `j` on
 */
export function salsaBlock(
  a: Int32Array,
  i: number,
  count: number,
  target: Int32Array,
  at: number,
  b?: Int32Array,
  j = 0,
): void {
  let y0 = a[i];
  let y1 = a[i + 1];
  let y2 = a[i + 2];
  let y3 = a[i + 3];
  let y4 = a[i + 4];
  let y5 = a[i + 5];
  let y6 = a[i + 6];
  let y7 = a[i + 7];
  let y8 = a[i + 8];
  let y9 = a[i + 9];
  let y10 = a[i + 10];
  let y11 = a[i + 11];
  let y12 = a[i + 12];
  let y13 = a[i + 13];
  let y14 = a[i + 14];
  let y15 = a[i + 15];
  if (b !== undefined) {
    y0 ^= b[j];
    y1 ^= b[j + 1];
    y2 ^= b[j + 2];
    y3 ^= b[j + 3];
    y4 ^= b[j + 4];
    y5 ^= b[j + 5];
    y6 ^= b[j + 6];
    y7 ^= b[j + 7];
    y8 ^= b[j + 8];
    y9 ^= b[j + 9];
    y10 ^= b[j + 10];
    y11 ^= b[j + 11];
    y12 ^= b[j + 12];
    y13 ^= b[j + 13];
    y14 ^= b[j + 14];
    y15 ^= b[j + 15];
  }
  let x0 = y0;
  let x1 = y1;
  let x2 = y2;
  let x3 = y3;
  let x4 = y4;
  let x5 = y5;
  let x6 = y6;
  let x7 = y7;
  let x8 = y8;
  let x9 = y9;
  let x10 = y10;
  let x11 = y11;
  let x12 = y12;
  let x13 = y13;
  let x14 = y14;
  let x15 = y15;
  // Section 6: doubleround(x) = rowround(columnround(x))
  for (let turn = 0; turn < count; turn++) {
    // columnround (section 5): quarterround (section 3) on four columns, from the diagonal on
    x4 ^= rotateLeft32((x0 + x12) | 0, 7);
    x8 ^= rotateLeft32((x4 + x0) | 0, 9);
    x12 ^= rotateLeft32((x8 + x4) | 0, 13);
    x0 ^= rotateLeft32((x12 + x8) | 0, 18);

    x9 ^= rotateLeft32((x5 + x1) | 0, 7);
    x13 ^= rotateLeft32((x9 + x5) | 0, 9);
    x1 ^= rotateLeft32((x13 + x9) | 0, 13);
    x5 ^= rotateLeft32((x1 + x13) | 0, 18);

    x14 ^= rotateLeft32((x10 + x6) | 0, 7);
    x2 ^= rotateLeft32((x14 + x10) | 0, 9);
    x6 ^= rotateLeft32((x2 + x14) | 0, 13);
    x10 ^= rotateLeft32((x6 + x2) | 0, 18);

    x3 ^= rotateLeft32((x15 + x11) | 0, 7);
    x7 ^= rotateLeft32((x3 + x15) | 0, 9);
    x11 ^= rotateLeft32((x7 + x3) | 0, 13);
    x15 ^= rotateLeft32((x11 + x7) | 0, 18);

    // rowround (section 4): quarterround (section 3) on four rows, from the diagonal on
    x1 ^= rotateLeft32((x0 + x3) | 0, 7);
    x2 ^= rotateLeft32((x1 + x0) | 0, 9);
    x3 ^= rotateLeft32((x2 + x1) | 0, 13);
    x0 ^= rotateLeft32((x3 + x2) | 0, 18);

    x6 ^= rotateLeft32((x5 + x4) | 0, 7);
    x7 ^= rotateLeft32((x6 + x5) | 0, 9);
    x4 ^= rotateLeft32((x7 + x6) | 0, 13);
    x5 ^= rotateLeft32((x4 + x7) | 0, 18);

    x11 ^= rotateLeft32((x10 + x9) | 0, 7);
    x8 ^= rotateLeft32((x11 + x10) | 0, 9);
    x9 ^= rotateLeft32((x8 + x11) | 0, 13);
    x10 ^= rotateLeft32((x9 + x8) | 0, 18);

    x12 ^= rotateLeft32((x15 + x14) | 0, 7);
    x13 ^= rotateLeft32((x12 + x15) | 0, 9);
    x14 ^= rotateLeft32((x13 + x12) | 0, 13);
    x15 ^= rotateLeft32((x14 + x13) | 0, 18);
  }
  target[at] = x0 + y0;
  target[at + 1] = x1 + y1;
  target[at + 2] = x2 + y2;
  target[at + 3] = x3 + y3;
  target[at + 4] = x4 + y4;
  target[at + 5] = x5 + y5;
  target[at + 6] = x6 + y6;
  target[at + 7] = x7 + y7;
  target[at + 8] = x8 + y8;
  target[at + 9] = x9 + y9;
  target[at + 10] = x10 + y10;
  target[at + 11] = x11 + y11;
  target[at + 12] = x12 + y12;
  target[at + 13] = x13 + y13;
  target[at + 14] = x14 + y14;
  target[at + 15] = x15 + y15;
}
