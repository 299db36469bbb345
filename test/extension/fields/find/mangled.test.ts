import { expect } from 'chai';
import { armor } from '../../../../src/format/wire/armor.ts';
import { armorCandidates } from '../../../../src/format/wire/find-armor.ts';
import { sealMessage } from '../../../../src/format/message.ts';
import { webArmor } from '../../../../src/format/wire/web-armor.ts';
import { findSealed, sealedIn } from '../../../../extension/fields/find/find-sealed.ts';
import { KEY, KEY_ID } from '../../../format/support.ts';
import { pageOf } from './fake-page.ts';
import { MAIL, MARKUP } from './markup.ts';

/* What mail, editors, markup and pages do to sealed texts, and whether they are found again. */

const sealed = (bytes: number): Promise<Uint8Array> =>
  sealMessage(
    { key: KEY, keyId: KEY_ID, purpose: 'field', pad: true },
    crypto.getRandomValues(new Uint8Array(bytes)),
  );

const lines = (text: string, width = 64): string[] =>
  text.match(new RegExp(`.{1,${width}}`, 'gs')) ?? [];
const joined = (between: string, width?: number) => (text: string) =>
  lines(text, width).join(between);
const quoted = (mark: string) => (text: string) =>
  lines(text)
    .map((line) => `${mark}${line}`)
    .join('\n');
const cut = (at: number, between: string) => (text: string) =>
  text.slice(0, at) + between + text.slice(at);
const around = (before: string, after: string) => (text: string) => `${before}${text}${after}`;

/** In text as a page shows it, and in its source where that is displayed or sent. */
const IN_TEXT: Readonly<Record<string, (text: string) => string>> = {
  'line feeds': joined('\n'),
  'lines of CR and LF': joined('\r\n'),
  'lines of 998 octets by sendmail': joined('!\n ', 70),
  'empty lines between lines': joined('\n\n'),
  'blanks at line ends': joined('  \t\n'),
  'indented lines': joined('\n    '),
  'no-break spaces at line ends': joined('\u00a0\n'),
  'no-break spaces as indentation': joined('\n\u00a0\u00a0'),
  'ideographic spaces': joined('\n\u3000'),
  'thin and figure spaces': joined(' \u2009\n\u2007'),
  'line separators': joined('\u2028'),
  'paragraph separators': joined('\u2029'),
  'next-line characters': joined('\u0085'),
  'vertical tabs and form feeds': joined('\v\f'),
  'soft hyphens': joined('\u00ad', 9),
  'zero-width spaces': joined('\u200b', 9),
  'zero-width non-joiners': joined('\u200c', 9),
  'zero-width joiners': joined('\u200d', 9),
  'word joiners': joined('\u2060', 9),
  'byte order marks': joined('\ufeff', 9),
  'marks of direction': joined('\u200e\u200f', 9),
  'isolates of direction': joined('\u2068\u2069', 9),
  'Mongolian vowel separators': joined('\u180e', 9),
  'variation selectors': joined('\ufe0f', 9),
  'combining grapheme joiners': joined('\u034f', 9),
  'tags of Unicode': joined('\u{e0020}', 9),
  'invisible characters in the prefix': (text) =>
    `${text.slice(0, 4).split('').join('\u200b')}${text.slice(4)}`,
  'a soft line end of quoted-printable in the prefix': cut(2, '=\r\n'),
  'a soft line end of quoted-printable after the prefix': cut(4, '=\r\n'),
  'a break opportunity as source in the prefix': cut(1, '<wbr>'),
  'a quoted line that begins in the prefix': cut(3, '\n> '),
  'an item of a list, and hyphens at the beginning of lines': (text) =>
    `- ${text.slice(0, 9)}${text.slice(9).replaceAll('-', '\n-')}`,
  'words that end in the first letter of the prefix': around('it is\nthe ways of mills\n', ''),
  'spaces in long words, by an old forum': joined(' ', 60),
  'quoted mail': quoted('> '),
  'quoted mail, without a space': quoted('>'),
  'mail quoted three times': quoted('> > >'),
  'quoted with a no-break space': quoted('>\u00a0'),
  'quoted by a bar': quoted('| '),
  'quoted by a colon': quoted(': '),
  'quoted by initials': quoted('AB> '),
  'quoted by a box character': quoted('┃ '),
  'quoted by a name': quoted('Ada: '),
  'a comment of a program': quoted('// '),
  'a comment of a shell': quoted('# '),
  'a comment in a block': quoted(' * '),
  'an item of a list': quoted('- '),
  'numbered lines': (text) =>
    lines(text)
      .map((line, index) => `${index + 1}: ${line}`)
      .join('\n'),
  'a table of Markdown': (text) =>
    lines(text)
      .map((line) => `| ${line} |`)
      .join('\n'),
  'strings of a program': (text) => `'${lines(text).join("' +\n  '")}'`,
  'continued lines of a shell': joined('\\\n'),
  'soft line ends of quoted-printable': joined('=\r\n', 75),
  'spaces of quoted-printable at line ends': joined('=20\n'),
  'no-break spaces of quoted-printable': joined('=C2=A0\n'),
  'zero-width spaces of quoted-printable': joined('=E2=80=8B', 30),
  'escaped line feeds of JSON': joined('\\n'),
  'escaped invisible characters of JSON': joined('\\u200b', 30),
  'line feeds in an address': joined('%0A'),
  'line elements as source': joined('<br>'),
  'closed line elements as source': joined('<br />\n'),
  'break opportunities as source': joined('<wbr>', 30),
  'escaped elements as source': joined('&lt;br/&gt;'),
  'spans as source': joined('</span><span class="a">', 30),
  'paragraphs as source': joined('</p>\n<p class="b">'),
  'entities of soft hyphens': joined('&shy;', 30),
  'numeric entities': joined('&#8203;', 30),
  'hexadecimal entities': joined('&#x200B;', 30),
  'entities of spaces at line ends': joined('&nbsp;\n'),
  'a word before it': around('start', ' end'),
  'a word after it': around('start ', 'end'),
  'words on both sides': around('start', 'end'),
  'letters of another script on both sides': around('начало', 'конец'),
  'brackets and a full stop': around('(see: ', ').'),
  'quotation marks': around('“', '”'),
  'another text behind it': (text) => `${text} ${text}`,
  'words below it': around('', '\nRegards\nAda'),
  'full width': (text) =>
    text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
};

