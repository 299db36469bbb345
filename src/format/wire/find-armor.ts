/*
 * Finds armored text on a page, where line breaks and elements split it and other words may follow. Web armor
 * says where it ends. Base64url does not, but few lengths are possible: it has no tail of one character and no
 * unused bits, the last chunk has a tag, and padding allows one length in dozens (docs/format.md sections 4.4, 5
 * and 7). Where markup replaced "-" and "_", few readings are likely. The caller tries to open the candidates.
 */
import { fromBase64url } from '../../crypto/bytes.ts';
import { ARMOR_PREFIX } from './armor.ts';
import { PREFIX_BYTES_MAX, parsePrefix } from './envelope.ts';
import type { Prefix } from './envelope.ts';
import { EnvelopeError } from '../errors.ts';
import { chunkSuite, mayHaveRecipients, parseHeader } from './header.ts';
import {
  HEADER_BYTES,
  PADDED_BYTES_MIN,
  PREFIX_BYTES,
  bodyLength,
  paddedLength,
} from './sealed-length.ts';
import { WEB_ARMOR_END, isWebArmor, webArmorDamage } from './web-armor.ts';

/** At most this many candidates, because each costs a key derivation that a page can cause. */
export const CANDIDATES_MAX = 16;

/** A text that may be a whole message by its public part. */
export interface ArmorCandidate {
  readonly text: string;
  /** How many of the pieces it contains, and how many characters at the end of the last one it does not. */
  readonly pieces: number;
  readonly beyond: number;
}

/** What stands in a piece for a border of an element that markup may have made of "_" or "-". */
export const BORDER_SIGNS = { emphasis: '*', italic: '/', strong: '#', struck: '~' } as const;

