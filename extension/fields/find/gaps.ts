/*
 * What stands between the characters of a sealed text on a page: line breaks with quotation marks of mail, borders of
 * elements, invisible characters, and the same as source: tags, entities, quoted-printable, escapes of JSON.
 */
import { BORDER_SIGNS } from '../../../src/format/wire/find-armor.ts';

/** What lies between two text nodes. */
export interface NodeBorder {
  /** Whether the second one begins another line or cell. */
  readonly isBlock: boolean;
  /** The BORDER_SIGNS of the elements that begin or end there. */
  readonly signs: string;
}

/** The border at an offset; undefined for a line feed of the text itself. */
export type BorderAt = (offset: number) => NodeBorder | undefined;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** From the end of one word of the sealed text to the beginning of the next. */
export interface Gap {
  readonly end: number;
  readonly hasSpace: boolean;
  readonly hasLine: boolean;
  /** Whether another block of the page begins there. */
  readonly isBlock: boolean;
  readonly signs: string;
}

/** The BORDER_SIGNS of an element's name; '' for an element that no markup makes of a character. */
export function signOf(name: string): string {
  return Object.hasOwn(SIGNS, name) ? SIGNS[name]! : '';
}

/** Whether an element of this name usually stands within a line. */
export const isInline = (name: string): boolean => INLINE.has(name);

const { emphasis, italic, strong, struck } = BORDER_SIGNS;
const SIGNS: Readonly<Record<string, string>> = {
  ...{ em: emphasis, i: italic, u: italic, strong, b: strong },
  ...{ del: struck, s: struck, strike: struck },
};
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q ruby s samp slot small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);

/** Format characters, and others that are not displayed. */
export const INVISIBLE = String.raw`\p{Cf}\p{DI}`;
const IS_INVISIBLE = new RegExp(`[${INVISIBLE}]`, 'u');
const IS_LINE_FEED = /[\n\v\f\u0085\u2028\u2029]/;
const ASCII_MAX = 0x7f;
const IS_MARK = /[^\p{L}\p{N}]/u;
/** Ends of table rows, continued lines of quoted-printable, sendmail, shells and programs. */
const LINE_TAIL = /[|=!\\+"'`](?:[^\S\n]|[|=!\\+"'`])*(?=\n)/y;
/** Signs, initials and numbers before a quoted line; a hyphen only before a space. */
const LINE_HEAD =
  /(?:[^\S\n]*(?:(?:[A-Za-z]{1,3}[>|:]|\d{1,5}[:|.)])(?=[^\n\w]*[\w-])|&gt;|-(?=[ \t\u00a0])|[^\p{L}\p{N}\p{Cf}\s_&<=\\-]))*[^\S\n]*/uy;
const LINE_HEAD_MAX = 40;
/** What LINE_HEAD cannot begin with, as most lines do. */
const NO_LINE_HEAD = /[\w-]{6}/y;

/** The source of a character or an element. The parts: a tag, an entity, quoted-printable or an address, an escape. */
const CODED =
  /<\/?([a-z][a-z\d]*)\b[^<>\n]{0,300}>|&lt;\/?(w?br)\s*\/?&gt;|&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,32});|((?:[=%][\dA-F]{2})+)|\\(u[\da-f]{4}|[nrt_*~-])/iy;

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', tab: ' ', newline: '\n' },
  ...{ shy: '\u00ad', zwnj: '\u200c', zwj: '\u200d', lrm: '\u200e', rlm: '\u200f' },
  ...{ zerowidthspace: '\u200b', nobreak: '\u2060', negativethinspace: '\u200b' },
  ...{ ndash: '–', mdash: '—', minus: '−', hyphen: '-', dash: '-', lowbar: '_', times: '×' },
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\n', t: ' ' };

/** Sticky patterns for digits of a form. */
export interface Digits {
  readonly ascii: RegExp;
  /** Also for what typography makes of some. */
  readonly all: RegExp;
}

interface FoundDigits {
  readonly text: string;
  readonly end: number;
  /** Whether they are written so. */
  readonly isAscii: boolean;
}

/** Reads one sealed text in a text, from its beginning to a limit. */
export class GapReader {
  readonly start: number;
  readonly #source: string;
  readonly #borderAt: BorderAt;
  readonly #lineHead: string;

  /** @param limit where another sealed text begins */
  constructor(text: string, start: number, limit: number, borderAt: BorderAt) {
    this.start = start;
    this.#source = text.slice(0, limit);
    this.#borderAt = borderAt;
    const line = text.slice(Math.max(0, start - LINE_HEAD_MAX), start);
    this.#lineHead = line.slice(line.lastIndexOf('\n') + 1).trim();
  }

  isAt(character: string, at: number): boolean {
    return this.#source[at] === character;
  }

  /**
   * The digits at an offset, as written and as source of them.
   *
   * @param most how many are read
   * @returns undefined without any
   */
  digits({ ascii, all }: Digits, from: number, most = Infinity): FoundDigits | undefined {
    let [text, end, isAscii] = ['', from, true];
    while (text.length < most) {
      let found = matchAt(ascii, this.#source, end);
      let length = found.length;
      if (length === 0) {
        const other = this.#otherDigits(all, end);
        if (!other) break;
        isAscii = false;
        found = other.text.normalize('NFKC');
        length = other.end - end;
      }
      text += found;
      end += length;
    }
    if (text === '') return undefined;
    const beyond = Math.max(0, text.length - most);
    return { text: text.slice(0, text.length - beyond), end: end - beyond, isAscii };
  }

  /**
   * What stands between the digits before an offset and the next ones.
   *
   * @param withMarks whether any characters but letters and digits may stand there
   */
  gap(from: number, withMarks = false): Gap {
    const gap = { end: from, hasSpace: false, hasLine: false, isBlock: false, signs: '' };
    for (let before = -1; before !== gap.end;) {
      before = gap.end;
      const border = this.isAt('\n', before) ? this.#borderAt(before) : undefined;
      if (border) this.#cross(border, gap);
      else this.#skip(gap, withMarks);
    }
    return gap;
  }

  #cross({ isBlock, signs }: NodeBorder, gap: Writable<Gap>): void {
    gap.end++;
    gap.signs += signs;
    gap.isBlock ||= isBlock;
    if (isBlock) this.#beginLine(gap);
  }

