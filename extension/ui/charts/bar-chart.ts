/*
 * The only module that imports the chart library, and of it only the parts for bars and lines.
 */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  Tooltip,
  type ChartOptions,
  type Plugin,
} from 'chart.js';
import { isRound, scaleFor, type ChartContent } from './chart-content.ts';

/** A drawn chart. */
export interface BarChart {
  /** Replaces the content with an animation. */
  show(content: ChartContent): void;
  destroy(): void;
}

/** Of several series. Okabe and Ito (2008): distinguishable with any kind of colour vision, on light and on dark. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'];

const POINTS = ['circle', 'rect', 'triangle', 'rectRot', 'star', 'cross'] as const;

/** Of a chart of rows, in pixels: one bar with its distance to the next, and axis and legend. */
const ROW = { bar: 22, gap: 8, rest: 72 };
/** Room for a value at the end of the longest bar, in pixels. */
const VALUE_ROOM = 56;

type Axis = NonNullable<NonNullable<ChartOptions['scales']>[string]>;

/** Draws bars or lines in the canvas, in the colours and direction of its style. */
export function createBarChart(canvas: HTMLCanvasElement, content: ChartContent): BarChart {
  const scales = [CategoryScale, LinearScale, LogarithmicScale];
  const lines = [LineController, LineElement, PointElement];
  Chart.register(BarController, BarElement, ...lines, ...scales, Legend, Tooltip);
  const style = getComputedStyle(canvas);
  const ink = style.color;
  // Of properties, not of variables, whose text is light-dark(…).
  const [grid, accent] = [style.borderTopColor, style.accentColor];
  const rtl = style.direction === 'rtl';
  const reducesMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const isRows = content.kind === 'rows';
  let format = content.format;
  const isValued = isRows && content.series.length === 1;
  const namesAxis: Axis = {
    reverse: rtl && !isRows,
    position: isRows ? (rtl ? 'right' : 'left') : 'bottom',
    ticks: { color: ink, maxRotation: 0, autoSkip: !isRows },
    grid: { display: false },
  };
  const chart = new Chart(canvas, {
    type: content.kind === 'lines' ? 'line' : 'bar',
    data: dataOf(content, accent),
    plugins: isValued ? [valuesAtBars(ink, rtl, (value) => format(value))] : [],
    options: {
      indexAxis: isRows ? 'y' : 'x',
      animation: reducesMotion ? false : { duration: 250 },
      maintainAspectRatio: false,
      layout: {
        padding: {
          // The last label of a reversed axis is wider than the place that the library leaves for it.
          left: rtl ? (isValued ? VALUE_ROOM : 24) : 0,
          right: isValued && !rtl ? VALUE_ROOM : 0,
        },
      },
      color: ink,
      font: { family: style.fontFamily },
      scales: isRows ? { x: axisOf(content), y: namesAxis } : { x: namesAxis, y: axisOf(content) },
      plugins: {
        legend: {
          display: content.series.length > 1,
          rtl,
          labels: {
            color: ink,
            boxWidth: 12,
            boxHeight: 7,
            usePointStyle: content.kind === 'lines',
          },
        },
        tooltip: {
          rtl,
          callbacks: {
            label: ({ dataset, parsed }) => {
              const value = (isRows ? parsed.x : parsed.y) ?? 0;
              return `${dataset.label ?? ''}: ${format(value)} ${content.unit}`.trimEnd();
            },
          },
        },
      },
    },
  });
  fit(content);
  return {
    show(next) {
      format = next.format;
      chart.data = dataOf(next, accent);
      chart.options.scales![isRows ? 'x' : 'y'] = axisOf(next);
      fit(next);
      chart.update();
    },
    destroy: () => chart.destroy(),
  };

  /** The axis of values. */
  function axisOf({ axis, fromZero = false, series }: ChartContent): Axis {
    const type = fromZero ? 'linear' : scaleFor(series.flatMap(({ values }) => values));
    const callback = (value: number | string) =>
      type === 'linear' || isRound(Number(value)) ? format(Number(value)) : undefined;
    return {
      type,
      ...(type === 'linear' && { beginAtZero: true }),
      position: isRows ? 'bottom' : rtl ? 'right' : 'left',
      reverse: isRows && rtl,
      title: { display: true, text: axis, color: ink },
      ticks: { color: ink, callback },
      grid: { color: grid },
    };
  }

  /** Makes a chart of rows as high as its rows are many. */
  function fit({ labels, series }: ChartContent): void {
    if (!isRows) return;
    const height = labels.length * (series.length * ROW.bar + ROW.gap) + ROW.rest;
    canvas.parentElement!.style.blockSize = `${height}px`;
    chart.resize();
  }
}

/** Writes each value at the end of its bar. */
function valuesAtBars(ink: string, rtl: boolean, format: (value: number) => string): Plugin {
  return {
    id: 'values',
    afterDatasetsDraw(chart) {
      const { ctx, data } = chart;
      ctx.save();
      ctx.fillStyle = ink;
      ctx.textBaseline = 'middle';
      ctx.textAlign = rtl ? 'right' : 'left';
      ctx.font = `12px ${Chart.defaults.font.family ?? 'sans-serif'}`;
      for (const [at, bar] of chart.getDatasetMeta(0).data.entries()) {
        const value = data.datasets[0]!.data[at];
        if (typeof value === 'number') ctx.fillText(format(value), bar.x + (rtl ? -6 : 6), bar.y);
      }
      ctx.restore();
    },
  };
}

function dataOf({ kind, labels, series }: ChartContent, accent: string) {
  const colours = series.length === 1 ? [accent] : COLOURS;
  return {
    labels: [...labels],
    datasets: series.map(({ name, values }, index) => ({
      label: name,
      data: [...values],
      backgroundColor: colours[index % colours.length]!,
      // Lines are not told apart by their colours alone, but by their points too.
      ...(kind === 'lines'
        ? {
            borderColor: colours[index % colours.length]!,
            pointStyle: POINTS[index % POINTS.length]!,
            borderWidth: 2,
            pointRadius: 4,
          }
        : { borderRadius: 3 }),
    })),
  };
}
