import { expect } from 'chai';
import { BufferedRandom } from '../../src/random/buffered-random.ts';
import { streamSource, throwingSource } from './fixed-source.ts';

/** A source that counts, so that a byte given twice shows. */
function counting() {
  const draws: number[] = [];
  let next = 0;
  return {
    draws,
    bytes(length: number) {
      draws.push(length);
      const words = Uint32Array.from({ length: Math.ceil(length / 4) }, () => next++);
      return new Uint8Array(words.buffer).slice(0, length);
    },
  };
}

/** The platform, in which nothing is of interest. */
const zeros = { bytes: (length: number) => new Uint8Array(length) };

describe('BufferedRandom', () => {
  it('gives every word of its source once, over the end of a draw too', () => {
    const source = counting();
    const ahead = new BufferedRandom(source, zeros);
    const seen = new Set<string>();
    const sizes = [32, 32, 8, 16];
    for (let i = 0; i < 6000; i++) {
      const bytes = ahead.bytes(sizes[i % sizes.length]!);
      expect(bytes).to.have.length(sizes[i % sizes.length]!);
      seen.add(Buffer.from(bytes).toString('hex'));
    }
    expect(seen.size).to.equal(6000);
    expect(source.draws.length).to.be.lessThan(70);
  });

  it('passes a request on that is longer than a draw', () => {
    const source = counting();
    expect(new BufferedRandom(source, zeros).bytes(40_000)).to.have.length(40_000);
    expect(source.draws).to.deep.equal([40_000]);
  });

  it('gives bytes that are no view of its buffer', () => {
    const ahead = new BufferedRandom(counting(), zeros);
    const first = ahead.bytes(16);
    const copy = first.slice();
    first.fill(0);
    expect(ahead.bytes(16)).to.not.deep.equal(copy);
  });

  it('adds fresh bytes of the platform to each request', () => {
    const plain = new BufferedRandom(counting(), zeros);
    const mixed = new BufferedRandom(counting(), streamSource('platform'));
    const platform = streamSource('platform');
    for (let i = 0; i < 200; i++) {
      const pad = platform.bytes(16);
      const expected = plain.bytes(16).map((byte, at) => byte ^ pad[at]!);
      expect(mixed.bytes(16)).to.deep.equal(expected);
    }
  });

  it('leaves it to its source what happens when the platform fails', () => {
    const source = counting();
    expect(new BufferedRandom(source, throwingSource).bytes(16)).to.have.length(16);
    expect(source.draws).to.deep.equal([16]);
  });
});
