/* The Lab's plots as files, for docs/benchmarks.md. */
import { plotsOf, type Plot } from '../../src/lab/plots.ts';
import type { WorkId } from '../../src/lab/printed/table.ts';
import { bars, COLOURS, lines, type Chart } from '../plot.ts';
import type { PlatformKind } from '../result.ts';
import { sizeName } from '../row.ts';
import type { WorksRun } from './text.ts';

/** A picture of one work. */
export interface WorksPlot {
  readonly work: WorkId;
  readonly title: string;
  readonly path: string;
  readonly svg: string;
}

/** Tarr's eight graphs have a suite of their own, with the libraries of today. */
const hasPlots = (work: WorkId): boolean => work !== 'tarr';

/** All plots of a run. */
export function drawWorks(run: WorksRun, kind: PlatformKind): WorksPlot[] {
  return run.results.flatMap((result) =>
    hasPlots(result.work)
      ? plotsOf({ ...result, time: 0 }).map((plot, i) => ({
          ...{ work: result.work, title: plot.title },
          path: `bench/results/works-${result.work}-${i + 1}-${kind}.svg`,
          svg: draw(plot, run),
        }))
      : [],
  );
}

/** What was printed in quiet colours, ours in strong ones. */
const PRINTED = [COLOURS.native, COLOURS.third];
const OURS = [COLOURS.js, COLOURS.wasm, COLOURS.noble, COLOURS.sjcl];

function draw({ kind, title, scale, unit, labels, series }: Plot, run: WorksRun): string {
  const isPrinted = (name: string) => /\d{4}$/.test(name);
  const first = series.findIndex(({ name }) => !isPrinted(name));
  const chart: Chart = {
    ...{ title, unit, logarithmic: scale === 'logarithmic' },
    categories: labels.map((label) => (typeof label === 'number' ? sizeName(label) : label)),
    series: series.map(({ name, values }, i) => ({
      name,
      colour: isPrinted(name) ? PRINTED[i]! : OURS[i - first]!,
      values: values.map((value) => value ?? undefined),
    })),
  };
  return kind === 'bars' ? bars(chart, run) : lines(chart, run);
}
