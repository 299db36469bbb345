import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { Classes, FIXED, RANDOM } from '../../bench/leak/classes.ts';
import type { Limits } from '../../bench/leak/measure.ts';
import type { Operation, Primitive } from '../../bench/leak/primitive.ts';
import { PRIMITIVES } from '../../bench/leak/primitives.ts';
import { table } from '../../bench/leak/report.ts';
import { CERTAIN, holds } from '../../bench/leak/result.ts';
import type { LeakRow } from '../../bench/leak/result.ts';
import { prepareChild } from '../../bench/leak/run-child.ts';
import { leakage, Moments, percentile, PERCENTILES, welchT } from '../../bench/leak/statistics.ts';

function momentsOf(...values: number[]): Moments {
  const moments = new Moments();
  for (const value of values) moments.push(value);
  return moments;
}

describe('statistics of the leak test', () => {
  it('have the mean and the sample variance', () => {
    // Squared distances from 5: 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, over 8 - 1.
    const { count, mean, variance } = momentsOf(2, 4, 4, 4, 5, 5, 7, 9);
    expect([count, mean]).to.deep.equal([8, 5]);
    expect(variance).to.be.closeTo(32 / 7, 1e-12);
    expect(momentsOf(3).variance).to.equal(0);
  });

  it('lose no digits where the mean is large', () => {
    const { mean, variance } = momentsOf(1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16);
    expect(mean).to.equal(1e9 + 10);
    expect(variance).to.be.closeTo(30, 1e-9);
  });

  it("have Welch's t as computed by hand", () => {
    // Means 20 and 22; variances 40 / 4 of 5 numbers and 400 / 7 of 8
    const a = momentsOf(16, 18, 20, 22, 24);
    const b = momentsOf(12, 22, 32, 22, 12, 22, 32, 22);
    expect([a.variance, b.mean]).to.deep.equal([10, 22]);
    expect(b.variance).to.be.closeTo(400 / 7, 1e-12);
    expect(welchT(a, b)).to.be.closeTo(-2 / Math.sqrt(10 / 5 + 400 / 7 / 8), 1e-12);
    expect(welchT(b, a)).to.equal(-welchT(a, b));
  });

  it('tell constants apart', () => {
    expect(welchT(momentsOf(1, 1), momentsOf(1, 1))).to.equal(0);
    expect(welchT(momentsOf(2, 2), momentsOf(1, 1))).to.equal(Infinity);
  });

  it('take percentiles as the nearest rank', () => {
    const sorted = Float64Array.of(15, 20, 35, 40, 50);
    const ranks = [0, 0.05, 0.3, 0.4, 0.5, 1].map((p) => percentile(sorted, p));
    expect(ranks).to.deep.equal([15, 15, 20, 20, 35, 50]);
    expect(PERCENTILES).to.have.length(100);
    expect(PERCENTILES[9]).to.equal(0.5);
    expect(PERCENTILES[99]).to.be.closeTo(0.999, 1e-4);
  });
});

describe('the verdict of the leak test', () => {
  const COUNT = 40_000;

  /** Times of two classes, from a generator with a seed (mulberry32): always the same. */
  function timesOf(draw: (random: () => number, which: number) => number) {
    let state = 0x5eed;
    const random = (): number => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
    const classes = Uint8Array.from({ length: COUNT }, () => (random() < 0.5 ? FIXED : RANDOM));
    return { times: Float64Array.from(classes, (which) => draw(random, which)), classes };
  }

  /** Nearly normal with variance 1, as a sum of twelve. */
  const normal = (random: () => number): number =>
    Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);
  /** One in a hundred is disturbed by something that takes long. */
  const disturbance = (random: () => number): number => (random() < 0.01 ? 1e4 * random() : 0);

  it('stays small where both classes have one distribution', () => {
    const { times, classes } = timesOf((random) => 100 + normal(random) + disturbance(random));
    expect(Math.abs(leakage(times, classes).t)).to.be.below(4.5);
  });

  it('finds a shift of a fifth of the noise, hidden by disturbances', () => {
    const shifted = timesOf(
      (random, which) => 100 + 0.2 * which + normal(random) + disturbance(random),
    );
    const { t, part, difference } = leakage(shifted.times, shifted.classes);
    // The expected t is 0.2 / sqrt(1 / 20000 + 1 / 20000) = 20, and a bit less for what is cut off.
    expect(t).to.be.within(-23, -15);
    expect(part).to.match(/^below p/);
    expect(difference).to.be.closeTo(-0.2, 0.05);
  });

  it('finds a class that varies more with the same mean', () => {
    const wider = timesOf((random, which) => 100 + (which === FIXED ? 1 : 1.2) * normal(random));
    const { t, part } = leakage(wider.times, wider.classes);
    expect(Math.abs(t)).to.be.above(CERTAIN);
    expect(part).to.not.equal('all');
  });

  it('is what each expectation asks for', () => {
    const row = (expected: LeakRow['expected'], t: number) => holds({ expected, t } as LeakRow);
    expect([row('constant', 4.5), row('constant', -4.6)]).to.deep.equal([true, false]);
    expect([row('leak', -10.1), row('leak', 10)]).to.deep.equal([true, false]);
    expect(row('reported', 1000)).to.equal(true);
  });
});

