/** XORs the key stream of a stream cipher with 64-byte blocks to a message. */
import { wipe } from '../bytes.ts';
import { load32le, store32le } from '../words.ts';

/** Bytes of one block of key stream in Salsa20 and ChaCha20. */
export const STREAM_BLOCK_BYTES = 64;

/** Shorter messages are read and written byte by byte. */
const WORDS_FROM_BYTES = 256;

/**
 * target = source ⊕ key stream, whose words are little-endian. Drops the unused rest of the last block.
 *
 * @param nextBlock writes the next 16 words
 * @param source any length
 * @param target as long as `source`, which it may be
 */
export function xorKeyStream(
  nextBlock: (block: Int32Array) => void,
  source: Uint8Array,
  target: Uint8Array,
): void {
  const block = new Int32Array(16);
  const whole = source.length - (source.length % STREAM_BLOCK_BYTES);
  // Words of the arrays take half the time of words from bytes, where there are such. To ask a short array for its buffer costs more.
  const isLong = whole >= WORDS_FROM_BYTES;
  const from = isLong ? wordsOf(source, whole) : undefined;
  const to = isLong ? wordsOf(target, whole) : undefined;
  for (let done = 0; done < whole; done += STREAM_BLOCK_BYTES) {
    nextBlock(block);
    if (from && to) {
      for (let i = 0; i < 16; i++) to[done / 4 + i] = from[done / 4 + i] ^ block[i];
    } else {
      for (let i = 0; i < 16; i++) {
        const at = done + 4 * i;
        store32le(target, at, load32le(source, at) ^ block[i]);
      }
    }
  }
  if (whole < source.length) {
    nextBlock(block);
    for (let i = whole; i < source.length; i++) {
      const at = i - whole;
      target[i] = source[i] ^ (block[at >> 2] >>> (8 * (at & 3)));
    }
  }
  wipe(block);
}

const IS_LITTLE_ENDIAN = /* @__PURE__ */ isLittleEndian();

function isLittleEndian(): boolean {
  return new Uint8Array(Int32Array.of(1).buffer)[0] === 1;
}

/** The same memory as little-endian words; undefined where it is not aligned, or the processor has the other order. */
function wordsOf(bytes: Uint8Array, length: number): Int32Array | undefined {
  if (!IS_LITTLE_ENDIAN || bytes.byteOffset % 4 !== 0) return undefined;
  return new Int32Array(bytes.buffer, bytes.byteOffset, length / 4);
}
