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
    'vectors/libraries/botan-polyval.vec',
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

  it('gives the same for long data as for its blocks one by one, on both sides of a part of 4,096 bytes', () => {
    const h = Uint8Array.from({ length: 16 }, (_, i) => 3 + 11 * i);
    const data = Uint8Array.from({ length: 8_209 }, (_, i) => 251 - (i % 251));
    for (const length of [4_080, 4_095, 4_096, 4_097, 4_112, 8_191, 8_192, 8_209]) {
      const single = new Polyval(h);
      for (let i = 0; i < length; i += 16) {
        single.absorb(data.subarray(i, Math.min(i + 16, length)));
      }
      const whole = new Polyval(h).absorb(data.subarray(0, length)).digest();
      expect(whole, `${length} bytes`).to.deep.equal(single.digest());
    }
  });
});
