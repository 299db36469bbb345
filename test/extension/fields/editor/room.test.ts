import { expect } from 'chai';
import {
  canHoldSealed,
  hasRoom,
  sealedCharacters,
} from '../../../../extension/fields/editor/room.ts';
import { webArmor } from '../../../../src/format/wire/web-armor.ts';
import { sealedLength } from '../../../../src/format/wire/sealed-length.ts';

describe('the room of a field for sealed text', () => {
  it('is counted as the armor of a padded message is long', () => {
    for (const text of [
      '',
      'a',
      'x'.repeat(22),
      'x'.repeat(1_000),
      'ü'.repeat(1_000),
      '🔒'.repeat(40_000),
    ]) {
      const bytes = new TextEncoder().encode(text).length;
      const armored = webArmor(new Uint8Array(sealedLength(bytes, { pad: true })));
      expect(sealedCharacters(text)).to.equal(armored.length);
    }
  });

  it('is endless without a limit, and none below the shortest sealed text', () => {
    expect(hasRoom(-1, 'x'.repeat(100_000))).to.equal(true);
    expect(canHoldSealed(220)).to.equal(false);
    expect(canHoldSealed(221)).to.equal(true);
    expect(hasRoom(221, 'x'.repeat(31))).to.equal(true);
    expect(hasRoom(221, 'x'.repeat(32))).to.equal(false);
  });
});
