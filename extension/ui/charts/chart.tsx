import { useEffect, useRef } from 'preact/hooks';
import type { BarChart } from './bar-chart.ts';
import type { ChartContent } from './chart-content.ts';

interface ChartProps {
  readonly content: ChartContent;
  /** For screen readers: what the chart shows, and where the same figures are in words. */
  readonly label: string;
}

/** Bars or lines. The chart library is loaded when the first chart is shown. */
export function Chart({ content, label }: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Promise<BarChart>>();
  const latest = useRef(content);
  latest.current = content;
  useEffect(() => {
    const target = canvas.current;
    if (!target) return undefined;
    const created = import('./bar-chart.ts').then(({ createBarChart }) =>
      createBarChart(target, latest.current),
    );
    chart.current = created;
    return () => void created.then((it) => it.destroy());
  }, []);
  const key = JSON.stringify(content);
  useEffect(() => {
    void chart.current?.then((it) => it.show(latest.current));
  }, [key]);
  return (
    <div class="chart">
      <canvas ref={canvas} role="img" aria-label={label} />
    </div>
  );
}
