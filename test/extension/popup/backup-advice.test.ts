import { expect } from 'chai';
import { backupAdvice } from '../../../extension/popup/backup-reminder.tsx';

const NOW = Date.UTC(2026, 10, 21);
const ago = (days: number) => NOW - days * 86_400_000;

describe('the reminder of backups', () => {
  for (const [what, vault, made, checked, advice] of [
    ['a new vault', ago(6.9), null, null, null],
    ['a vault of a week without a backup', ago(7), null, null, 'make'],
    ['a vault of unknown age without a backup', null, null, null, 'make'],
    ['a recent backup', ago(400), ago(29), null, null],
    ['a backup of a month that was never checked', ago(400), ago(30), null, 'check'],
    ['a backup of a month that was checked', ago(400), ago(30), ago(2), null],
    ['a backup of a month, with an earlier one checked', ago(400), ago(30), ago(31), 'check'],
    ['a backup of three months', ago(400), ago(90), ago(1), 'renew'],
    ['a clock that was set back', ago(-2), ago(-1), null, null],
  ] as const) {
    it(`advises ${advice ?? 'nothing'} for ${what}`, () => {
      expect(backupAdvice({ made, checked }, vault, NOW)).to.equal(advice);
    });
  }
});
