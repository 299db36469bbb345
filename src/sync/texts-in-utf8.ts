/** A text as bytes, and the buffer that begins with them. */
export interface TextBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The bytes with `spare` more bytes behind them; absent for long texts. */
  readonly room?: Uint8Array<ArrayBuffer>;
}

/** UTF-8 has at most three bytes for a UTF-16 code unit. */
const MOST_BYTES = 3;
/** From this many characters a separate array costs little compared with the text. */
const LONG = 16 * 1024;

/**
 * Encodes many texts as UTF-8 into one array. One array for each text costs more than encoding a
 * short text, and in some JavaScript engines `encode` takes ten times as long as `encodeInto`.
 *
 * @param spare free bytes behind each text that is not long
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
