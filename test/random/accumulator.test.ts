import { expect } from 'chai';
import { toHex } from '../../src/crypto/bytes.ts';
import { FortunaAccumulator } from '../../src/random/accumulator.ts';
import { NotSeededError } from '../../src/random/contract.ts';

const data = (length: number, value = 7): Uint8Array => new Uint8Array(length).fill(value);

/** Two events of 2 + 30 bytes: pool 0 is exactly at its threshold. */
function fill(accumulator: FortunaAccumulator, value = 7): void {
  accumulator.addEvent(1, 0, data(30, value));
  accumulator.addEvent(1, 0, data(30, value));
}

const read = (accumulator: FortunaAccumulator, nowMs: number): string =>
  toHex(accumulator.randomData(32, nowMs));

describe('FortunaAccumulator', () => {
  it('gives nothing until pool 0 has 64 bytes, headers included', () => {
    const accumulator = new FortunaAccumulator();
    accumulator.addEvent(1, 0, data(30));
    accumulator.addEvent(1, 0, data(29)); // 63 bytes
    expect(() => accumulator.randomData(1, 0)).to.throw(NotSeededError);
    expect(accumulator.reseedCount).to.equal(0);

    const enough = new FortunaAccumulator();
    fill(enough); // 64 bytes
    expect(enough.randomData(1, 0)).to.have.length(1);
    expect(enough.reseedCount).to.equal(1);
  });

  it('is not seeded by the other 31 pools', () => {
    const accumulator = new FortunaAccumulator();
    for (let pool = 1; pool < 32; pool++) {
      for (let i = 0; i < 10; i++) accumulator.addEvent(1, pool, data(32));
    }
    expect(() => accumulator.randomData(1, 0)).to.throw(NotSeededError);
  });

  it('reseeds when more than 100 ms have passed, not at 100 ms', () => {
    const accumulator = new FortunaAccumulator();
    fill(accumulator);
    accumulator.randomData(1, 1000);
    fill(accumulator);
    accumulator.randomData(1, 1100);
    expect(accumulator.reseedCount).to.equal(1);
    accumulator.randomData(1, 1100.1);
    expect(accumulator.reseedCount).to.equal(2);
  });

  it('does not reseed after 100 ms while pool 0 is short of 64 bytes', () => {
    const accumulator = new FortunaAccumulator();
    fill(accumulator);
    accumulator.randomData(1, 1000);
    accumulator.addEvent(1, 0, data(30));
    accumulator.randomData(1, 99_999);
    expect(accumulator.reseedCount).to.equal(1);
    accumulator.addEvent(1, 0, data(30));
    accumulator.randomData(1, 99_999);
    expect(accumulator.reseedCount).to.equal(2);
  });

  it('continues to reseed after the clock was set back', () => {
    const accumulator = new FortunaAccumulator();
    fill(accumulator);
    accumulator.randomData(1, 5000);
    fill(accumulator);
    accumulator.randomData(1, 1000);
    expect(accumulator.reseedCount).to.equal(2);
  });

  it('empties pool i at each reseed that 2^i divides, up to the 128th', () => {
    const accumulator = new FortunaAccumulator();
    for (let count = 1; count <= 128; count++) {
      for (let pool = 0; pool < 32; pool++) accumulator.addEvent(1, pool, data(32));
      fill(accumulator);
      const before = accumulator.poolBytes;
      accumulator.randomData(0, count * 1000);
      expect(accumulator.reseedCount).to.equal(count);
      const used = accumulator.poolBytes.map((bytes) => bytes === 0);
      const due = before.map((_, i) => count % 2 ** i === 0);
      expect(used, `reseed ${count}`).to.deep.equal(due);
    }
  });

  it('mixes in exactly the pools that are due', () => {
    // An event in pool i affects the output at reseed 2^i, and not before.
    for (let pool = 1; pool <= 6; pool++) {
      const [plain, changed] = [new FortunaAccumulator(), new FortunaAccumulator()];
      changed.addEvent(9, pool, data(1));
      for (let count = 1; count <= 2 ** pool; count++) {
        fill(plain);
        fill(changed);
        const same = read(plain, count * 1000) === read(changed, count * 1000);
        expect(same, `pool ${pool}, reseed ${count}`).to.equal(count < 2 ** pool);
      }
    }
  });

  it('distinguishes events by source, length and data', () => {
    const outputs = [
      [1, data(4)] as const,
      [2, data(4)] as const,
      [1, data(5)] as const,
      [1, data(4, 8)] as const,
    ].map(([source, bytes]) => {
      const accumulator = new FortunaAccumulator();
      accumulator.addEvent(source, 0, bytes);
      fill(accumulator);
      return read(accumulator, 0);
    });
    expect(new Set(outputs).size).to.equal(4);
  });

  it('accepts events of 1 … 32 bytes, sources 0 … 255, pools 0 … 31, and changes nothing else', () => {
    const accumulator = new FortunaAccumulator();
    accumulator.addEvent(0, 0, data(1));
    accumulator.addEvent(255, 31, data(32));
    const before = accumulator.poolBytes;
    expect(before[0]).to.equal(3);
    expect(before[31]).to.equal(34);
    expect(() => accumulator.addEvent(1, 0, data(0))).to.throw(RangeError, 'data');
    expect(() => accumulator.addEvent(1, 0, data(33))).to.throw(RangeError, 'data');
    expect(() => accumulator.addEvent(256, 0, data(1))).to.throw(RangeError, 'source');
    expect(() => accumulator.addEvent(-1, 0, data(1))).to.throw(RangeError, 'source');
    expect(() => accumulator.addEvent(1, 32, data(1))).to.throw(RangeError, 'pool');
    expect(() => accumulator.addEvent(1, 0.5, data(1))).to.throw(TypeError, 'pool');
    expect(() => accumulator.addEvent(1, 99, data(1))).to.throw(RangeError, 'pool');
    expect(accumulator.poolBytes).to.deep.equal(before);
  });

  it('does not count uncredited data towards a reseed, but uses it', () => {
    const accumulator = new FortunaAccumulator();
    for (let i = 0; i < 100; i++) accumulator.addUncredited(5, 0, data(32));
    expect(accumulator.poolBytes[0]).to.equal(0);
    expect(() => accumulator.randomData(1, 0)).to.throw(NotSeededError);
    const plain = new FortunaAccumulator();
    fill(accumulator);
    fill(plain);
    expect(read(accumulator, 0)).to.not.equal(read(plain, 0));
  });

  it('refuses a request above 2^20 bytes and an invalid time', () => {
    const accumulator = new FortunaAccumulator();
    fill(accumulator);
    expect(() => accumulator.randomData(2 ** 20 + 1, 0)).to.throw(RangeError, 'lengthBytes');
    for (const wrong of [NaN, Infinity, '5', undefined]) {
      expect(() => accumulator.randomData(1, wrong as number)).to.throw(TypeError, 'nowMs');
    }
    expect(accumulator.reseedCount).to.equal(0);
    expect(accumulator.randomData(2 ** 20, 0)).to.have.length(2 ** 20);
  });
});
