/*
 * Reads a sealed message, binary or armored, from a file, a pipe or standard input. It is read once, from the
 * beginning and in pieces, so that 32 GiB need no more memory than a small message.
 */
import { stat } from 'node:fs/promises';
import { concat, fromBase64url } from '../crypto/bytes.ts';
import { EnvelopeError } from '../format/errors.ts';
import { ARMOR_PREFIX } from '../format/wire/armor.ts';
import { isWebArmor, webUnarmor } from '../format/wire/web-armor.ts';
import { PREFIX_BYTES_MAX } from '../format/wire/envelope.ts';
import { hasMagic } from '../format/wire/header.ts';
import { STANDARD, piecesOf } from './input.ts';
import type { StandardInput } from './input.ts';

/** A sealed message that is read once. */
export interface SealedFile {
  /** The beginning of the message: at least everything before its first chunk. */
  readonly head: Uint8Array;
  /** Length of the whole message; undefined where only its end tells. */
  readonly totalBytes: number | undefined;
  /** The message from this position of the head on. */
  from(offset: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Opens a sealed file. @throws CommandError if it cannot be read; EnvelopeError for armor that is not valid */
export async function openSealedFile(
  path: string,
  standardInput: StandardInput,
): Promise<SealedFile> {
  const input = piecesOf(path, standardInput);
  try {
    const beginning = await atLeast(input, PREFIX_BYTES_MAX);
    const all = joined(beginning, input);
    const form = hasMagic(beginning) ? 'binary' : formOf(beginning);
    const isText = form !== 'binary';
    const message = isText ? (form === 'web' ? unarmoredWord(all) : unarmored(all)) : all;
    const head = isText ? await atLeast(message, PREFIX_BYTES_MAX) : beginning;
    const rest = isText ? message : input;
    return {
      head,
      totalBytes: isText ? undefined : await sizeOf(path),
      async *from(offset) {
        yield head.subarray(offset);
        yield* rest;
      },
      close: async () => {
        await input.return(undefined);
      },
    };
  } catch (error) {
    await input.return(undefined);
    throw error;
  }
}

/** The length of a regular file; a pipe has none. */
async function sizeOf(path: string): Promise<number | undefined> {
  if (path === STANDARD) return undefined;
  const found = await stat(path);
  return found.isFile() ? found.size : undefined;
}

/** The next pieces, joined: so many bytes or more, fewer at the end. */
async function atLeast(
  pieces: AsyncGenerator<Uint8Array, undefined>,
  bytes: number,
): Promise<Uint8Array> {
  const found: Uint8Array[] = [];
  for (let length = 0; length < bytes;) {
    const { value, done } = await pieces.next();
    if (done) break;
    found.push(value);
    length += value.length;
  }
  return found.length === 1 ? found[0]! : concat(...found);
}

async function* joined(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array, undefined>,
): AsyncGenerator<Uint8Array, undefined> {
  yield first;
  yield* rest;
}

/** White space, and characters that are not seen: soft hyphen, zero-width space, word joiner, byte order mark. */
const IGNORED = /[\s\u00ad\u200b\u2060\ufeff]+/g;
/** The signs of quoted mail, at the beginning of a line. */
const QUOTED = /\n(?:[^\S\n]*>)+/g;
const MAY_BE_QUOTED = /[\s>]/;

/** What does not begin as an armored text is taken for a binary message. */
function formOf(beginning: Uint8Array): 'binary' | 'line' | 'web' {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(beginning.subarray(0, 2 ** 12));
  const start = withoutBreaks(`\n${text}`);
  return start.startsWith(ARMOR_PREFIX) ? 'line' : isWebArmor(start) ? 'web' : 'binary';
}

function withoutBreaks(text: string): string {
  return text.replace(QUOTED, '').replace(IGNORED, '');
}

/**
 * Whether the text ends in the beginning of a line, of which nothing is left but white space and signs of quoted
 * mail. Reads backwards, because a pattern would try each line feed of a long run.
 */
function endsAtLineStart(text: string): boolean {
  let at = text.length;
  while (at > 0 && text[at - 1] !== '\n' && MAY_BE_QUOTED.test(text[at - 1]!)) at--;
  return at > 0 && text[at - 1] === '\n';
}

/** The longest web armor, with as many line breaks and signs of quoted mail. */
const WORD_BYTES_MAX = 2 ** 26;

/** The bytes of a text in web armor, which is checked as a whole. */
async function* unarmoredWord(
  pieces: AsyncGenerator<Uint8Array, undefined>,
): AsyncGenerator<Uint8Array, undefined> {
  const found: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > WORD_BYTES_MAX) {
      throw new EnvelopeError(
        'TOO_LARGE',
        `A text in web armor has at most ${WORD_BYTES_MAX} bytes`,
      );
    }
    found.push(piece);
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(concat(...found));
  yield webUnarmor(withoutBreaks(`\n${text}`));
}

/** The bytes of an armored text, in which mail and editors may have broken lines (docs/fields.md). */
async function* unarmored(
  pieces: AsyncGenerator<Uint8Array, undefined>,
): AsyncGenerator<Uint8Array, undefined> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  // At the beginning of a line, further signs of quoted mail may follow in the next piece.
  let [lineStart, digits, isStart] = ['\n', '', true];
  for await (const piece of pieces) {
    const text = lineStart + decoder.decode(piece, { stream: true });
    digits += withoutBreaks(text);
    lineStart = endsAtLineStart(text) ? '\n' : '';
    if (isStart && digits.length < ARMOR_PREFIX.length) continue;
    if (isStart) digits = digits.slice(ARMOR_PREFIX.length);
    isStart = false;
    // The last group is the only one that may be short: it is decoded at the end.
    const whole = Math.max(0, digits.length - 4);
    const end = whole - (whole % 4);
    yield decoded(digits.slice(0, end));
    digits = digits.slice(end);
  }
  yield decoded(digits + withoutBreaks(lineStart + decoder.decode()));
}

function decoded(digits: string): Uint8Array {
  try {
    return fromBase64url(digits);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new EnvelopeError('BAD_ENVELOPE', `Not "${ARMOR_PREFIX}" and canonical base64url`);
  }
}
