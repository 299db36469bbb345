/**
 * Bits of the last byte beyond so many become 0, in place.
 *
 * @param bytes as many as `lengthBits` needs
 */
export function firstBits(bytes: Uint8Array, lengthBits: number): Uint8Array {
  if (lengthBits % 8 !== 0) bytes[bytes.length - 1]! &= 0xff00 >> (lengthBits % 8);
  return bytes;
}
