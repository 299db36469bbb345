import * as echarts from 'echarts';
import { findRow } from './report.ts';
import type { AesResult } from './result.ts';

/*
 * A plot of throughput at 64 KiB: one group a mode, one bar a contender. SVG made by echarts on
 * the server side; colours hold on light and dark backgrounds.
 */
const MODES = ['AES-CTR', 'AES-CBC', 'AES-GCM', 'AES-CCM', 'AES-OCB'] as const;
const BYTES = 1 << 16;
const COLOURS = ['#1f7a8c', '#e0a458', '#8d6a9f', '#6c8c5a', '#b5525c', '#7d8597', '#c9b79c'];

export function plotAes(result: AesResult): string {
  const rows = MODES.map((mode) => findRow(result, mode, 128, BYTES));
  const names = [...new Set(rows.flatMap((row) => row?.results ?? []).map(({ name }) => name))]
    // Native code runs on hardware instructions and would flatten everything else.
    .filter((name) => name !== 'WebCrypto' && name !== 'node:crypto');
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 960, height: 440 });
  chart.setOption({
    animation: false,
    color: COLOURS,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: 'system-ui, sans-serif' },
    title: {
      text: 'AES-128 at 64 KiB, MB/s',
      subtext: `${result.platform}, ${result.machine}, ${result.date}; medians of interleaved rounds`,
    },
    legend: { bottom: 0, data: names },
    grid: { left: 56, right: 16, top: 76, bottom: 64 },
    xAxis: { type: 'category', data: MODES.map((mode) => mode.replace('AES', 'AES-128')) },
    yAxis: { type: 'value', name: 'MB/s' },
    series: names.map((name) => ({
      name,
      type: 'bar',
      data: rows.map((row) => {
        const median = row?.results.find((one) => one.name === name)?.median;
        return median === undefined ? null : Math.round(BYTES / median / 1e6);
      }),
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