  /** Skips a character, the source of some, or what ends a line. */
  #skip(gap: Writable<Gap>, withMarks: boolean): void {
    const at = gap.end;
    if (at >= this.#source.length || isPlainAt(this.#source, at)) return;
    const coded = this.#codedAt(at);
    const character = String.fromCodePoint(this.#source.codePointAt(at)!);
    const kinds = coded ? Array.from(coded.text, kindOf) : [kindOf(character)];
    const hasMark = kinds.includes('mark');
    const mayHaveMark = withMarks || (hasMark && matchAt(LINE_TAIL, this.#source, at) !== '');
    if (kinds.includes('other') || (hasMark && !mayHaveMark)) return;
    gap.end = coded?.end ?? at + character.length;
    gap.signs += coded?.sign ?? '';
    gap.hasSpace ||= hasMark || kinds.includes('space');
    if (kinds.includes('line')) this.#beginLine(gap);
  }

  /** Skips what stands at the beginning of each line: what stood before the text on its own first line, too. */
  #beginLine(gap: Writable<Gap>): void {
    gap.hasLine = true;
    if (this.isAt('\n', gap.end)) return;
    gap.end += this.#headAt(gap.end).length;
    if (startsWith(NO_LINE_HEAD, this.#source, gap.end)) return;
    gap.end += matchAt(LINE_HEAD, this.#source, gap.end).length;
  }

  /**
   * What stood before the text on its first line, if it is at an offset again. One that ends in a letter may be a part
   * of the sealed text, unless a space follows.
   */
  #headAt(at: number): string {
    const head = this.#lineHead;
    if (head === '' || !this.#source.startsWith(head, at)) return '';
    const isApart = /[^\w-]$/.test(head) || /[^\S\n]/.test(this.#source[at + head.length] ?? '');
    return isApart ? head : '';
  }

  /** Digits that are not written in ASCII: characters that typography made of some, or the source of others. */
  #otherDigits(
    all: RegExp,
    at: number,
  ): { readonly text: string; readonly end: number } | undefined {
    const written = this.#source.charCodeAt(at) > ASCII_MAX ? matchAt(all, this.#source, at) : '';
    if (written !== '') return { text: written, end: at + written.length };
    const coded = this.#codedAt(at);
    const isDigits = coded && coded.text !== '' && matchAt(all, coded.text, 0) === coded.text;
    return isDigits ? coded : undefined;
  }

  #codedAt(at: number): Coded | undefined {
    if (!CODED_FIRST.has(this.#source[at]!)) return undefined;
    CODED.lastIndex = at;
    const found = CODED.exec(this.#source);
    return found ? decoded(found, at) : undefined;
  }
}

type Kind = 'line' | 'space' | 'invisible' | 'mark' | 'other';

function kindOf(character: string): Kind {
  if (character === ' ') return 'space';
  if (isPlainAt(character, 0)) return 'other'; // engines compile patterns with Unicode's classes slowly
  if (IS_LINE_FEED.test(character)) return 'line';
  if (IS_INVISIBLE.test(character)) return 'invisible';
  if (/\s/.test(character)) return 'space';
  return IS_MARK.test(character) ? 'mark' : 'other';
}

const CODED_FIRST: ReadonlySet<string> = new Set('<&=%\\');

interface Coded {
  /** '' for an element within a line. */
  readonly text: string;
  readonly sign: string;
  readonly end: number;
}

function decoded(
  [all, tag, escapedTag, entity, bytes, escape]: RegExpExecArray,
  at: number,
): Coded | undefined {
  const end = at + all.length;
  const name = (tag ?? escapedTag)?.toLowerCase();
  if (name !== undefined) return { text: isInline(name) ? '' : '\n', sign: signOf(name), end };
  const text =
    entity !== undefined
      ? entityText(entity.toLowerCase())
      : bytes !== undefined
        ? bytesText(bytes)
        : escapeText(escape!);
  return text === undefined ? undefined : { text, sign: '', end };
}

function entityText(entity: string): string | undefined {
  if (Object.hasOwn(ENTITIES, entity)) return ENTITIES[entity];
  if (!entity.startsWith('#')) return undefined;
  const code = Number(`0${entity.slice(1)}`);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function bytesText(bytes: string): string | undefined {
  try {
    return decodeURIComponent(bytes.replaceAll('=', '%'));
  } catch {
    return undefined; // not UTF-8
  }
}

function escapeText(escape: string): string {
  if (Object.hasOwn(ESCAPES, escape)) return ESCAPES[escape]!;
  return escape.length === 5 ? String.fromCharCode(Number.parseInt(escape.slice(1), 16)) : escape;
}

/** Whether a letter of ASCII or a digit stands at an offset. */
export function isPlainAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

/** Whether a sticky pattern matches at an offset. */
function startsWith(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** What a sticky pattern matches at an offset; '' if nothing. */
export function matchAt(pattern: RegExp, text: string, at: number): string {
  return startsWith(pattern, text, at) ? text.slice(at, pattern.lastIndex) : '';
}
