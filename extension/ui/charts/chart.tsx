import { useEffect, useRef } from 'preact/hooks';
import type { BarChart, ChartContent } from './bar-chart.ts';

interface ChartProps {
  readonly content: ChartContent;
  /** What it shows, and where the same stands in words: nobody hears a picture. */
  readonly label: string;
}

/** Bars. The chart library is loaded when there is something to draw, not before. */
export function Chart({ content, label }: ChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Promise<BarChart>>();
  const latest = useRef(content);
  latest.current = content;
  useEffect(() => {
    const place = canvas.current;
    if (!place) return undefined;
    const made = import('./bar-chart.ts').then(({ createBarChart }) =>
      createBarChart(place, latest.current),
    );
    chart.current = made;
    return () => void made.then((it) => it.destroy());
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
