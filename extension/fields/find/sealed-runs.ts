/*
 * Finds armored text in a text: of both forms (docs/format.md section 7), divided by line breaks, elements,
 * quotation marks of mail, invisible characters, entities and quoted-printable, and beside other words. Where
 * "sw1." really ends is known only when it is opened. A line feed is also the border between text nodes
 * (page-text.ts).
 */
import {
  armorCandidates,
  eachCandidate,
  messageEnds,
  type ArmorCandidate,
  type Beginnings,
  type MessageEnds,
} from '../../../src/format/wire/find-armor.ts';
import {
  WEB_ALPHABET,
  WEB_ARMOR_END,
  WEB_ARMOR_PREFIX,
  WEB_ARMOR_START,
  webArmorDamage,
  webArmorDigits,
} from '../../../src/format/wire/web-armor.ts';
import { GapReader, INVISIBLE, isPlainAt, matchAt, type BorderAt, type Digits } from './gaps.ts';

/** An armored text, divided at its breaks. */
export interface SealedRun {
  /** Offsets in the text. What is after `end` is less likely to be a part of it than not. */
  readonly start: number;
  readonly end: number;
  /** As `armorCandidates` takes them. A whole web armor is one piece. */
  readonly pieces: readonly string[];
}

/** Line ends with quotation marks of mail, invisible characters, and elements, entities and line ends as source. */
const MAY_SPLIT = String.raw`(?:[\r${INVISIBLE}]|=?[ \t]{0,2}\r?\n[ \t\u00a0>|:]{0,20}|<\/?[a-z][^<>\n]{0,99}>|&#?\w{2,8};|[=%][\dA-F]{2}|\\[nr]){0,4}`;
/** A prefix, perhaps divided, and not after `before`. It begins with a letter, which engines look for quickly. */
function divided([first = '', ...others]: string, before: string): string {
  const rest = others.map((character) => MAY_SPLIT + character.replace('.', String.raw`\.`));
  return `${first}(?<!${before}${first})${rest.join('')}${MAY_SPLIT}`;
}
/** The rest of a prefix, perhaps divided, up to its "1". */
const BEFORE_ONE = new RegExp(`(?<=(s${MAY_SPLIT}w${MAY_SPLIT}(?:t${MAY_SPLIT})?))`, 'iuy');
/** What MAY_SPLIT can take before a "1" has at most so many characters that are no letters. */
const SPLIT_MAX = 24;
/** The prefix and the magic in base64url. */
const LINE_MAGIC = 'sw1.9VNXTQE';
/** Within a word only with the magic. */
const LINE_START = new RegExp(
  String.raw`${divided('sw1.', String.raw`[\w.-]`)}(?=[\w-])|sw1\.(?=9VNXTQE)`,
  'uy',
);
const WEB_START = new RegExp(
  String.raw`${divided(WEB_ARMOR_PREFIX, String.raw`[\p{L}\p{N}_]`)}(?=[${WEB_ALPHABET}])|${WEB_ARMOR_START}`,
  'iuy',
);

/** All armored texts in a text. */
export function sealedRuns(text: string, borderAt: BorderAt = () => undefined): SealedRun[] {
  const source = text.replace(/[\uff01-\uff5e]/g, narrow);
  const starts = startsIn(source);
  const beginnings: Beginnings = {};
  return starts.flatMap(({ prefix, start }, place) => {
    const isLine = prefix.includes('.');
    const whole = isLine ? undefined : wholeWebRun(source, start);
    if (whole) return whole;
    const limit = starts[place + 1]?.start ?? source.length;
    const reader = new GapReader(source, start, limit, borderAt);
    const body = start + prefix.length;
    return (isLine ? lineRun(reader, body, beginnings) : webRun(reader, body)) ?? [];
  });
}

/** Both prefixes have a "1": it is rarer in text than their letters, and found faster than a pattern. */
function startsIn(source: string): { readonly start: number; readonly prefix: string }[] {
  const starts = [];
  for (let at = source.indexOf('1'); at >= 0; at = source.indexOf('1', at + 1)) {
    if (!mayBeOfPrefix(source, at)) continue;
    const start = startBefore(source, at);
    const prefix = matchAt(LINE_START, source, start) || matchAt(WEB_START, source, start);
    if (prefix !== '') starts.push({ start, prefix });
  }
  return starts;
}

