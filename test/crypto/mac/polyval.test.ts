import { expect } from 'chai';
import { Polyval } from '../../../src/crypto/mac/polyval.ts';
import { describeVectors, hex, parseFields } from '../../support/vectors.ts';
import type { Fields } from '../../support/vectors.ts';

describe('POLYVAL', () => {
  it('RFC 8452, appendix A: the worked example', () => {
    const vector = {
      h: '25629347589242761d31f826ba4b757b',
      x: '4f4f95668c83dfb6401762bb2d01a262 d1a24ddd2721d006bbe45f20d3c9f362',
      y: 'f7a3b47b846119fae5b7866cf5e5b77e',
    };
    const digest = new Polyval(hex(vector, 'h')).absorb(hex(vector, 'x')).digest();
    expect(digest).to.deep.equal(hex(vector, 'y'));
  });

  describeVectors(
    'gcm_siv/botan_polyval.vec',
    (text) => parseFields(text, 'key'),
    (v: Fields) => {
      const digest = new Polyval(hex(v, 'key')).absorb(hex(v, 'in')).digest();
      expect(digest).to.deep.equal(hex(v, 'out'));
    },
  );

  it('pads partial blocks with zeros', () => {
    const h = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);
    const data = Uint8Array.from({ length: 32 }, (_, i) => (i < 21 ? i + 1 : 0));
    const padded = new Polyval(h).absorb(data).digest();
    expect(new Polyval(h).absorb(data.subarray(0, 21)).digest()).to.deep.equal(padded);
  });
});
