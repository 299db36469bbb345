import { expect } from 'chai';
import fc from 'fast-check';
import { fromHex, toHex } from '../../src/crypto/bytes.ts';
import { double, timesReflected } from '../../src/crypto/gf128.ts';
import { Ghash } from '../../src/crypto/mac/ghash.ts';
import { load32be } from '../../src/crypto/words.ts';

describe('double', () => {
  it('gives the subkeys of RFC 4493, section 4', () => {
    const l = fromHex('7df76b0c1ab899b33e42f047b91b546f');
    const k1 = double(l);
    expect(toHex(k1)).to.equal('fbeed618357133667c85e08f7236a8de');
    expect(toHex(double(k1))).to.equal('f7ddac306ae266ccf90bc11ee46d513b');
  });

  it('is a shift, reduced by x^128 + x^7 + x^2 + x + 1, and does not change its input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (block) => {
        const kept = block.slice();
        const value = BigInt(`0x${toHex(block)}`) << 1n;
        const reduced = value >> 128n ? value ^ ((1n << 128n) | 0x87n) : value;
        expect(BigInt(`0x${toHex(double(block))}`)).to.equal(reduced);
        expect(block).to.deep.equal(kept);
      }),
    );
  });
});

describe('timesReflected', () => {
  const block = fc.uint8Array({ minLength: 16, maxLength: 16 });
  const product = (x: Uint8Array, y: Uint8Array) =>
    timesReflected(
      [0, 4, 8, 12].map((at) => load32be(x, at)),
      y,
    );

  it('is GHASH of one block (test case 2 of McGrew and Viega), by tables and without them', () => {
    const h = fromHex('66e94bd4ef8a2c3b884cfa59ca342b2e');
    const x = fromHex('0388dace60b6a392f328c2b971b2fe78');
    expect(toHex(product(x, h))).to.equal('5e2ec746917062882c85b0685353deb7');
    fc.assert(
      fc.property(block, block, (a, b) => {
        expect(product(a, b)).to.deep.equal(new Ghash(b).absorb(a).digest());
      }),
    );
  });

  it('commutes', () => {
    fc.assert(
      fc.property(block, block, (a, b) => {
        expect(product(a, b)).to.deep.equal(product(b, a));
      }),
    );
  });
});
