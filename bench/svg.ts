import * as echarts from 'echarts';
import type { Drawing } from './plot.ts';

/** The SVG of a plot, 980 × 440 pixels, drawn without a browser. */
export function svgOf(drawing: Drawing): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 980, height: 440 });
  chart.setOption(drawing);
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
