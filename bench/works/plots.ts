/* The Lab's plots as files, for site/measurements.md. */
import { scaleFor } from '../../extension/ui/charts/chart-content.ts';
import { plotsOf, type Plot } from '../../lab/plots.ts';
import type { WorkId } from '../../lab/printed/table.ts';
import { bars, COLOURS, lines, type Chart, type Drawing } from '../plot.ts';
import type { PlatformKind } from '../result.ts';
import { sizeName } from '../row.ts';
import { nameOf, type WorksRun } from './text.ts';

/** A picture of one work, and its file. */
export interface WorksPlot {
  readonly work: WorkId;
  readonly title: string;
  readonly path: string;
  readonly draw: () => Drawing;
}

const KINDS: Readonly<Record<string, PlatformKind>> = { Node: 'node', Firefox: 'firefox' };

/** The plots of a run in which something of ours is measured. Tarr's graphs have a suite of their own. */
export function worksPlots(run: WorksRun): WorksPlot[] {
  const kind = KINDS[nameOf(run)] ?? 'chromium';
  return run.results
    .filter(({ work }) => work !== 'tarr')
    .flatMap((result) =>
      plotsOf({ ...result, time: 0 }).map((plot, i) => ({
        work: result.work,
        title: plot.title,
        plot,
        path: `bench/results/works-${result.work}-${i + 1}-${kind}.svg`,
        draw: () => draw(plot, run),
      })),
    )
    .filter(({ plot: { series } }) => series.some(isOurs));
}

const isOurs = ({ name, values }: Plot['series'][number]): boolean =>
  !isPrinted(name) && values.some((value) => value !== null);

/** "Chrome, 2009" */
const isPrinted = (name: string): boolean => /\d{4}$/.test(name);

/** What was printed in quiet colours, ours in strong ones. */
const PRINTED = [COLOURS.native, COLOURS.third];
const OURS = [COLOURS.js, COLOURS.wasm, COLOURS.noble, COLOURS.sjcl];

function draw({ kind, title, unit, labels, series }: Plot, run: WorksRun): Drawing {
  const first = series.findIndex(({ name }) => !isPrinted(name));
  const chart: Chart = {
    title,
    unit,
    logarithmic: scaleFor(series.flatMap(({ values }) => values)) === 'logarithmic',
    categories: labels.map((label) => (typeof label === 'number' ? sizeName(label) : label)),
    series: series.map(({ name, values }, i) => ({
      name,
      colour: isPrinted(name) ? PRINTED[i]! : OURS[i - first]!,
      values: values.map((value) => value ?? undefined),
    })),
  };
  return kind === 'rows' ? bars(chart, run) : lines(chart, run);
}
