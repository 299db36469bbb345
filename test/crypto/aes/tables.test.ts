import { expect } from 'chai';
import { computeTables, xtime } from '../../../src/crypto/aes/tables.ts';
import { readPublished } from '../../support/vectors.ts';

const { sbox } = readPublished('fips197.json') as { sbox: { x: string; s: string }[] };

/** Multiplication in GF(2^8) by the definition of FIPS 197, section 4.2, for comparison. */
function times(a: number, b: number): number {
  let product = 0;
  for (let power = a, rest = b; rest > 0; rest >>= 1, power = xtime(power)) {
    if (rest & 1) product ^= power;
  }
  return product;
}

describe('AES tables', () => {
  const [encrypt, decrypt] = computeTables();
  const bytes = Array.from({ length: 256 }, (_, i) => i);

  it('contain the S-box values of FIPS 197', () => {
    for (const { x, s } of sbox) {
      expect(encrypt[1024 + Number.parseInt(x, 16)], x).to.equal(Number.parseInt(s, 16));
    }
  });

  it('contain a permutation without fixed points, and its inverse', () => {
    expect(new Set(encrypt.subarray(1024, 1280)).size).to.equal(256);
    for (const x of bytes) {
      const s = encrypt[1024 + x]!;
      expect(s).to.not.equal(x);
      expect(decrypt[1024 + s]).to.equal(x);
    }
  });

  it('contain MixColumns of each substituted byte in each row, and the inverse', () => {
    const check = (table: Int32Array, column: readonly number[]) => {
      for (const x of bytes) {
        const s = table[1024 + x]!;
        for (let row = 0; row < 4; row++) {
          const rotated = [0, 1, 2, 3].map((r) => times(s, column[(r - row) & 3]!));
          const word = rotated.reduce((sum, byte, r) => sum | (byte << (8 * r)), 0);
          expect(table[256 * row + x], `T${row}[${x}]`).to.equal(word);
          expect(table[1024 + 256 * row + x], `S${row}[${x}]`).to.equal(s << (8 * row));
        }
      }
    };
    check(encrypt, [2, 1, 1, 3]);
    check(decrypt, [0x0e, 0x09, 0x0d, 0x0b]);
  });
});