/** In elements of a page. */
const IN_PAGE: Readonly<Record<string, (text: string) => string>> = {
  'one element': around('<p>', '</p><p>Regards</p>'),
  'lines of a paragraph': (text) => `<p>${lines(text).join('<br>')}</p>`,
  'paragraphs for lines': (text) => `<p>${lines(text).join('</p><p>')}</p><p>Ada</p>`,
  'divisions for lines': (text) => `<div>${lines(text).join('</div>\n<div>')}</div>`,
  spans: (text) => `<p><span>${lines(text, 20).join('</span><span>')}</span></p>`,
  'break opportunities': (text) => `<p>${lines(text, 20).join('<wbr>')}</p>`,
  'cells of a table': (text) =>
    `<table>${lines(text)
      .map((line) => `<tr><td>${line}</td></tr>`)
      .join('')}</table>`,
  'a quotation of mail': (text) =>
    `<blockquote>${lines(text).join('<br>\n&nbsp;')}</blockquote><p>On Monday</p>`,
  'a quotation in text': (text) => `<pre>${lines(text).join('\n> ')}</pre>`,
  'a link': around('<p><a href="#">', '</a> and more</p>'),
  'emphasis around all of it': around('<p>see <em>', '</em> there</p>'),
  'bold around all of it': around('<p>see <strong>', '</strong>there</p>'),
  'words in elements on both sides': around('<b>start</b>', '<b>end</b>'),
  'two texts in one block': (text) => `<p>${text}<br>${text}</p>`,
};

const isFound = (pieces: readonly (readonly string[])[], text: string): boolean =>
  pieces.some((of) => armorCandidates(of).some((candidate) => candidate.text === text));

describe('Sealed texts as pages and mail return them', () => {
  const forms = { 'sw1.': armor, 'web armor': webArmor } as const;
  for (const [form, write] of Object.entries(forms)) {
    describe(form, () => {
      let texts: string[];
      before(async () => {
        texts = (await Promise.all([22, 300, 3_000].map(sealed))).map(write);
      });

      for (const [what, mangle] of Object.entries(IN_TEXT)) {
        it(`is found in ${what}`, () => {
          for (const text of texts) {
            const mangled = mangle(text);
            expect(mangled, 'the table changes something').to.not.equal(text);
            expect(isFound(sealedIn(mangled), text), mangled.slice(0, 300)).to.equal(true);
          }
        });
      }
      for (const [what, page] of Object.entries(IN_PAGE)) {
        it(`is found in a page: ${what}`, () => {
          for (const text of texts) {
            const { found } = findSealed(pageOf(page(text)));
            expect(
              isFound(
                found.map(({ pieces }) => pieces),
                text,
              ),
              what,
            ).to.equal(true);
          }
        });
      }
    });
  }
});

/** More with SEALWRIGHT_TEXTS: 10,000 of each take minutes. */
const TEXTS = Number(process.env['SEALWRIGHT_TEXTS'] ?? 40);
const SIZES = [20, 100, 300, 1_000, 3_000, 10_000];

/** The least that is found of 100 texts in base64url. Some rules delete characters without a trace. */
const LEAST: Readonly<Record<string, number>> = {
  'CSS in capitals': 0,
  'CSS in capitals, Turkish': 0,
};

describe('Sealed texts after markup', function () {
  this.timeout(1_000 * Math.max(60, TEXTS));
  let messages: Uint8Array[];
  before(async () => {
    messages = await Promise.all(
      Array.from({ length: TEXTS }, (_, index) => sealed(SIZES[index % SIZES.length]!)),
    );
  });

  const share = (write: (message: Uint8Array) => string, find: (text: string) => boolean): number =>
    (100 * messages.filter((message) => find(write(message))).length) / messages.length;
  const inPage = (markup: (text: string) => string) => (text: string) => {
    const { found } = findSealed(pageOf(markup(`Hello, ${text} and\nmore`)));
    return isFound(
      found.map(({ pieces }) => pieces),
      text,
    );
  };
  const inMail = (markup: (text: string) => string) => (text: string) =>
    isFound(sealedIn(markup(`Hello, ${text} and\nmore`)), text);

  for (const [what, markup] of Object.entries(MARKUP)) {
    it(`is found after ${what}, in both forms`, () => {
      expect(share(webArmor, inPage(markup)), 'web armor').to.equal(100);
      expect(share(armor, inPage(markup)), 'sw1.').to.be.at.least(LEAST[what] ?? 99);
    });
  }
  for (const [what, markup] of Object.entries(MAIL)) {
    it(`is found after ${what}, in both forms`, () => {
      expect(share(webArmor, inMail(markup)), 'web armor').to.equal(100);
      expect(share(armor, inMail(markup)), 'sw1.').to.equal(100);
    });
  }

  it('web armor is not changed at all, but by line ends and capitals', () => {
    const kept = Object.entries(MARKUP).filter(([what]) => !what.startsWith('CSS'));
    for (const [what, markup] of kept) {
      const isKept = (text: string) => markup(`Hello, ${text} and\nmore`).includes(text);
      expect(share(webArmor, isKept), what).to.equal(100);
    }
  });
});
