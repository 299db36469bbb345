import { expect } from 'chai';
import { visibleText } from '../../../../extension/ui/text/plain-text.ts';

describe('visibleText', () => {
  const CASES: readonly [what: string, text: string, shown: string][] = [
    ['leaves ordinary text unchanged', 'Grüße, שלום, 你好\n\tend', 'Grüße, שלום, 你好\n\tend'],
    ['normalises line ends', 'one\r\ntwo\nthree', 'one\ntwo\nthree'],
    ['shows overrides as codes', 'pay \u202e001 \u202cto me', 'pay ⟨U+202E⟩001 ⟨U+202C⟩to me'],
    [
      'shows isolates and marks as codes',
      '\u2066a\u2069\u200e\u061c',
      '⟨U+2066⟩a⟨U+2069⟩⟨U+200E⟩⟨U+061C⟩',
    ],
    [
      'shows controls as codes',
      'a\u0000b\u001b[2Jc\rd\u0085e',
      'a⟨U+0000⟩b⟨U+001B⟩[2Jc⟨U+000D⟩d⟨U+0085⟩e',
    ],
    ['shows other line separators as codes', 'a\u2028b\u2029c', 'a⟨U+2028⟩b⟨U+2029⟩c'],
    ['shows characters without width as codes', 'pass\u200bword\ufeff', 'pass⟨U+200B⟩word⟨U+FEFF⟩'],
    [
      'leaves the joiners that scripts and emoji need',
      '👩\u200d👧 می\u200cخواهم',
      '👩\u200d👧 می\u200cخواهم',
    ],
    ['leaves markup unchanged', '<img onerror=x>&amp;', '<img onerror=x>&amp;'],
  ];
  for (const [what, text, shown] of CASES) {
    it(what, () => expect(visibleText(text)).to.equal(shown));
  }
});
