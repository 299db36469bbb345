import { expect } from 'chai';
import { MAX_LIMIT, randomUuid, uniformInteger } from '../../src/random/uniform.ts';
import { streamSource } from './fixed-source.ts';

/** A source that gives these bytes, one array per draw, and counts the draws. */
function scripted(...draws: readonly number[][]) {
  let next = 0;
  return {
    bytes: () => new Uint8Array(draws[next++]!),
    get drawn() {
      return next;
    },
  };
}

const repeated = (byte: number, times: number): number[] =>
  Array.from({ length: times }, () => byte);

describe('uniformInteger', () => {
  it('accepts limits from 1 to 2^48', () => {
    const source = streamSource('limits');
    expect(uniformInteger(source, 1)).to.equal(0);
    expect(uniformInteger(scripted(repeated(255, 6)), MAX_LIMIT)).to.equal(2 ** 48 - 1);
    expect(uniformInteger(scripted(repeated(0, 6)), MAX_LIMIT)).to.equal(0);
    for (const limit of [0, -1, 2 ** 48 + 1]) {
      expect(() => uniformInteger(source, limit)).to.throw(RangeError, 'limit');
    }
    for (const limit of [1.5, Number.NaN, Infinity]) {
      expect(() => uniformInteger(source, limit)).to.throw(Error, 'limit');
    }
  });

  it('draws 4 bytes up to 2^32 and 6 bytes beyond, the most significant first', () => {
    const source = streamSource('lengths');
    uniformInteger(source, 2 ** 32);
    uniformInteger(source, 2 ** 32 + 1);
    expect(source.drawn.slice(0, 2)).to.deep.equal([4, 6]);
    expect(uniformInteger(scripted([1, 2, 3, 4]), 2 ** 32)).to.equal(0x01020304);
    expect(uniformInteger(scripted([1, 2, 3, 4, 5, 6]), MAX_LIMIT)).to.equal(0x010203040506);
  });

  it('rejects exactly the draws that would make small values more likely', () => {
    // 2^32 = 10 · 429496729 + 6: the last six draws are not a whole cycle.
    const fair = 2 ** 32 - 6;
    const bytesOf = (draw: number) => [24, 16, 8, 0].map((shift) => (draw >>> shift) & 255);
    const rejected = [fair, fair + 5].map(bytesOf);
    const source = scripted(...rejected, bytesOf(fair - 1));
    expect(uniformInteger(source, 10)).to.equal(9);
    expect(source.drawn).to.equal(3);
  });

  it('gives every value equally often, within five standard deviations, from a fixed stream', () => {
    for (const limit of [2, 6, 10, 100]) {
      const source = streamSource(`uniform ${limit}`);
      const draws = 400 * limit;
      const counts = Array.from({ length: limit }, () => 0);
      for (let i = 0; i < draws; i++) counts[uniformInteger(source, limit)]! += 1;
      const deviation = Math.sqrt(400 * (1 - 1 / limit));
      for (const count of counts) expect(Math.abs(count - 400)).to.be.below(5 * deviation);
    }
  });

  it('covers the whole range of 2^48', () => {
    const source = streamSource('wide');
    const quarters = [0, 0, 0, 0];
    for (let i = 0; i < 1600; i++) {
      quarters[Math.floor(uniformInteger(source, 3 * 2 ** 46) / (3 * 2 ** 44))]! += 1;
    }
    for (const count of quarters) expect(count).to.be.within(320, 480);
  });
});

describe('randomUuid', () => {
  it('sets version and variant, keeps the other 122 bits, and writes lower case', () => {
    expect(randomUuid(scripted(repeated(255, 16)))).to.equal(
      'ffffffff-ffff-4fff-bfff-ffffffffffff',
    );
    expect(randomUuid(scripted(repeated(0, 16)))).to.equal('00000000-0000-4000-8000-000000000000');
  });
});
