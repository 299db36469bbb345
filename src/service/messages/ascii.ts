/*
 * Armored lines cross the wire as bytes. Latin-1 maps each byte to one character, so a byte that
 * is not ASCII stays one, and the armor's own parser refuses it.
 */

export function asciiText(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

export function asciiBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
