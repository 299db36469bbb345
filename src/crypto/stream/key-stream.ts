/** XORs the key stream of a stream cipher with 64-byte blocks to a message. */
import { wipe } from '../bytes.ts';
import { load32le, store32le } from '../words.ts';

/** Bytes of one block of key stream in Salsa20 and ChaCha20. */
export const STREAM_BLOCK_BYTES = 64;

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
  for (let done = 0; done < whole; done += STREAM_BLOCK_BYTES) {
    nextBlock(block);
    for (let i = 0; i < 16; i++) {
      const at = done + 4 * i;
      store32le(target, at, load32le(source, at) ^ block[i]);
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
