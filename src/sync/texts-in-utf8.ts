import { concat } from '../crypto/bytes.ts';

/** A text as bytes, and the buffer that begins with them. */
export interface TextBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The bytes with `spare` more bytes behind them; absent for long texts. */
  readonly room?: Uint8Array<ArrayBuffer>;
}

const NOTHING = new Uint8Array(0);
/** UTF-8 has at most three bytes for a UTF-16 code unit. */
const MOST_BYTES = 3;
/** From this many characters a separate array costs little compared with the text. */
const LONG = 16 * 1024;

/** A text, and after it what is UTF-8 already. */
interface BegunText {
  readonly text: string;
  readonly rest?: Uint8Array;
}

/**
 * Encodes many texts as UTF-8 into one array. One array for each text costs more than encoding a
 * short text, and in some JavaScript engines `encode` takes ten times as long as `encodeInto`.
 *
 * @param spare free bytes behind each text that is not long
 */
export function textsInUtf8(texts: readonly BegunText[], spare = 0): TextBytes[] {
  const encoder = new TextEncoder();
  const isLong = ({ text, rest }: BegunText): boolean => text.length + (rest?.length ?? 0) > LONG;
  const bytesOf = ({ text, rest = NOTHING }: BegunText): number =>
    MOST_BYTES * text.length + rest.length + spare;
  const all = new Uint8Array(texts.reduce((sum, one) => sum + (isLong(one) ? 0 : bytesOf(one)), 0));
  let at = 0;
  return texts.map((one) => {
    const { text, rest = NOTHING } = one;
    if (isLong(one)) return { bytes: concat(encoder.encode(text), rest) };
    const { written } = encoder.encodeInto(text, all.subarray(at));
    const end = at + written + rest.length;
    all.set(rest, at + written);
    const room = all.subarray(at, end + spare);
    at = end + spare;
    return { bytes: room.subarray(0, room.length - spare), room };
  });
}
