/**
 * Message lengths at which block ciphers, hashes and their buffers go wrong, in bytes. Every mode
 * and every engine is tested at all of them.
 *
 * - `EDGE_LENGTHS`: empty, one byte, and one less, equal and one more at each block (16), hash
 *   block (64, 128), and buffer edge that the code has.
 * - `unaligned(bytes, shift)`: the same bytes in a view that starts `shift` bytes into its buffer.
 */

/** 16: AES block. 64, 128: SHA blocks. 512, 4096: chunks of src/crypto/aes. 256 blocks: counters. */
const EDGES = [16, 32, 64, 128, 256, 512, 1024, 4096, 8192];

export const EDGE_LENGTHS: readonly number[] = [
  0,
  1,
  ...EDGES.flatMap((edge) => [edge - 1, edge, edge + 1]),
];

/** @returns a copy whose byteOffset is `shift` modulo 8, between bytes that are not zero */
export function unaligned(bytes: Uint8Array, shift: number): Uint8Array<ArrayBuffer> {
  const room = new Uint8Array(bytes.length + 16).fill(0xa5);
  room.set(bytes, shift);
  return room.subarray(shift, shift + bytes.length);
}
