import { expect } from 'chai';
import { open } from '../../open-page/opening.ts';
import { Refusal } from '../../open-page/refusal.ts';
import { fromHex } from '../../src/crypto/bytes.ts';
import { armor } from '../../src/format/wire/armor.ts';
import { readGroupVectors } from '../format/groups/group-vectors.ts';
import { IDLE_WORK } from '../support/age-files.ts';
import { outcomeOf } from '../support/outcomes.ts';

const derive = () =>
  Promise.reject(new Error('Nothing is derived for a message without a passphrase'));

describe('open.html', () => {
  it('tells what was sealed for a group from what was sealed for one key, as a file and as text', async () => {
    const sealed = fromHex(readGroupVectors().messages[0]!.sealed);
    for (const source of [new Blob([sealed]), new Blob([armor(sealed)])]) {
      const refusal = await outcomeOf(open(source, 'any', derive, IDLE_WORK));
      expect(refusal).to.be.instanceOf(Refusal).and.to.include({ words: 'pageForGroup' });
    }
  });
});
