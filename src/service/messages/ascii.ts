/*
 * Armored lines cross the wire as bytes. Latin-1 maps each byte to one character, so a byte that
 * is not ASCII stays one, and the armor's own parser refuses it.
 */

/** Each byte as one character (Latin-1). */
export function asciiText(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

/** The bytes of ASCII text. */
export function asciiBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
