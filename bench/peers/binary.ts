import forge from 'node-forge';

/**
 * node-forge works on strings of one character per byte. In pieces: it spreads the bytes over the
 * arguments of one call, and a worker's stack is small.
 */
export function toBinary(data: Uint8Array): string {
  const PIECE = 8192;
  const pieces = Array.from({ length: Math.ceil(data.length / PIECE) }, (_, i) =>
    forge.util.binary.raw.encode(data.subarray(i * PIECE, (i + 1) * PIECE)),
  );
  return pieces.join('');
}

export const fromBinary = (text: string): Uint8Array => forge.util.binary.raw.decode(text);
