import { expect } from 'chai';
import { armor } from '../../../src/format/wire/armor.ts';
import {
  CANDIDATES_MAX,
  armorCandidates as candidatesOf,
} from '../../../src/format/wire/find-armor.ts';
import { sealMessage } from '../../../src/format/message.ts';
import { KEY, KEY_ID } from '../support.ts';

const field = async (bytes: number): Promise<string> =>
  armor(await sealMessage({ key: KEY, keyId: KEY_ID, purpose: 'field' }, new Uint8Array(bytes)));

const cut = (text: string, width: number): string[] =>
  text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];

const armorCandidates = (pieces: readonly string[]): string[] =>
  candidatesOf(pieces)
    .filter(({ beyond }) => beyond === 0)
    .map(({ text }) => text);

describe('Armor found on a page, split and perhaps followed by other text', () => {
  for (const bytes of [0, 31, 32, 100, 1_000, 20_000]) {
    it(`finds a whole message of ${bytes} bytes, in lines of 64 characters`, async () => {
      const text = await field(bytes);
      expect(armorCandidates(cut(text, 64))[0]).to.equal(text);
      expect(armorCandidates([text])).to.deep.equal([text]);
    });

    it(`and few other candidates if words follow it`, async () => {
      const text = await field(bytes);
      const words = ['Regards', 'Ada', 'Sent', 'from', 'my', 'phone', 'abcd', 'efghijkl'];
      const candidates = armorCandidates([...cut(text, 64), ...words]);
      expect(candidates).to.include(text);
      expect(candidates.length).to.be.at.most(4);
    });
  }

  it('gives the longest first, and at most 16', async () => {
    const unpadded = armor(
      await sealMessage(
        { key: KEY, keyId: KEY_ID, purpose: 'field', pad: false },
        new Uint8Array(9),
      ),
    );
    const candidates = armorCandidates([unpadded, ...Array<string>(100).fill('AAAA')]);
    expect(candidates).to.have.length(CANDIDATES_MAX);
    const lengths = candidates.map(({ length }) => length);
    expect(lengths).to.deep.equal([...lengths].sort((a, b) => b - a));
  });

  it('gives nothing for other text, and for armor that is cut off', async () => {
    const text = await field(100);
    const none = [
      [],
      [''],
      ['sw1.'],
      ['sw1.AAAA'],
      ['sw2.' + text.slice(4)],
      [text.slice(0, 60)],
      [text.slice(0, -1)],
      ['sw1.\u00e4\u00e4\u00e4\u00e4'],
    ];
    for (const pieces of none) expect(armorCandidates(pieces), pieces.join()).to.deep.equal([]);
  });
});