/** Where the prefix begins whose "1" is at an offset; without a prefix, the offset itself. */
function startBefore(source: string, at: number): number {
  if (source.startsWith('sw', at - 2)) return at - 2;
  BEFORE_ONE.lastIndex = at;
  return at - (BEFORE_ONE.exec(source)?.[1]?.length ?? 0);
}

/** Whether "w" or "t" stands before a "1", or what may divide them: most that stand in text are told apart so. */
function mayBeOfPrefix(source: string, at: number): boolean {
  const before = source[at - 1];
  if (before === '>' || before === ';' || source[at - 2] === '\\') return true;
  const third = source[at - 3];
  if (third === '=' || third === '%') return true;
  let place = at - 1;
  while (place >= at - SPLIT_MAX && !isPlainAt(source, place)) place--;
  const letter = source[place];
  return letter === 'w' || letter === 't' || letter === 'W' || letter === 'T';
}

/**
 * The armored text, if a text is that and white space around it. It must be undivided, because a break may hide words
 * of the user, and what follows one may not belong to the armored text (src/format/wire/find-armor.ts).
 */
export function onlyRun(text: string): string | undefined {
  const only = text.trim();
  const [run] = sealedRuns(only);
  return run?.pieces.length === 1 && run.pieces[0] === only ? only : undefined;
}

/** Whether a text is one sealed text and nothing else, by its public part. It is not opened. */
export function isSealedText(text: string): boolean {
  const only = onlyRun(text);
  return only !== undefined && armorCandidates([only]).some(({ beyond }) => beyond === 0);
}

/** The character of ASCII for one of full width (`text-transform: full-width`). */
function narrow(wide: string): string {
  return String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
}

interface Piece {
  readonly text: string;
  readonly end: number;
  /** Counted from 0 at the beginning of the run. */
  readonly block: number;
  /** Whether it has BORDER_SIGNS, and no digits. */
  readonly isBorder: boolean;
}

/** With what typographers make of "-", "--" and "3x4", and the ligatures of "fi" and others. */
const LINE_DIGITS: Digits = { ascii: /[\w-]+/y, all: /[\w\-‐-―−×ﬀ-ﬆ]+/uy };

function lineRun(reader: GapReader, body: number, beginnings: Beginnings): SealedRun | undefined {
  const pieces: Piece[] = [];
  const progress = new Progress(beginnings);
  let [at, block, prefix, isAltered] = [body, 0, 'sw1.', false];
  for (;;) {
    const digits = reader.digits(LINE_DIGITS, at);
    if (!digits) break;
    const text = prefix + (digits.isAscii ? digits.text : asWritten(digits.text));
    pieces.push({ text, end: digits.end, block, isBorder: false });
    const gap = reader.gap(digits.end);
    // An element that ends after the last word may have been made of its last character.
    if (gap.signs !== '') pieces.push({ text: gap.signs, end: digits.end, block, isBorder: true });
    isAltered ||= !digits.isAscii;
    progress.add(text);
    if (gap.hasSpace && !gap.hasLine && !progress.isUnfinished()) break;
    if (gap.isBlock) block++;
    [at, prefix] = [gap.end, ''];
  }
  if (pieces.length === 0) return undefined;
  const texts = pieces.map((piece) => piece.text);
  const end = (isAltered ? undefined : progress.endOf(pieces)) ?? endOf(pieces, texts);
  return { start: reader.start, end, pieces: texts };
}

/** The digits of base64url, where typography did not leave it open which ones they were. */
function asWritten(digits: string): string {
  return digits.replace(/[‐‑‒−]/g, '-').replaceAll('―', '—');
}

/** Old forums cut words by spaces, all after the same number of characters, which are 20 or more. */
const CUT_WORD_CHARACTERS_MIN = 16;
const CUTS_MAX = 200;
const BEGINNINGS_MAX = 8;
/** Header, salt and commitment in base64url. */
const BEGINNING_CHARACTERS_MIN = 111;

/**
 * Tells whether a message goes on after a space, and where one ends that nothing has altered. The work is bounded,
 * because a page decides on the number of spaces.
 */
class Progress {
  #run = '';
  #lengths: readonly [before: number, last: number] = [0, 0];
  #ends: MessageEnds | undefined;
  #cuts = 0;
  #beginnings = 0;
  readonly #known: Beginnings;

  constructor(beginnings: Beginnings) {
    this.#known = beginnings;
  }

  add(piece: string): void {
    this.#run += piece;
    this.#lengths = [this.#lengths[1], piece.length];
  }

