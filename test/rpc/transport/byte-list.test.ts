import { expect } from 'chai';
import fc from 'fast-check';
import { countOf, byteList, unpacked } from '../../../src/rpc/transport/byte-list.ts';
import { InvalidValue } from '../../../src/rpc/validate.ts';
import { packedOf } from '../../support/packed.ts';

describe('Packed byte strings', () => {
  it('are read as written, for any number and lengths', () => {
    const validator = byteList(50, 10_000);
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 50 }), (items) => {
        const read = validator(packedOf(...items), 'items');
        expect(countOf(read)).to.equal(items.length);
        expect(unpacked(read).map((item) => [...item])).to.deep.equal(items.map((i) => [...i]));
      }),
    );
  });

  it('are read from views at any offset', () => {
    const { bytes, lengths } = packedOf(Uint8Array.of(1, 2), Uint8Array.of(3));
    const shifted = new Uint8Array(20);
    shifted.set(bytes, 5);
    shifted.set(lengths, 9);
    const view = { bytes: shifted.subarray(5, 8), lengths: shifted.subarray(9, 17) };
    expect(unpacked(byteList(2, 3)(view, 'items')).map((item) => [...item])).to.deep.equal([
      [1, 2],
      [3],
    ]);
  });

  for (const [what, value] of [
    ['a length too many', { bytes: new Uint8Array(2), lengths: Uint8Array.of(0, 0, 0, 3) }],
    ['a length too few', { bytes: new Uint8Array(4), lengths: Uint8Array.of(0, 0, 0, 3) }],
    ['a length cut off', { bytes: new Uint8Array(0), lengths: Uint8Array.of(0, 0, 0) }],
    [
      'lengths that wrap around',
      { bytes: new Uint8Array(0), lengths: new Uint8Array(8).fill(255) },
    ],
    ['items too many', packedOf(...Array.from({ length: 5 }, () => new Uint8Array(0)))],
    ['bytes too many', packedOf(new Uint8Array(9))],
    ['no lengths', { bytes: new Uint8Array(2) }],
    ['another field', { ...packedOf(), more: 1 }],
  ] as const) {
    it(`refuse ${what}`, () => {
      expect(() => byteList(4, 8)(value, 'items')).to.throw(InvalidValue, /^items/);
    });
  }
});
