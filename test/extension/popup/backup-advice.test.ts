import { expect } from 'chai';
import { backupAdvice } from '../../../extension/popup/backup-reminder.tsx';

const NOW = Date.UTC(2026, 10, 21);
const ago = (days: number) => NOW - days * 86_400_000;

describe('the reminder of backups', () => {
  for (const [what, vault, made, checked, advice] of [
    ['a new vault', ago(6.9), null, null, null],
    ['a vault of a week without any', ago(7), null, null, 'make'],
    ['a vault of unknown age without any', null, null, null, 'make'],
    ['a fresh one', ago(400), ago(29), null, null],
    ['one of a month that was never opened', ago(400), ago(30), null, 'check'],
    ['one of a month that was opened', ago(400), ago(30), ago(2), null],
    ['a look at one before it', ago(400), ago(30), ago(31), 'check'],
    ['one of three months', ago(400), ago(90), ago(1), 'renew'],
    ['a clock that went back', ago(-2), ago(-1), null, null],
  ] as const) {
    it(`says ${advice ?? 'nothing'} for ${what}`, () => {
      expect(backupAdvice({ made, checked }, vault, NOW)).to.equal(advice);
    });
  }
});