  /** Whether the pieces begin a message that cannot end after them, or are cut alike. */
  isUnfinished(): boolean {
    const [before, last] = this.#lengths;
    const isCut = last >= CUT_WORD_CHARACTERS_MIN && ++this.#cuts <= CUTS_MAX;
    if (!isCut || !this.#run.startsWith(LINE_MAGIC)) return false;
    if (last === before || this.#run.length < BEGINNING_CHARACTERS_MIN) return true;
    if (!this.#ends && ++this.#beginnings <= BEGINNINGS_MAX) this.#ends = this.#readBeginning();
    return this.#ends?.(this.#run, this.#run.length) === false;
  }

  /** The same as the function `endOf`, and much faster: at a break, with no character in place of an element. */
  endOf(pieces: readonly Piece[]): number | undefined {
    const ends = this.#ends ?? this.#readBeginning();
    let likely: number | undefined;
    let length = this.#run.length;
    for (let index = pieces.length - 1; ends && index >= 0; index--) {
      const { block, end, isBorder, text } = pieces[index]!;
      if (isBorder) continue;
      const mayEnd = ends(this.#run, length);
      if (mayEnd && block === 0) return end;
      if (mayEnd) likely ??= end;
      length -= text.length;
    }
    return likely;
  }

  #readBeginning(): MessageEnds | undefined {
    return this.#run.startsWith(LINE_MAGIC) ? messageEnds(this.#run, this.#known) : undefined;
  }
}

/** Preferably in the block in which the text begins: what other blocks have is usually another text. */
function endOf(pieces: readonly Piece[], texts: readonly string[]): number {
  const last = pieces.findLast(({ block }) => block === 0)!;
  if (!texts[0]!.startsWith(LINE_MAGIC)) return last.end;
  let likely: ArmorCandidate | undefined;
  for (const candidate of eachCandidate(texts, false)) {
    const isInFirst = pieces[candidate.pieces - 1]!.block === 0;
    if (isInFirst || !likely) likely = candidate;
    if (isInFirst) break;
  }
  likely ??= eachCandidate(texts).next().value as ArmorCandidate | undefined;
  return likely ? pieces[likely.pieces - 1]!.end - likely.beyond : last.end;
}

const WEB_DIGITS: Digits = {
  ascii: new RegExp(`[${WEB_ALPHABET}]+`, 'iy'),
  all: new RegExp(`[${WEB_ALPHABET}ﬀ-ﬆ]+`, 'iuy'),
};
const CERTAIN = new RegExp(`^(?:${WEB_ARMOR_START}|[${WEB_ALPHABET}1]{100})`);

const WHOLE = new RegExp(`${WEB_ARMOR_START}[${WEB_ALPHABET}]+${WEB_ARMOR_END}`, 'y');

/** An unaltered web armor, as most are: it has no gaps to read. */
function wholeWebRun(source: string, start: number): SealedRun | undefined {
  const text = matchAt(WHOLE, source, start);
  const digits = text.slice(WEB_ARMOR_PREFIX.length, -WEB_ARMOR_END.length);
  if (text === '' || webArmorDigits(digits) !== digits.length) return undefined;
  return { start, end: start + text.length, pieces: [text] };
}

/** Any characters but letters and digits may stand in web armor, because its length is known. */
function webRun(reader: GapReader, body: number): SealedRun | undefined {
  const { start } = reader;
  let [word, wanted] = ['', webArmorDigits('')];
  let [at, end] = [body, body];
  let first: SealedRun | undefined;
  for (;;) {
    const digits = reader.digits(WEB_DIGITS, at, wanted - word.length);
    if (digits) {
      word += digits.text.toLowerCase();
      wanted = webArmorDigits(word);
      at = end = digits.end;
      continue;
    }
    if (reader.isAt(WEB_ARMOR_END, at)) break;
    const gap = reader.gap(at, true);
    if (gap.end === at) break;
    const isWord = gap.hasSpace || gap.hasLine;
    if (isWord) first ??= { start, end, pieces: [WEB_ARMOR_PREFIX + word] };
    at = gap.end;
  }
  const isEnded = reader.isAt(WEB_ARMOR_END, at);
  const text = WEB_ARMOR_PREFIX + word + (isEnded ? WEB_ARMOR_END : '');
  if (!CERTAIN.test(text) && webArmorDamage(text) !== undefined) return undefined;
  const whole = { start, end: isEnded ? at + 1 : end, pieces: [text] };
  // Where the end is missing, later words are those of the page.
  return isEnded || word.length >= wanted ? whole : (first ?? whole);
}