describe('inputs of the leak test', () => {
  const primitive: Primitive = {
    name: 'test',
    family: 'control',
    secretBytes: 24,
    publicBytes: 8,
    expected: 'constant',
    setUp: () => operation,
  };
  const operation: Operation = { call: () => undefined };

  it('are zeros in one class alone, and public bytes in none', () => {
    const inputs = new Classes(primitive, 3, 200);
    inputs.refill(operation);
    const counts = [0, 0];
    for (let i = 0; i < inputs.count; i++) {
      inputs.load(i);
      const which = inputs.classes[i]!;
      counts[which]!++;
      for (const input of inputs.inputs) {
        const isZero = input.subarray(0, 24).every((byte) => byte === 0);
        expect(isZero).to.equal(which === FIXED);
        expect(input.subarray(24).some((byte) => byte !== 0)).to.equal(true);
      }
    }
    // 100 of each are expected; 5 standard deviations are 35.
    expect(counts[FIXED]).to.be.within(65, 135);
  });

  it('are different in each call, and prepared in both classes', () => {
    const inputs = new Classes(primitive, 2, 50);
    let prepared = 0;
    inputs.refill({ ...operation, prepare: (input) => (input[0] = ++prepared & 0xff) });
    expect(prepared).to.equal(100);
    const seen = new Set<string>();
    for (let i = 0; i < inputs.count; i++) {
      inputs.load(i);
      for (const input of inputs.inputs) seen.add(Buffer.from(input).toString('hex'));
    }
    expect(seen.size).to.equal(100);
  });
});

describe('primitives of the leak test', () => {
  it('have names of their own, and claims for every family', () => {
    expect(new Set(PRIMITIVES.map(({ name }) => name)).size).to.equal(PRIMITIVES.length);
    for (const family of ['control', 'aes', 'arx', 'hash', 'integer', 'lattice']) {
      const claims = PRIMITIVES.filter(
        (one) => one.family === family && one.expected === 'constant',
      );
      expect(claims, family).to.not.be.empty;
    }
  });

  it('make a table in which nothing is hidden', () => {
    const row: LeakRow = {
      name: 'x',
      family: 'aes',
      expected: 'constant',
      variant: 'simd',
      part: 'all',
      measurements: 1_000_000,
      calls: 12,
      median: 99.5,
      t: -1.234,
      difference: 0.01,
    };
    const common = { date: '2026-01-01', machine: 'm', platform: 'p', quick: false };
    const text = table({ suite: 'leak', ...common, rows: [row] });
    expect(text).to.contain('| x | constant time | −1.23 | 1,000,000 × 12 | – | – |');
  });
});

describe('a sample of the leak test', function () {
  this.timeout(60_000);
  const LIMITS: Limits = { measurements: 20_000, seconds: 5, fewest: 1e3, warmUpSeconds: 0.2 };
  let folder: string;
  let measure: Awaited<ReturnType<typeof prepareChild>>['measure'];
  before(async () => {
    folder = mkdtempSync(`${tmpdir()}/sealwright-leak-`);
    ({ measure } = await prepareChild(folder));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('finds what compares with early exit', async () => {
    const name = 'control: tag compare with early exit';
    const row = await measure({ name, variant: 'simd', limits: LIMITS });
    expect(row.measurements).to.be.at.least(1000);
    expect(Math.abs(row.t)).to.be.above(CERTAIN);
  });

  // Noise falls on both classes alike: it hides leaks, and makes none.
  for (const name of [
    'tag compare, 16 B',
    'AES-128-block, key',
    'AES-128-GCM, seal 64 B, plaintext',
    'Poly1305, 61 B, key and data',
  ]) {
    it(`does not find the like in: ${name}`, async () => {
      const row = await measure({ name, variant: 'simd', limits: LIMITS });
      expect(row.measurements).to.be.at.least(1000);
      expect(Math.abs(row.t)).to.be.below(CERTAIN);
    });
  }
});
