import type { EChartsOption } from 'echarts';
import type { SuiteResult } from './result.ts';

/*
 * Plots as options of echarts, which bench/svg.ts draws: few series, labels beside what they name, a white ground
 * so that it reads in light and dark pages alike. This module only uses types of echarts: the site reads the suites, and is
 * built without the packages of the benchmarks.
 */

/** A plot that is ready to be drawn. */
export type Drawing = EChartsOption;

/** Ours in strong colours, peers in quiet ones, the platform's own in grey. */
export const COLOURS = {
  wasm: '#0f6e84',
  js: '#5fb3c4',
  noble: '#d98f3d',
  sjcl: '#a8577e',
  second: '#7a9a4e',
  third: '#b59a6a',
  fourth: '#8a7fb5',
  native: '#8d949e',
} as const;

export interface Series {
  readonly name: string;
  readonly colour: string;
  /** One for each category, undefined where it was not measured. */
  readonly values: readonly (number | undefined)[];
  /** Beside the number on a bar: who it is, where that differs from bar to bar. */
  readonly notes?: readonly (string | undefined)[];
  /** A line behind the others, of another time. */
  readonly isFaint?: true;
}

export interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly categories: readonly string[];
  readonly series: readonly Series[];
  readonly logarithmic?: boolean;
  /** For bars of which each category has one: in the middle, not side by side. */
  readonly isSingle?: true;
}

const FONT = 'system-ui, -apple-system, Segoe UI, sans-serif';
const INK = '#2b2f36';
const QUIET = '#6b727c';

/** Where and when a picture's figures were measured. */
type Measured = Pick<SuiteResult, 'platform' | 'machine' | 'date'>;

/** Groups of bars with their numbers on them. */
export function bars(chart: Chart, result: Measured): Drawing {
  return {
    ...frame(chart, result),
    legend: { top: 56, left: 8, itemGap: 36, textStyle: { color: INK } },
    grid: { left: 8, right: 16, top: 96, bottom: 8, containLabel: true },
    series: chart.series.map(({ name, colour, values, notes }) => ({
      name,
      type: 'bar',
      barGap: chart.isSingle ? '-100%' : '6%',
      barCategoryGap: '22%',
      itemStyle: { color: colour, borderRadius: [2, 2, 0, 0] },
      label: {
        show: true,
        position: 'top',
        color: INK,
        fontSize: 10,
        lineHeight: 12,
        formatter: ({ dataIndex: i }: { dataIndex: number }) =>
          [notes?.[i], short(values[i])].filter(Boolean).join('\n'),
      },
      data: values.map((value) => value ?? null),
    })),
  };
}

/** Lines with their names at their ends. */
export function lines(chart: Chart, result: Measured): Drawing {
  return {
    ...frame(chart, result),
    grid: { left: 8, right: 168, top: 72, bottom: 8, containLabel: true },
    series: chart.series.map(({ name, colour, values, isFaint }) => ({
      name,
      type: 'line',
      symbol: isFaint ? 'none' : 'circle',
      symbolSize: 6,
      connectNulls: false,
      lineStyle: isFaint
        ? { color: colour, width: 1.5, type: 'dashed', opacity: 0.6 }
        : { color: colour, width: 2.5 },
      itemStyle: { color: colour },
      endLabel: { show: true, formatter: '{a}', color: colour, fontSize: 11, distance: 8 },
      labelLayout: { moveOverlap: 'shiftY' },
      data: values.map((value) => value ?? null),
    })),
  };
}

function frame({ title, unit, categories, series, logarithmic }: Chart, result: Measured): Drawing {
  const least = Math.min(
    ...series.flatMap(({ values }) => values.map((value) => value ?? Infinity)),
  );
  // Bars of values below 1 would hang down from it.
  const lowest = 10 ** Math.floor(Math.log10(least) - 0.05);
  return {
    animation: false,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: FONT, color: INK },
    title: {
      text: title,
      subtext: `${unit} · ${result.platform} · ${result.machine} · ${result.date}`,
      left: 8,
      top: 4,
      textStyle: { fontSize: 17, fontWeight: 600, color: INK },
      subtextStyle: { fontSize: 12, color: QUIET },
    },
    xAxis: {
      type: 'category',
      data: [...categories],
      axisTick: { show: false },
      axisLine: { lineStyle: { color: '#c3c8ce' } },
      axisLabel: { color: INK, interval: 0, fontSize: 12 },
    },
    yAxis: {
      ...(logarithmic === true
        ? ({ type: 'log', min: lowest, startValue: lowest } as const)
        : { type: 'value' as const }),
      splitLine: { lineStyle: { color: '#eceef1' } },
      axisLabel: { color: QUIET, formatter: axisText },
    },
  };
}

/** Ticks are round numbers already. */
const axisText = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 6 });

/** 1234.5 → "1,235", 12.34 → "12", 1.234 → "1.23": no more digits than mean something. */
export function short(value: number | undefined): string {
  if (value === undefined) return '';
  if (value >= 10 || value === 0) return Math.round(value).toLocaleString('en');
  return value >= 1 ? value.toFixed(value >= 3 ? 1 : 2) : value.toPrecision(2);
}