/** What typographers and markup make dashes of: most of them, SmartyPants by default, and SmartyPants inverted. */
const DASHES: readonly Readonly<Record<string, string>>[] = [
  { '–': '--', '—': '---' },
  { '–': '--', '—': '--' },
  { '–': '---', '—': '--' },
];
/** The same for elements: Markdown, DokuWiki, Textile; and elements that replaced nothing. */
const BORDERS: readonly Readonly<Record<string, string>>[] = [
  { '*': '_', '/': '_', '#': '__', '~': '-' },
  { '*': '__', '/': '__', '#': '__', '~': '--' },
  { '*': '_', '/': '__', '#': '__', '~': '-' },
  { '*': '', '/': '', '#': '', '~': '' },
];
/** The sign between digits, of Textile and DokuWiki. */
const DIMENSIONS: readonly Readonly<Record<string, string>>[] = [{ '×': 'x' }, { '×': 'X' }];
const WAYS = /* @__PURE__ */ DIMENSIONS.flatMap((dimensions) =>
  BORDERS.flatMap((borders) => DASHES.map((dashes) => ({ ...dashes, ...borders, ...dimensions }))),
);
const SIGN = /[–—*/#~×]/g;

/** The characters of the header: 4 for 3 bytes. */
const HEADER_CHARACTERS = (4 * HEADER_BYTES) / 3;
/** How far before the end of the pieces a message may end within a word. */
const GLUED_CHARACTERS_MAX = 512;

/**
 * The candidates for the message, the likely ones first.
 *
 * @param pieces the text between two breaks each; together they begin with "sw1." or "swt1". They may have dashes,
 *   multiplication signs and BORDER_SIGNS in place of other characters
 * @returns at most 16
 */
export function armorCandidates(pieces: readonly string[]): readonly ArmorCandidate[] {
  const found: ArmorCandidate[] = [];
  for (const candidate of eachCandidate(pieces)) {
    if (found.push(candidate) === CANDIDATES_MAX) break;
  }
  return found;
}

/**
 * The same without a limit, each when it is asked for: those that end at a break, and then those within words.
 *
 * @param isGlued whether those within words are looked for, which takes longer
 */
export function* eachCandidate(
  pieces: readonly string[],
  isGlued = true,
): Generator<ArmorCandidate> {
  const run = pieces.join('');
  if (isWebArmor(run)) {
    const text = run.slice(0, run.indexOf(WEB_ARMOR_END) + 1).toLowerCase();
    const isWhole = webArmorDamage(text) === undefined;
    if (isWhole) yield { text, pieces: pieces.length, beyond: run.length - text.length };
    return;
  }
  const seen = new Set<string>();
  const isNew = ({ text }: ArmorCandidate): boolean => !seen.has(text) && Boolean(seen.add(text));
  const readings: [read: readonly string[], beginning: Beginning][] = [];
  for (const read of readingsOf(pieces, run)) {
    const beginning = beginningOf(read.join(''));
    if (!beginning) continue;
    readings.push([read, beginning]);
    for (const candidate of atBreaks(read, beginning)) if (isNew(candidate)) yield candidate;
  }
  if (!isGlued) return;
  for (const reading of readings) {
    for (const candidate of withinWords(...reading)) if (isNew(candidate)) yield candidate;
  }
}

/** Whether a message may end after so many characters of a text that begins with it. */
export type MessageEnds = (run: string, characters: number) => boolean;

/**
 * Tells where a message may end of which a text has the beginning; undefined if it is no message, or too short a
 * beginning.
 *
 * @param beginnings keeps what is read, for the other texts of a search
 */
export function messageEnds(run: string, beginnings: Beginnings): MessageEnds | undefined {
  const beginning = beginningOf(run, beginnings);
  return beginning && ((text, characters) => mayEnd(text, characters, beginning));
}

/** One reading for text as it was written; else one for each way of markup, in which all signs are read alike. */
function* readingsOf(pieces: readonly string[], run: string): Generator<readonly string[]> {
  const signs = [...new Set(run.match(SIGN))];
  const names = new Set<string>();
  for (const way of signs.length === 0 ? [{}] : WAYS) {
    const name = signs.map((sign) => way[sign]).join(' ');
    if (names.has(name)) continue;
    names.add(name);
    yield pieces.map((piece) => piece.replace(SIGN, (sign) => way[sign]!));
  }
}

/** The longest first. */
function* atBreaks(pieces: readonly string[], beginning: Beginning): Generator<ArmorCandidate> {
  const run = pieces.join('');
  let end = run.length;
  for (let count = pieces.length; count > 0; count--) {
    if (mayEnd(run, end, beginning)) {
      yield { text: run.slice(0, end), pieces: count, beyond: 0 };
    }
    end -= pieces[count - 1]!.length;
  }
}

/** For a text that another word follows without a space. */
function* withinWords(pieces: readonly string[], beginning: Beginning): Generator<ArmorCandidate> {
  const run = pieces.join('');
  const from = Math.max(ARMOR_PREFIX.length, run.length - GLUED_CHARACTERS_MAX);
  let [count, pieceEnd] = [pieces.length, run.length];
  for (let end = run.length - 1; end > from; end--) {
    while (end <= pieceEnd - pieces[count - 1]!.length) pieceEnd -= pieces[--count]!.length;
    if (!mayEnd(run, end, beginning)) continue;
    yield { text: run.slice(0, end), pieces: count, beyond: pieceEnd - end };
  }
}

/** What of the part before the chunks decides where a message may end. */
type Beginning = Pick<Prefix, 'header' | 'chunksOffset'>;

/** The latest one without recipients, by its prefix and header: texts that one key has sealed have the same. */
export interface Beginnings {
  latest?: { readonly start: string; readonly beginning: Beginning };
}

/**
 * It is the same wherever the text ends, and is parsed once: a page decides on the number of pieces, and an error
 * for each would take its 15 µs. Without recipients the header is enough, which is a quarter of the characters.
 */
function beginningOf(run: string, beginnings: Beginnings = {}): Beginning | undefined {
  const { latest } = beginnings;
  if (latest && run.startsWith(latest.start)) return latest.beginning;
  if (!run.startsWith(ARMOR_PREFIX)) return undefined;
  const digits = run.slice(ARMOR_PREFIX.length);
  try {
    const start = fromBase64url(digits.slice(0, HEADER_CHARACTERS));
    if (!mayHaveRecipients(start)) {
      const beginning = { header: parseHeader(start), chunksOffset: PREFIX_BYTES };
      const all = run.slice(0, ARMOR_PREFIX.length + HEADER_CHARACTERS);
      beginnings.latest = { start: all, beginning };
      return beginning;
    }
    // Only whole groups: the last characters of the cut text need not be canonical.
    const end = Math.min(4 * Math.ceil(PREFIX_BYTES_MAX / 3), digits.length - (digits.length % 4));
    return parsePrefix(fromBase64url(digits.slice(0, end)));
  } catch (error) {
    if (error instanceof TypeError || error instanceof EnvelopeError) return undefined;
    throw error;
  }
}

/** The last group of canonical base64url, by its length: unused bits are zero. */
const CANONICAL_TAIL = [/^$/, /(?!)/, /^[\w-][AQgw]$/, /^[\w-]{2}[AEIMQUYcgkosw048]$/] as const;

function mayEnd(run: string, characters: number, { header, chunksOffset }: Beginning): boolean {
  const digits = characters - ARMOR_PREFIX.length;
  const sealedBytes = Math.floor((digits * 3) / 4) - chunksOffset;
  const bodyBytes = bodyLength(sealedBytes, chunkSuite(header.suite).chunkBytes);
  if (bodyBytes === undefined || (header.flags.padded && !isPaddedLength(bodyBytes))) return false;
  const rest = digits % 4;
  return CANONICAL_TAIL[rest]!.test(run.slice(characters - rest, characters));
}

/** A valid padded length is the padded length of the longest message that fits into it. */
function isPaddedLength(bodyBytes: number): boolean {
  return bodyBytes >= PADDED_BYTES_MIN && paddedLength(bodyBytes - 1) === bodyBytes;
}
