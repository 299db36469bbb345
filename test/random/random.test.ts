import { expect } from 'chai';
import { toHex } from '../../src/crypto/bytes.ts';
import { FortunaAccumulator } from '../../src/random/accumulator.ts';
import { NotSeededError, type RandomSource } from '../../src/random/contract.ts';
import { Random } from '../../src/random/random.ts';
import { constantSource, repeatingSource, streamSource, throwingSource } from './fixed-source.ts';

/** A clock that advances by a second at each reading. */
function clock(): () => number {
  let now = 0;
  return () => (now += 1000);
}

const random = (platform?: RandomSource): Random =>
  new Random({ nowMs: clock(), ...(platform && { platform }) });

/** Enough events of one kind to fill pool 0: three cycles of all pools, 2 + 20 bytes each. */
function feed(target: Random, value: number): void {
  for (let i = 0; i < 96; i++) target.addEvent(1, new Uint8Array(20).fill(i).fill(value, 10));
}

describe('Random', () => {
  describe('failure matrix: platform × pools', () => {
    const broken = {
      constant: constantSource,
      repeating: repeatingSource,
      throwing: throwingSource,
      short: { bytes: () => new Uint8Array(1) },
    };

    it('platform sound, pools empty: answers', () => {
      const source = random(streamSource('sound'));
      expect(source.bytes(32)).to.have.length(32);
      expect(source.healthy).to.equal(true);
    });

    for (const [name, platform] of Object.entries(broken)) {
      it(`platform ${name}, pools empty: refuses, every time`, () => {
        const source = random(platform);
        for (let i = 0; i < 200; i++) expect(() => source.bytes(32)).to.throw(NotSeededError);
        expect(() => source.bytes(0)).to.throw(NotSeededError);
        expect(source.healthy).to.equal(false);
        expect(source.pools().every(({ bytes }) => bytes === 0)).to.equal(true);
      });

      it(`platform ${name}, pools fed: answers, and never the same twice`, () => {
        const seen = new Set<string>();
        for (let instance = 0; instance < 40; instance++) {
          const source = random(platform);
          feed(source, instance);
          for (let i = 0; i < 25; i++) seen.add(toHex(source.bytes(16)));
          expect(source.healthy).to.equal(false);
        }
        expect(seen.size).to.equal(1000);
      });

      it(`platform ${name}, nothing but uncredited events and a seed: refuses`, () => {
        const source = random(platform);
        for (let i = 0; i < 500; i++) source.addUncredited(1, Uint8Array.of(i, i >> 8));
        source.stir(new Uint8Array(64).fill(1));
        expect(() => source.bytes(1)).to.throw(NotSeededError);
      });
    }

    it('platform fails after Fortuna was seeded: Fortuna continues alone', () => {
      let dead = false;
      const sound = streamSource('sound');
      const source = random({
        bytes: (length) => (dead ? throwingSource.bytes(length) : sound.bytes(length)),
      });
      source.bytes(32);
      dead = true;
      const seen = Array.from({ length: 100 }, () => toHex(source.bytes(16)));
      expect(new Set(seen).size).to.equal(100);
      expect(source.healthy).to.equal(false);
    });

    it('a platform that failed once is not trusted again', () => {
      let calls = 0;
      const sound = streamSource('sound');
      const source = random({
        bytes: (length) => (calls++ === 0 ? throwingSource.bytes(length) : sound.bytes(length)),
      });
      expect(() => source.bytes(1)).to.throw(NotSeededError);
      expect(() => source.bytes(1)).to.throw(NotSeededError);
      expect(calls).to.equal(1);
    });
  });

  it('is secure if the platform is: equal pools, other platform output, other answers', () => {
    const outputs = ['a', 'b'].map((label) => toHex(random(streamSource(label)).bytes(32)));
    expect(outputs[0]).to.not.equal(outputs[1]);
  });

  it('is secure if Fortuna is: equal platform output, other events, other answers', () => {
    const outputs = [1, 2].map((value) => {
      const source = random(streamSource('same'));
      feed(source, value);
      return toHex(source.bytes(32));
    });
    expect(outputs[0]).to.not.equal(outputs[1]);
  });

  it('is Fortuna, whose pools the platform fills in a cycle, XOR the platform', () => {
    const output = random(streamSource('recorded')).bytes(32);
    const platform = streamSource('recorded');
    const fortuna = new FortunaAccumulator();
    for (let i = 0; i < 64; i++) fortuna.addEvent(0, i % 32, platform.bytes(32));
    const pad = platform.bytes(32);
    const expected = fortuna.randomData(32, 1000).map((byte, i) => byte ^ pad[i]!);
    expect(toHex(output)).to.equal(toHex(expected));
  });

  it('does not call the platform before its first request', () => {
    const platform = streamSource('lazy');
    const source = random(platform);
    source.addEvent(1, Uint8Array.of(1));
    expect(platform.drawn).to.deep.equal([]);
  });

  it('starts with 64 draws of 32 bytes, and draws 32 bytes before every further request', () => {
    const platform = streamSource('drawn');
    const source = random(platform);
    source.bytes(5);
    expect(platform.drawn).to.deep.equal([...Array<number>(64).fill(32), 5]);
    source.bytes(7);
    source.bytes(0);
    expect(platform.drawn.slice(65)).to.deep.equal([32, 7, 32, 0]);
  });

  it('seeds each instance separately: their outputs differ', () => {
    const seen = new Set<string>();
    for (let i = 0; i < 200; i++) seen.add(toHex(random().bytes(16)));
    expect(seen.size).to.equal(200);
  });

  it('gives any length, also above Fortuna’s maximum per request', () => {
    for (const length of [0, 1, 31, 65_537, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 2_500_000]) {
      expect(random().bytes(length)).to.have.length(length);
    }
    expect(() => random().bytes(-1)).to.throw(RangeError, 'lengthBytes');
    expect(() => random().bytes(1.5)).to.throw(TypeError, 'lengthBytes');
    expect(() => random().bytes('9' as unknown as number)).to.throw(TypeError, 'lengthBytes');
  });

  it('distributes each source over the pools in a cycle', () => {
    const source = random();
    for (let i = 0; i < 33; i++) source.addEvent(7, Uint8Array.of(i));
    source.addEvent(8, Uint8Array.of(1, 2));
    const bytes = source.pools().map((pool) => pool.bytes);
    expect(bytes).to.deep.equal([3 + 3 + 4, ...Array<number>(31).fill(3)]);
  });

  it('reports how pools are filled and used, for the entropy picture', () => {
    const source = random();
    expect(source.pools()).to.have.length(32);
    expect(source.reseedCount).to.equal(0);
    source.bytes(1);
    expect(source.reseedCount).to.equal(1);
    expect(source.pools()[0]).to.deep.equal({ bytes: 0 });
    expect(source.pools()[31]).to.deep.equal({ bytes: 68 });
  });

  it('refuses invalid events, and does not count them', () => {
    const source = random();
    for (const wrong of [0, 255, -1, 300]) {
      expect(() => source.addEvent(wrong, Uint8Array.of(1))).to.throw(RangeError, 'source');
    }
    expect(() => source.addEvent(1, new Uint8Array(0))).to.throw(RangeError, 'data');
    expect(() => source.addEvent(1, new Uint8Array(33))).to.throw(RangeError, 'data');
    expect(() => source.addEvent(1, 'x' as unknown as Uint8Array)).to.throw(TypeError, 'data');
    source.addEvent(1, Uint8Array.of(1));
    expect(source.pools()[0]).to.deep.equal({ bytes: 3 }); // its position in the cycle was kept
  });
});
