/** A text as bytes, and the place that they stand at the beginning of. */
export interface TextBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** With `spare` bytes more; absent where there are none. */
  readonly room?: Uint8Array<ArrayBuffer>;
}

/** UTF-8 has at most three bytes for a UTF-16 code unit. */
const MOST_BYTES = 3;
/** Characters from which on an array of its own costs nothing beside the text. */
const LONG = 16 * 1024;

/**
 * UTF-8 of many texts in one array: an array for each costs more than to write a short text, and in
 * some engines `encode` alone ten times as much as `encodeInto`.
 *
 * @param spare bytes that stay free behind each text, if it is not long
 */
export function textsInUtf8(texts: readonly string[], spare = 0): TextBytes[] {
  const encoder = new TextEncoder();
  const bytesOf = ({ length }: string): number => (length > LONG ? 0 : MOST_BYTES * length + spare);
  const all = new Uint8Array(texts.reduce((sum, text) => sum + bytesOf(text), 0));
  let at = 0;
  return texts.map((text) => {
    if (text.length > LONG) return { bytes: encoder.encode(text) };
    const { written } = encoder.encodeInto(text, all.subarray(at));
    const room = all.subarray(at, (at += written + spare));
    return { bytes: room.subarray(0, written), room };
  });
}
