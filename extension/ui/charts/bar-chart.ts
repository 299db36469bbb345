/*
 * The one place that knows the chart library; only the parts that a bar chart needs.
 */
import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LogarithmicScale,
  Tooltip,
} from 'chart.js';

export interface ChartContent {
  /** Logarithmic where values differ by orders of magnitude; linear where they add up. */
  readonly scale: 'logarithmic' | 'linear';
  readonly unit: string;
  readonly axis: string;
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | null)[];
  }[];
  readonly format: (value: number) => string;
}

export interface BarChart {
  show(content: ChartContent): void;
  destroy(): void;
}

/** Okabe and Ito (2008): told apart with any kind of colour vision, on light and on dark. */
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'];

export function createBarChart(canvas: HTMLCanvasElement, content: ChartContent): BarChart {
  const scales = [CategoryScale, LinearScale, LogarithmicScale];
  Chart.register(BarController, BarElement, ...scales, Legend, Tooltip);
  const style = getComputedStyle(canvas);
  const ink = style.color;
  const grid = style.getPropertyValue('--border');
  const rtl = style.direction === 'rtl';
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  let format = content.format;
  const isLinear = content.scale === 'linear';
  const marked = (value: number) =>
    isLinear || Number.isInteger(Math.log10(value)) ? format(value) : undefined;
  const chart = new Chart(canvas, {
    type: 'bar',
    data: dataOf(content),
    options: {
      animation: still ? false : { duration: 250 },
      maintainAspectRatio: false,
      color: ink,
      font: { family: style.fontFamily },
      scales: {
        x: { reverse: rtl, ticks: { color: ink }, grid: { display: false } },
        y: {
          type: content.scale,
          ...(isLinear && { beginAtZero: true }),
          position: rtl ? 'right' : 'left',
          title: { display: true, text: content.axis, color: ink },
          ticks: { color: ink, callback: (value) => marked(Number(value)) },
          grid: { color: grid },
        },
      },
      plugins: {
        legend: { display: content.series.length > 1, rtl, labels: { color: ink, boxWidth: 12 } },
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
      chart.data = dataOf(next);
      chart.update();
    },
    destroy: () => chart.destroy(),
  };
}

function dataOf({ labels, series }: ChartContent) {
  return {
    labels: [...labels],
    datasets: series.map(({ name, values }, index) => ({
      label: name,
      data: [...values],
      backgroundColor: COLOURS[index % COLOURS.length]!,
      borderRadius: 3,
    })),
  };
}
