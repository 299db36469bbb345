import { CHUNKS_MAX } from '../limits.ts';

/**
 * C2SP chunked encryption, "AEAD usage": nonce = base nonce XOR chunk number, the number as a
 * big-endian integer as wide as the nonce; below 2^38 it touches the last 5 bytes only.
 *
 * @param baseNonce 12 bytes, not changed
 * @throws RangeError from chunk number 2^38 on, where the construction has to stop
 */
export function chunkNonce(baseNonce: Uint8Array, chunkNumber: number): Uint8Array {
  if (chunkNumber >= CHUNKS_MAX) throw new RangeError('a message has at most 2^38 chunks');
  const nonce = new Uint8Array(baseNonce);
  const view = new DataView(nonce.buffer, nonce.byteLength - 8);
  view.setUint32(0, view.getUint32(0) ^ Math.floor(chunkNumber / 2 ** 32));
  view.setUint32(4, view.getUint32(4) ^ (chunkNumber % 2 ** 32));
  return nonce;
}
