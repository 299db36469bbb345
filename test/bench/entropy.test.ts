import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { estimates, minEntropy } from '../../bench/entropy/estimators.ts';
import { repeats } from '../../bench/entropy/repeats.ts';

interface Reference {
  readonly file: string;
  readonly symbols: number;
  readonly count: number;
  readonly packed: string;
  readonly estimates: Readonly<Record<string, number>>;
}

const { sets } = JSON.parse(readFileSync('test/vectors/sp800-90b.json', 'utf8')) as {
  readonly sets: readonly Reference[];
};

function samplesOf({ symbols, count, packed }: Reference) {
  const bits = Math.log2(symbols);
  const bytes = Buffer.from(packed, 'base64');
  const values = Uint8Array.from(
    { length: count },
    (_, i) => (bytes[Math.floor((i * bits) / 8)]! >> ((i * bits) % 8)) & (symbols - 1),
  );
  return { values, symbols };
}

describe('the estimators of SP 800-90B', () => {
  for (const reference of sets) {
    it(`give what the program of NIST gives for ${reference.file}`, () => {
      const found = estimates(samplesOf(reference));
      expect(Object.keys(found)).to.have.members(Object.keys(reference.estimates));
      for (const [name, bits] of Object.entries(reference.estimates)) {
        expect(found[name], name).to.be.closeTo(bits, 1e-9);
      }
    });
  }

  it('give nothing to a constant, and little to what repeats', () => {
    const constant = { values: new Uint8Array(8000), symbols: 2 };
    for (const [name, bits] of Object.entries(estimates(constant))) {
      expect(bits, name).to.be.closeTo(0, 0.02);
    }
    const period = Uint8Array.from({ length: 8000 }, (_, i) => Number(i % 7 < 3));
    expect(minEntropy({ values: period, symbols: 2 })).to.be.lessThan(0.02);
  });

  it('look for sequences that occur again without a turn over all samples for each length', () => {
    // Half of them again: a hundred thousand lengths, each of which once took a turn over twice as many samples.
    const half = Uint8Array.from(
      { length: 100_000 },
      (_, i) => (Math.imul(i, 0x9e3779b1) >>> 28) & 15,
    );
    const values = new Uint8Array(2 * half.length);
    values.set(half);
    values.set(half, half.length);
    const { tTuple, longestRepeat } = repeats({ values, symbols: 16 });
    expect(tTuple).to.be.within(0, 4);
    expect(longestRepeat).to.be.closeTo(0, 1e-3);
  }).timeout(10_000);

  it('are the limits of single estimators of section 6.3', () => {
    // The example of 6.3.1: 20 samples, of which the most common is there 8 times
    const values = Uint8Array.of(0, 1, 1, 2, 0, 1, 2, 2, 0, 1, 0, 1, 1, 0, 2, 2, 1, 0, 2, 1);
    expect(estimates({ values, symbols: 3 })['Most Common Value']).to.be.closeTo(0.5363, 5e-4);
  });
});
