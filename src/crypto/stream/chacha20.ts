/**
 * ChaCha20 (RFC 8439, section 2): a stream cipher of additions, rotations and XOR of 32-bit words.
 *
 * Encryption and decryption are the same operation. It is not authenticated: changing a bit of the ciphertext
 * changes that bit of the plaintext. It has no table look-ups and no branches on data: the time depends on
 * lengths only.
 */
import { wipe } from '../bytes.ts';
import { checkBytes, checkInteger, targetOf } from '../errors.ts';
import { load32le } from '../words.ts';
import { STREAM_BLOCK_BYTES, xorKeyStream } from './key-stream.ts';

/** Blocks under one key and nonce: the counter has 32 bits (section 2.3). */
const MAX_BLOCKS = 0x1_0000_0000;

/** Section 2.3: "expand 32-byte k", the first four words of the state. */
export const CONSTANTS = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/**
 * @param key 32 bytes
 * @param nonce 12 bytes, never twice under one key
 * @param counter number of the first block, 0 … 2^32 - 1
 * @param source any length, of at most 2^32 - counter blocks of 64 bytes
 * @param target as long as `source`, which it may be; a new array if absent
 * @returns `target`: source ⊕ key stream
 * @throws RangeError if the message is so long that the counter would repeat
 */
export function chacha20(
  key: Uint8Array,
  nonce: Uint8Array,
  counter: number,
  source: Uint8Array,
  target?: Uint8Array,
): Uint8Array {
  checkBytes('key', key, 32);
  checkBytes('nonce', nonce, 12);
  checkInteger('counter', counter, 0, MAX_BLOCKS - 1);
  checkBytes('source', source);
  const result = targetOf(target, source.length);
  checkChachaBlocks(counter, source.length);
  const state = chachaState(key, counter, nonce);
  // Section 2.4: XORs each block of the source with the key stream of its counter.
  xorKeyStream((block) => nextBlock(state, block), source, result);
  wipe(state);
  return result;
}

/**
 * @param counter number of the first block
 * @param lengthBytes of the whole message
 * @throws RangeError if a block's number would not fit 32 bits
 */
export function checkChachaBlocks(counter: number, lengthBytes: number): void {
  if (counter + Math.ceil(lengthBytes / STREAM_BLOCK_BYTES) > MAX_BLOCKS) {
    throw new RangeError(
      `source has ${lengthBytes} bytes, more than the counter allows from block ${counter}`,
    );
  }
}

/**
 * Section 2.3: constants ‖ key ‖ counter ‖ nonce.
 *
 * @param key 32 bytes
 * @param nonce 12 bytes
 * @returns 16 words; to be wiped
 */
export function chachaState(key: Uint8Array, counter: number, nonce: Uint8Array): Int32Array {
  const state = new Int32Array(16);
  state.set(CONSTANTS);
  for (let i = 0; i < 8; i++) state[4 + i] = load32le(key, 4 * i);
  state[12] = counter;
  for (let i = 0; i < 3; i++) state[13 + i] = load32le(nonce, 4 * i);
  return state;
}

/** Section 2.3: the state after 20 rounds, plus the state before them. Increments the counter. */
function nextBlock(state: Int32Array, block: Int32Array): void {
  block.set(state);
  chachaRounds(block);
  for (let i = 0; i < 16; i++) block[i] += state[i];
  state[12]++;
}

/**
 * The 20 rounds of section 2.3 in place: ten times, on columns and then on diagonals. Rotations are written out for the
 * same reason as in sha256.ts.
 */
