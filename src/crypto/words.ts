/**
 * 32-bit words in byte arrays, in both byte orders, at any offset. Words are JavaScript's signed 32-bit
 * integers unless a name says unsigned. Internal functions: offsets are not checked.
 */

export function load32be(bytes: Uint8Array, offset: number): number {
  return (
    (bytes[offset] << 24) | (bytes[offset + 1] << 16) | (bytes[offset + 2] << 8) | bytes[offset + 3]
  );
}

/** @returns the little-endian word at the offset, as a signed 32-bit integer */
export function load32le(bytes: Uint8Array, offset: number): number {
  return (
    bytes[offset] | (bytes[offset + 1] << 8) | (bytes[offset + 2] << 16) | (bytes[offset + 3] << 24)
  );
}

/** Writes a 32-bit word big-endian, 4 bytes at the offset. */
export function store32be(bytes: Uint8Array, offset: number, word: number): void {
  bytes[offset] = word >>> 24;
  bytes[offset + 1] = word >>> 16;
  bytes[offset + 2] = word >>> 8;
  bytes[offset + 3] = word;
}

/** Writes a 32-bit word little-endian, 4 bytes at the offset. */
export function store32le(bytes: Uint8Array, offset: number, word: number): void {
  bytes[offset] = word;
  bytes[offset + 1] = word >>> 8;
  bytes[offset + 2] = word >>> 16;
  bytes[offset + 3] = word >>> 24;
}

/** @param value 0 … 2^53 - 1, written as 8 bytes */
export function store64be(bytes: Uint8Array, offset: number, value: number): void {
  store32be(bytes, offset, Math.floor(value / 0x1_0000_0000));
  store32be(bytes, offset + 4, value);
}

/** @param count any integer, of which the low five bits count */
export function rotateLeft32(word: number, count: number): number {
  return (word << count) | (word >>> (32 - count));
}

/** @param count any integer, of which the low five bits count */
export function rotateRight32(word: number, count: number): number {
  return (word >>> count) | (word << (32 - count));
}

/** The same word in the other byte order. */
export function swap32(word: number): number {
  return (word << 24) | ((word << 8) & 0x00ff_0000) | ((word >>> 8) & 0x0000_ff00) | (word >>> 24);
}
