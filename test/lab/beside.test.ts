import { expect } from 'chai';
import { measureOf, valueOf } from '../../lab/beside.ts';
import { DERIVED } from '../../lab/derived.ts';
import { runLab } from '../../lab/lab.ts';
import { enginesOf, headlineOf, plotsOf } from '../../lab/plots.ts';
import { WORK_IDS, type WorkId } from '../../lab/printed/table.ts';
import { printedFigure, printedFigures } from '../../lab/printed/works.ts';
import type { LabResult, Sample } from '../../lab/result.ts';
import { operationTask, POWER_SIZES, powerTask } from '../../lab/tasks.ts';
import { loadWasm } from '../support/wasm.ts';

const results = new Map<WorkId, LabResult>();

function sample(task: string, size: number, seconds: number, amount = size): Sample {
  const times = { seconds, best: seconds, rounds: [seconds] };
  return { task, engine: 'js', size, amount, ...times, confirmedBy: ['wasm-simd'] };
}

describe('our figures beside the printed ones', () => {
  before(async function () {
    this.timeout(120_000);
    for (const work of WORK_IDS) {
      const durations = { rounds: 1, minimumMs: 1 };
      for await (const event of runLab({ work, mode: 'quick', loadWasm, durations })) {
        if (event.type === 'finished') results.set(work, event.result);
      }
    }
  });

  it('answer every one of the 263, or a reason says why not', () => {
    const figures = WORK_IDS.flatMap(printedFigures);
    const open = figures.filter((figure) => !measureOf(figure) && !figure.unmeasured);
    expect(figures).to.have.lengthOf(263);
    expect(open.map(({ table, row, column }) => [table, row, column].join(' | '))).to.deep.equal(
      [],
    );
  });

  it('are measured by a run, except for the long powers, which `quick` leaves out', () => {
    const long = [
      ...POWER_SIZES.filter(({ strength }) => strength > 128).map(powerTask),
      operationTask('RSA private operation', 192),
    ];
    for (const work of WORK_IDS) {
      const { samples } = results.get(work)!;
      const missing = printedFigures(work).flatMap((figure) => {
        const measure = measureOf(figure);
        return measure === undefined || valueOf(measure, samples, 'js') !== undefined
          ? []
          : [measure.of.task];
      });
      expect(
        missing.filter((task) => !long.includes(task)),
        work,
      ).to.deep.equal([]);
    }
  });

  it('and what is derived from them are measured by a run', () => {
    for (const work of WORK_IDS) {
      const { samples } = results.get(work)!;
      const missing = DERIVED[work].filter(
        ({ measure }) => valueOf(measure, samples, 'js') === undefined,
      );
      // A quick run has no message of 10 MB, and no strength above 128.
      const expected =
        work === 'tarr'
          ? DERIVED.tarr
          : DERIVED[work].filter(({ what }) => what.endsWith('strength 192'));
      expect(missing.map(({ what }) => what)).to.deep.equal(expected.map(({ what }) => what));
    }
  });

  it('have the units of what they stand beside', () => {
    const samples = [
      sample('AES-128-ECB', 65_536, 0.001),
      sample('AES-128-ECB', 1024, 0.000_01),
      sample('AES-128-CBC', 1024, 0.000_02),
      sample('AES-128-CBC-MAC', 1024, 0.000_02),
      sample('AES-128-OCB', 1024, 0.000_025),
      sample('AES-128-ECB', 128_000, 0.001),
      sample('AES-128 key schedule', 128_000, 0.000_001, 1),
      // 2.5 GHz
      ...[1024, 128_000].map((size) => sample('clock', size, 0.000_1, 250_000)),
      sample('AES-128, unroll None', 65_536, 0.002),
      sample('AES-128, unroll Round', 65_536, 0.001),
    ];
    const value = (...place: Parameters<typeof printedFigure>) =>
      valueOf(measureOf(printedFigure(...place))!, samples, 'js');
    expect(value('stark', 'III', 'Our code', 'Chrome')).to.be.closeTo(65_536, 1e-6);
    expect(value('stark', 'V', 'Round', 'Chrome change')).to.be.closeTo(100, 1e-9);
    const text = 'OCB over CBC for OCB-AES and CBC-AES of 2001';
    expect(value('lipmaa', 'text', text, 'Value')).to.be.closeTo(25, 1e-9);
    const both = 'OCB over CBC and CBC-MAC combined: efficiency';
    expect(value('lipmaa', 'text', both, 'Value')).to.be.closeTo(1.6, 1e-9);
    expect(
      value('lipmaa', 'OCB figures of 2001', 'OCB · AES · Key bits 128', 'Cycles per byte'),
    ).to.be.closeTo(...([(0.000_025 / 1024) * 2.5e9, 1e-9] as const));
    const core2 = 'Intel Core 2 Quad Q9550, 2.83 GHz, stepping 7 · gcc 4.2.3';
    const schedule = ['test runs of 2008', core2, 'Encryption key schedule (C)'] as const;
    expect(value('lipmaa', ...schedule)).to.be.closeTo(2500, 1e-9);
    const ecb = ['test runs of 2008', core2, 'ECB encryption (assembly)'] as const;
    expect(value('lipmaa', ...ecb)).to.be.closeTo((0.001 / 8000) * 2.5e9, 1e-9);
    const derived = (what: string) => {
      const found = DERIVED.lipmaa.find((figure) => figure.what.startsWith(what));
      return valueOf(found!.measure, samples, 'js');
    };
    expect(derived('Clock, measured, 8,000 blocks')).to.be.closeTo(2.5, 1e-9);
    expect(derived('Key schedule, in the time of a block')).to.be.closeTo(8, 1e-9);
    expect(derived('CBC and CBC-MAC one after the other, in the time of OCB, 1 KB')).to.be.closeTo(
      ...([1.6, 1e-9] as const),
    );
    expect(value('tarr', 'text', 'SHA-256: rate of forge', 'Value')).to.equal(undefined);
  });

  it('make a headline of each work; without a card, none of the work about cards', () => {
    for (const work of WORK_IDS) {
      const headline = headlineOf(results.get(work)!);
      if (work === 'yang') {
        expect(headline).to.equal(undefined);
        continue;
      }
      expect(headline?.printed.work).to.equal(work);
      expect(headline?.ours).to.be.a('number');
    }
    const card: Sample = { ...sample('AES-128-ECB', 1 << 20, 0.01), engine: 'webgl' };
    const yang = results.get('yang')!;
    expect(headlineOf({ ...yang, samples: [...yang.samples, card] })).to.include({ theirs: 10 });
    const faster = headlineOf(results.get('pomcor')!)!;
    expect(faster.factor).to.be.closeTo(faster.theirs / faster.ours, 1e-9);
  });

  it('make plots in which every series has a value for each label, or a gap', () => {
    for (const work of WORK_IDS) {
      const plots = plotsOf(results.get(work)!);
      expect(new Set(plots.map(({ title }) => title)).size, work).to.equal(plots.length);
      expect(plots, work).to.have.lengthOf(
        { stark: 3, lipmaa: 2, yang: 1, tarr: 2, pomcor: 2 }[work],
      );
      for (const { labels, series } of plots) {
        expect(labels).to.not.be.empty;
        for (const { name, values } of series) {
          expect(values, name).to.have.lengthOf(labels.length);
          expect(
            values.some((value) => value !== null),
            name,
          ).to.equal(true);
        }
      }
      expect(enginesOf(work)).to.include.members(['js', 'wasm-simd']);
    }
  });
});
