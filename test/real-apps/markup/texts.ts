import { armor } from '../../../src/format/wire/armor.ts';
import { sealMessage } from '../../../src/format/message.ts';
import { webArmor } from '../../../src/format/wire/web-armor.ts';

/* Sealed texts among words and markup of a person. */

/** The forms of a sealed text, by the names of the results. */
export const FORMS = ['swt1', 'sw1'] as const;
export type Form = (typeof FORMS)[number];

const [LEAST_BYTES, MOST_BYTES] = [20, 10_000];
const KEY = crypto.getRandomValues(new Uint8Array(32));
const KEY_ID = crypto.getRandomValues(new Uint8Array(16));

/** Padded messages of 20 B to 10 kB, of each order of magnitude as many. */
export async function sealedTexts(
  count: number,
): Promise<readonly Readonly<Record<Form, string>>[]> {
  const texts = [];
  for (let i = 0; i < count; i++) {
    const bytes = Math.round(LEAST_BYTES * (MOST_BYTES / LEAST_BYTES) ** Math.random());
    const text = crypto.getRandomValues(new Uint8Array(bytes));
    const options = { key: KEY, keyId: KEY_ID, purpose: 'field', pad: true } as const;
    const message = await sealMessage(options, text);
    texts.push({ swt1: webArmor(message), sw1: armor(message) });
  }
  return texts;
}

/** Words, and what one of the programs takes for more. */
const WORDS = [
  ...'Hello, the mill by this old river at noon. Meet me there! Really? yes (maybe) then: 3x4 1/2'.split(
    ' ',
  ),
  ...['*now*', '_soon_', '**there**', '__here__', '***both***', '~~gone~~', '-away-', '+more+'],
  ...[
    '`code`',
    '@code@',
    '"quoted"',
    "'so'",
    "it's",
    '--',
    '---',
    '...',
    '(c)',
    '<3',
    'AT&T',
    '&amp;',
  ],
  // Right behind a "]", python-textile takes an address, or "//", for that of a link, and drops all since an earlier "[".
  ...['at https://example.org/a_b--c?d=1', 'ada@example.org', '[a link](https://example.org/x_y)'],
  ...['snake_case_word', 'CamelCase', 'a-b--c', '#1', '@ada', ':)', ':-)', '8)', '1.', '+44 20'],
  ...['<b>bold</b>', '<i>so</i>', 'a<br>b', '[b]bold[/b]', '[i]so[/i]', "''so''", "'''bold'''"],
  ...[
    '[[Walk]]',
    'yes //so//',
    '==',
    // At the beginning of a line "^2^" is a row of DokuWiki's tables, and what stands behind one is not in its page.
    'x^2^',
    '~2~',
    '$x$',
    'H2O',
    'naïve',
    '“quoted”',
    '–',
    'мир',
    '好',
  ],
];
const BEGINNINGS = ['', '', '', '', '> ', '- ', '* ', '1. ', '# ', '== '];
const BREAKS = [' ', ' ', ' ', '\n', '\n\n'];

const any = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)]!;
const words = (): string =>
  Array.from({ length: Math.floor(Math.random() * 9) }, () => any(WORDS)).join(' ');

/** What stands before the sealed text and after it; fields insert it with a space beside words. */
export function surroundings(): readonly [before: string, after: string] {
  const [before, after] = [words(), words()];
  return [any(BEGINNINGS) + (before && before + any(BREAKS)), after && any(BREAKS) + after];
}
