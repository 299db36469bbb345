import { expect } from 'chai';
import { plainName } from '../../../../extension/manager/files/shown-text.ts';

describe('plainName', () => {
  const names: readonly (readonly [string, '.json' | '.txt' | '.bin', string])[] = [
    ['letter.txt.age', '.txt', 'letter.txt'],
    ['holiday.jpg.sealed.txt', '.bin', 'holiday.jpg'],
    ['account.json', '.json', 'account-opened.json'],
    ['backup.age', '.txt', 'backup-opened.txt'],
    ['backup.age', '.bin', 'backup-opened.bin'],
    ['letter', '.txt', 'letter-opened.txt'],
    ['letter.doc', '.bin', 'letter.doc-opened.bin'],
    ['.hidden.age', '.txt', '.hidden-opened.txt'],
    ['.age', '.bin', 'opened.bin'],
    ['', '.txt', 'opened.txt'],
    // As browsers number files of one name
    ['holiday.png (1).sealed', '.bin', 'holiday.png'],
    ['holiday.png(1).sealed', '.bin', 'holiday.png'],
    ['holiday (2).png.sealed', '.bin', 'holiday (2).png'],
    ['letter.txt.sealed (12).txt', '.txt', 'letter.txt'],
    ['letter.txt.sealed(3).txt', '.txt', 'letter.txt'],
  ];
  for (const [name, ending, expected] of names) {
    it(`"${name}" (${ending}) becomes "${expected}"`, () => {
      expect(plainName(name, ending)).to.equal(expected);
    });
  }
});
