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
} from 'chart.js';

/** What a chart shows. */
export interface ChartContent {
  /** Default: bars. */
  readonly kind?: 'bars' | 'lines';
  /** 'logarithmic' for values that differ by orders of magnitude, 'linear' for counts. */
  readonly scale: 'logarithmic' | 'linear';
  /** Shown after a value in its tooltip. */
  readonly unit: string;
  /** Title of the vertical axis. */
  readonly axis: string;
  /** One for each group of bars. */
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly name: string;
    /** As many as `labels`; null leaves a gap. */
    readonly values: readonly (number | null)[];
  }[];
  readonly format: (value: number) => string;
}

/** A drawn chart. */
export interface BarChart {
  /** Replaces the content with an animation. */
  show(content: ChartContent): void;
  destroy(): void;
}

/** Of several series. Okabe and Ito (2008): distinguishable with any kind of colour vision, on light and on dark. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'];

const POINTS = ['circle', 'rect', 'triangle', 'rectRot', 'star', 'cross'] as const;

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
  let format = content.format;
  const isLinear = content.scale === 'linear';
  const tick = (value: number) =>
    isLinear || Number.isInteger(Math.log10(value)) ? format(value) : undefined;
  const chart = new Chart(canvas, {
    type: content.kind === 'lines' ? 'line' : 'bar',
    data: dataOf(content, accent),
    options: {
      animation: reducesMotion ? false : { duration: 250 },
      maintainAspectRatio: false,
      // The last label of a reversed axis is wider than the place that the library leaves for it.
      ...(rtl && { layout: { padding: { left: 24 } } }),
      color: ink,
      font: { family: style.fontFamily },
      scales: {
        x: { reverse: rtl, ticks: { color: ink, maxRotation: 0 }, grid: { display: false } },
        y: {
          type: content.scale,
          ...(isLinear && { beginAtZero: true }),
          position: rtl ? 'right' : 'left',
          title: { display: true, text: content.axis, color: ink },
          ticks: { color: ink, callback: (value) => tick(Number(value)) },
          grid: { color: grid },
        },
      },
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
            label: ({ dataset, parsed }) =>
              `${dataset.label ?? ''}: ${format(parsed.y ?? 0)} ${content.unit}`.trimEnd(),
          },
        },
      },
    },
  });
  return {
    show(next) {
      format = next.format;
      chart.data = dataOf(next, accent);
      chart.update();
    },
    destroy: () => chart.destroy(),
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
