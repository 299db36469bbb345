import { expect } from 'chai';
import {
  askedText,
  callTime,
  inV8,
  judge,
  measuredText,
  metText,
  overhead,
  timesAsFast,
  timesTheFastest,
  timesTheTime,
  usesOf,
  wasmFigures,
} from '../../bench/figures.ts';
import { linearity } from '../../bench/hashes/linearity.ts';
import { figuresTable, summary } from '../../bench/report.ts';
import { resultOf, rowOfTimes } from './results.ts';

const KEY = { algorithm: 'X', size: 1000, unit: 'B' } as const;
const ROW = rowOfTimes('X', 1000, {
  'our wasm-simd': ['ours', 2e-6],
  peer: ['pure js', 9e-6],
  slow: ['pure js', 20e-6],
  native: ['native', 1e-6],
});

describe('bench: figures', () => {
  const result = resultOf([ROW]);
  const figures = [
    timesAsFast(KEY, 'our wasm-simd', 'peer', { node: 4.5 }),
    timesTheFastest(KEY, 'our wasm-simd', 'pure js', { node: 4.6 }),
    timesTheTime(KEY, 'our wasm-simd', 'native', { node: 2 }),
    overhead(KEY, 'our wasm-simd', 'native', { node: 99 }),
    callTime(KEY, 'our wasm-simd', { node: 2 }),
    timesAsFast(KEY, 'our wasm-simd', 'absent', { node: 1 }),
    timesAsFast(KEY, 'our wasm-simd', 'slow', { firefox: 1 }),
  ];
  const verdicts = judge(figures, result);

  it('measures ratios of medians', () => {
    const measured = verdicts.map((verdict) => verdict.measured?.toFixed(3));
    expect(measured).to.deep.equal([
      '4.500',
      '4.500',
      '2.000',
      '100.000',
      '2.000',
      undefined,
      '10.000',
    ]);
  });

  it('says met, not met, or nothing where nothing is asked or measured', () => {
    const met = verdicts.map((verdict) => verdict.met);
    expect(met).to.deep.equal([true, false, true, false, true, undefined, undefined]);
    expect(verdicts.map(metText)).to.include.members(['met', 'NOT MET', '–']);
    expect(summary(verdicts)).to.match(/^3 of 5 figures met; not: X, 1 kB: our wasm-simd over the/);
  });

  it('shows what was asked beside what was measured', () => {
    expect(askedText(verdicts[0]!)).to.equal('≥ 4.5 ×');
    expect(askedText(verdicts[3]!)).to.equal('≤ 99 %');
    expect(measuredText(figures[0]!, 4.5)).to.equal('4.50 ×');
    expect(measuredText(figures[0]!, 1234.5)).to.equal('1,235 ×');
    expect(measuredText(figures[0]!, 0.0123)).to.equal('0.012 ×');
    expect(measuredText(figures[0]!, undefined)).to.equal('–');
    expect(figuresTable(verdicts).split('\n')).to.have.length(1 + figures.length);
    const nothing = { ...verdicts[5]!, asked: undefined };
    expect(figuresTable([nothing, verdicts[0]!]).split('\n')).to.have.length(2);
  });

  it('sets figures of WebAssembly beside those of a run without flags, and no others', () => {
    const js = timesAsFast(KEY, 'peer', 'slow', { node: 1 });
    const plain = resultOf([ROW], {
      withoutFlags: [
        rowOfTimes('X', 1000, { 'our wasm-simd': ['ours', 3e-6], peer: ['pure js', 9e-6] }),
      ],
    });
    const [wasm, other] = judge([figures[0]!, js], plain);
    expect(wasm!.withoutFlags).to.equal(3);
    expect(other!.withoutFlags).to.equal(undefined);
    expect(wasmFigures([figures[0]!, js])).to.deep.equal([figures[0]]);
    expect(usesOf([figures[0]!, figures[2]!])).to.deep.equal({
      'X, 1 kB': ['our wasm-simd', 'peer', 'native'],
    });
  });

  it('measures how far from proportion times are', () => {
    const row = (size: number, seconds: number) => ({
      ...rowOfTimes('K', size, { ours: ['ours', seconds] as const }),
      unit: 'iterations' as const,
    });
    const sizes = [1000, 10_000, 100_000];
    const figure = linearity(
      sizes.map((size) => ({ algorithm: 'K', size, unit: 'iterations' })),
      ...(['ours', inV8(3)] as const),
    );
    const measure = (...times: [number, number, number]) => {
      const rows = [row(1000, times[0]), row(10_000, times[1]), row(100_000, times[2])];
      return judge([figure], resultOf(rows))[0]!.measured;
    };
    expect(measure(1, 10, 100)).to.be.closeTo(0, 1e-9);
    expect(measure(1, 10.1, 96)).to.be.closeTo(4, 1e-9);
    expect(judge([figure], resultOf([row(1000, 1)]))[0]!.measured).to.equal(undefined);
  });
});