export function chachaRounds(state: Int32Array): void {
  let x0 = state[0];
  let x1 = state[1];
  let x2 = state[2];
  let x3 = state[3];
  let x4 = state[4];
  let x5 = state[5];
  let x6 = state[6];
  let x7 = state[7];
  let x8 = state[8];
  let x9 = state[9];
  let x10 = state[10];
  let x11 = state[11];
  let x12 = state[12];
  let x13 = state[13];
  let x14 = state[14];
  let x15 = state[15];
  for (let doubleRound = 0; doubleRound < 10; doubleRound++) {
    // QUARTERROUND (section 2.1) on the four columns
    x0 = (x0 + x4) | 0;
    x12 ^= x0;
    x12 = (x12 << 16) | (x12 >>> 16);
    x8 = (x8 + x12) | 0;
    x4 ^= x8;
    x4 = (x4 << 12) | (x4 >>> 20);
    x0 = (x0 + x4) | 0;
    x12 ^= x0;
    x12 = (x12 << 8) | (x12 >>> 24);
    x8 = (x8 + x12) | 0;
    x4 ^= x8;
    x4 = (x4 << 7) | (x4 >>> 25);

    x1 = (x1 + x5) | 0;
    x13 ^= x1;
    x13 = (x13 << 16) | (x13 >>> 16);
    x9 = (x9 + x13) | 0;
    x5 ^= x9;
    x5 = (x5 << 12) | (x5 >>> 20);
    x1 = (x1 + x5) | 0;
    x13 ^= x1;
    x13 = (x13 << 8) | (x13 >>> 24);
    x9 = (x9 + x13) | 0;
    x5 ^= x9;
    x5 = (x5 << 7) | (x5 >>> 25);

    x2 = (x2 + x6) | 0;
    x14 ^= x2;
    x14 = (x14 << 16) | (x14 >>> 16);
    x10 = (x10 + x14) | 0;
    x6 ^= x10;
    x6 = (x6 << 12) | (x6 >>> 20);
    x2 = (x2 + x6) | 0;
    x14 ^= x2;
    x14 = (x14 << 8) | (x14 >>> 24);
    x10 = (x10 + x14) | 0;
    x6 ^= x10;
    x6 = (x6 << 7) | (x6 >>> 25);

    x3 = (x3 + x7) | 0;
    x15 ^= x3;
    x15 = (x15 << 16) | (x15 >>> 16);
    x11 = (x11 + x15) | 0;
    x7 ^= x11;
    x7 = (x7 << 12) | (x7 >>> 20);
    x3 = (x3 + x7) | 0;
    x15 ^= x3;
    x15 = (x15 << 8) | (x15 >>> 24);
    x11 = (x11 + x15) | 0;
    x7 ^= x11;
    x7 = (x7 << 7) | (x7 >>> 25);

    // QUARTERROUND (section 2.1) on the four diagonals
    x0 = (x0 + x5) | 0;
    x15 ^= x0;
    x15 = (x15 << 16) | (x15 >>> 16);
    x10 = (x10 + x15) | 0;
    x5 ^= x10;
    x5 = (x5 << 12) | (x5 >>> 20);
    x0 = (x0 + x5) | 0;
    x15 ^= x0;
    x15 = (x15 << 8) | (x15 >>> 24);
    x10 = (x10 + x15) | 0;
    x5 ^= x10;
    x5 = (x5 << 7) | (x5 >>> 25);

    x1 = (x1 + x6) | 0;
    x12 ^= x1;
    x12 = (x12 << 16) | (x12 >>> 16);
    x11 = (x11 + x12) | 0;
    x6 ^= x11;
    x6 = (x6 << 12) | (x6 >>> 20);
    x1 = (x1 + x6) | 0;
    x12 ^= x1;
    x12 = (x12 << 8) | (x12 >>> 24);
    x11 = (x11 + x12) | 0;
    x6 ^= x11;
    x6 = (x6 << 7) | (x6 >>> 25);

    x2 = (x2 + x7) | 0;
    x13 ^= x2;
    x13 = (x13 << 16) | (x13 >>> 16);
    x8 = (x8 + x13) | 0;
    x7 ^= x8;
    x7 = (x7 << 12) | (x7 >>> 20);
    x2 = (x2 + x7) | 0;
    x13 ^= x2;
    x13 = (x13 << 8) | (x13 >>> 24);
    x8 = (x8 + x13) | 0;
    x7 ^= x8;
    x7 = (x7 << 7) | (x7 >>> 25);

    x3 = (x3 + x4) | 0;
    x14 ^= x3;
    x14 = (x14 << 16) | (x14 >>> 16);
    x9 = (x9 + x14) | 0;
    x4 ^= x9;
    x4 = (x4 << 12) | (x4 >>> 20);
    x3 = (x3 + x4) | 0;
    x14 ^= x3;
    x14 = (x14 << 8) | (x14 >>> 24);
    x9 = (x9 + x14) | 0;
    x4 ^= x9;
    x4 = (x4 << 7) | (x4 >>> 25);
  }
  state[0] = x0;
  state[1] = x1;
  state[2] = x2;
  state[3] = x3;
  state[4] = x4;
  state[5] = x5;
  state[6] = x6;
  state[7] = x7;
  state[8] = x8;
  state[9] = x9;
  state[10] = x10;
  state[11] = x11;
  state[12] = x12;
  state[13] = x13;
  state[14] = x14;
  state[15] = x15;
}
