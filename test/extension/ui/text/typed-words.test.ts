import { expect } from 'chai';
import { passphrasesMeant } from '../../../../extension/ui/text/typed-words.ts';

const MADE = 'velvet-anchor-yo-yo-clover-tidal-oboe';

describe('words that somebody was told', () => {
  it('are tried as they are made, then as they were typed', () => {
    for (const typed of [
      'velvet anchor yo-yo clover tidal oboe',
      'Velvet Anchor Yo yo Clover Tidal Oboe',
      ' velvet - anchor\u00a0yo-yo  clover tidal oboe\t',
      `${MADE} `,
    ]) {
      expect(passphrasesMeant(typed), typed).to.deep.equal([MADE, typed]);
    }
    expect(passphrasesMeant(MADE)).to.deep.equal([MADE]);
  });

  it('are a passphrase of the sender in any other form, which is tried as it is', () => {
    for (const typed of [
      'velvet anchor clover tidal oboe',
      ' Correct horse ',
      'velvet anchor yo-yo clover tidal oboe 7',
      'tür anker samt klee flut oboe',
    ]) {
      expect(passphrasesMeant(typed), typed).to.deep.equal([typed]);
    }
  });
});
