import MarkdownIt from 'markdown-it';

/*
 * What turns a text that people write into HTML or mail: markdown-it itself, and the rules of other programs, as their
 * sources and documents state them, for what concerns letters, digits, "-" and "_".
 */

type Rule = readonly [pattern: RegExp, replacement: string];

const apply =
  (...rules: readonly Rule[]) =>
  (text: string): string =>
    rules.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);

/** SmartyPants 1.5.1: EducateDashes, EducateDashesOldSchool and EducateDashesOldSchoolInverted. */
const SMARTYPANTS = apply([/--/g, '&#8212;']);
const OLD_SCHOOL = apply([/---/g, '&#8212;'], [/--/g, '&#8211;']);
const INVERTED = apply([/---/g, '&#8211;'], [/--/g, '&#8212;']);

/** Markdown.pl 1.0.1, _DoItalicsAndBold: within words, too. */
const EMPHASIS = apply(
  [/(\*\*|__)(?=\S)([^\n]+?[*_]*)(?<=\S)\1/g, '<strong>$2</strong>'],
  [/(\*|_)(?=\S)([^\n]+?)(?<=\S)\1/g, '<em>$2</em>'],
);

/** Textile: phrase modifiers at the border of a word, the dimension sign and dashes. */
const TEXTILE = apply(
  [/(?<![\w])__([^\s_](?:.*?[^\s_])?)__(?!\w)/g, '<i>$1</i>'],
  [/(?<![\w])_([^\s_](?:.*?[^\s_])?)_(?!\w)/g, '<em>$1</em>'],
  [/(\d)( ?)x( ?)(?=\d)/g, '$1$2&#215;$3'],
  [/--/g, '&#8212;'],
);

/** DokuWiki: underlined and struck text, typography with multiplication signs; CamelCase links. */
const DOKUWIKI = apply(
  [/__(?=[^\n]*?__)([^\n]*?)__/g, '<em class="u">$1</em>'],
  [/---/g, '—'],
  [/--/g, '–'],
  [/\b([1-9]|\d{2,})x(\d+)\b/gi, '$1×$2'],
  [/\b([A-Z]+[a-z]+[A-Z][A-Za-z]*)\b/g, '<a href="/$1">$1</a>'],
);

/** MediaWiki: behaviour switches, rules, quotes, magic links. */
const MEDIAWIKI = apply(
  [/__(?:NOTOC|TOC|FORCETOC|NOEDITSECTION)__/g, ''],
  [/^-{4,}/gm, '<hr>'],
  [/'''(.+?)'''/g, '<b>$1</b>'],
  [/''(.+?)''/g, '<i>$1</i>'],
  [/\b(?:RFC|PMID) +(\d+)\b/g, '<a href="/$1">$&</a>'],
);

/** BBCode of phpBB, with smilies, long numbers and hashes as links. */
const BBCODE = apply(
  [/\[(b|i|u|s)\](.*?)\[\/\1\]/g, '<$1>$2</$1>'],
  [/(?<=^|\s)(?:8\)|:3|xD)(?=\s|$)/g, '<img alt="smiley">'],
  [/\b\+?\d{7,15}\b/g, '<a href="tel:$&">$&</a>'],
  [/\b[0-9a-f]{40}\b/g, (hash: string) => hash.slice(0, 7)] as unknown as Rule,
  [/\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b/g, '<abbr>IBAN</abbr>'],
);

/** RFC 2045 section 6.7: lines of 76 characters at most. */
const QUOTED_PRINTABLE = (text: string): string =>
  text
    .replace(/=/g, '=3D')
    .split('\n')
    .map((line) => (line.match(/.{1,75}/g) ?? []).join('=\r\n'))
    .join('\r\n');

/** RFC 3676: lines end in a space and go on; a word that is longer than a line is cut by some. */
const FLOWED = (text: string): string =>
  text.replace(/(.{60,71}) /g, '$1 \r\n').replace(/(\S{78})(?=\S)/g, '$1\r\n');

/** A sanitizer, which parses and writes again; here with entities for what may be markup. */
const SANITIZER = apply([/&/g, '&amp;'], [/</g, '&lt;'], [/>/g, '&gt;'], [/-/g, '&#45;']);

const plain = new MarkdownIt('commonmark');
const gfm = new MarkdownIt({ linkify: true });
const all = new MarkdownIt({ html: true, linkify: true, typographer: true, breaks: true });

/** The result as HTML. */
export const MARKUP: Readonly<Record<string, (text: string) => string>> = {
  'CommonMark (markdown-it)': (text) => plain.render(text),
  'tables, strikethrough and links (markdown-it)': (text) => gfm.render(text),
  'all options of markdown-it': (text) => all.render(text),
  SmartyPants: SMARTYPANTS,
  'SmartyPants, old school': OLD_SCHOOL,
  'SmartyPants, inverted': INVERTED,
  'Markdown.pl': EMPHASIS,
  kramdown: (text) => OLD_SCHOOL(plain.render(text)),
  'Markdown and SmartyPants': (text) => SMARTYPANTS(plain.render(text)),
  Textile: TEXTILE,
  DokuWiki: DOKUWIKI,
  MediaWiki: MEDIAWIKI,
  BBCode: BBCODE,
  'a sanitizer': SANITIZER,
  'CSS in capitals': (text) => text.toUpperCase(),
  'CSS in capitals, Turkish': (text) => text.toLocaleUpperCase('tr'),
};

/** The result as the text of a mail. */
export const MAIL: Readonly<Record<string, (text: string) => string>> = {
  'quoted-printable': QUOTED_PRINTABLE,
  'format=flowed': FLOWED,
};
