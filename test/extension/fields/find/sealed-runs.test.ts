import { expect } from 'chai';
import fc from 'fast-check';
import { sealedRuns } from '../../../../extension/fields/find/sealed-runs.ts';

const pieces = (text: string) => sealedRuns(text).map((run) => run.pieces);

describe('fields/find: runs of armor in a text', () => {
  const CASES: readonly [what: string, text: string, found: string[][]][] = [
    ['alone', 'sw1.AbC-_9', [['sw1.AbC-_9']]],
    ['in a sentence', 'Read sw1.AbCd, or (sw1.EfGh).', [['sw1.AbCd'], ['sw1.EfGh']]],
    ['before a word on the same line', 'sw1.AbCd then', [['sw1.AbCd']]],
    ['over lines', 'sw1.AbCd\nEfGh\r\nIjKl', [['sw1.AbCd', 'EfGh', 'IjKl']]],
    ['over lines that end in blanks', 'sw1.AbCd \t\n  EfGh', [['sw1.AbCd', 'EfGh']]],
    ['quoted in a mail', '> sw1.AbCd\n> EfGh\n> > IjKl', [['sw1.AbCd', 'EfGh', 'IjKl']]],
    ['hyphenated for layout', 'sw1.Ab\u00adCd\u200bEf', [['sw1.Ab', 'Cd', 'Ef']]],
    ['cut within its prefix', 's\nw1\n.\nAbCd', [['sw1.AbCd']]],
    ['with words below it', 'sw1.AbCd\nRegards\nAda', [['sw1.AbCd', 'Regards', 'Ada']]],
    ['with another below it', 'sw1.AbCd\nsw1.EfGh', [['sw1.AbCd'], ['sw1.EfGh']]],
    ['with a full stop below it', 'sw1.AbCd\n.', [['sw1.AbCd']]],
    ['in an address', 'https://x.example/#sw1.AbCd&y=1', [['sw1.AbCd']]],
    ['empty', 'sw1. sw1.', []],
    ['as the end of another word', 'xsw1.AbCd -sw1.AbCd .sw1.AbCd', []],
    ['in capitals', 'SW1.AbCd', []],
  ];
  for (const [what, text, found] of CASES) {
    it(`finds it ${what}`, () => expect(pieces(text)).to.deep.equal(found));
  }

  it('says where it stands', () => {
    const text = 'Read sw1.AbCd\nEfGh now';
    const [run] = sealedRuns(text);
    expect(text.slice(run!.start, run!.end)).to.equal('sw1.AbCd\nEfGh');
  });

  it('finds any armor again, wherever it is cut', () => {
    const armor = fc.stringMatching(/^sw1\.[\w-]{8,200}$/);
    fc.assert(
      fc.property(armor, fc.array(fc.nat(200)), (text, cuts) => {
        const places = cuts.filter((cut) => cut >= 5 && cut < text.length).sort((a, b) => b - a);
        const cut = places.reduce((rest, at) => `${rest.slice(0, at)}\n${rest.slice(at)}`, text);
        const [found] = pieces(cut);
        expect(found!.join('')).to.equal(text);
      }),
    );
  });

  it('takes no time to speak of for texts that are made to cost some', () => {
    const hostile = [
      'sw1.'.repeat(50_000),
      `sw1.A${'\n'.repeat(200_000)}`,
      `sw1.A${'\n>'.repeat(100_000)}`,
      `${'sw1.A\n'.repeat(20_000)}!`,
      `sw1.${'A'.repeat(1_000_000)}!`,
      's\nw\n1\n'.repeat(50_000),
    ];
    for (const text of hostile) {
      // Of the processor: other processes that run beside this one are not what the text costs.
      const before = process.cpuUsage();
      sealedRuns(text);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000, JSON.stringify(text.slice(0, 12))).to.be.below(500);
    }
  });
});
