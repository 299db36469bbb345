import { useEffect, useRef } from 'preact/hooks';
import { useText } from '../ui/environment.ts';
import type { Text } from '../ui/i18n.ts';
import type { SpeedTable } from './self-test-report.ts';
import type { BarChart, ChartContent } from './bar-chart.ts';

/** The table as bars. The chart library is loaded when the first result is there, not before. */
export function ThroughputChart({ table }: { readonly table: SpeedTable }) {
  const text = useText();
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Promise<BarChart>>();
  const content = contentOf(table, text);
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
  const label = text.t('throughputCaption', table.algorithm);
  return (
    <div class="chart">
      <canvas ref={canvas} role="img" aria-label={`${label} ${text.t('chartHasTable')}`} />
    </div>
  );
}

function contentOf(table: SpeedTable, text: Text): ChartContent {
  return {
    unit: 'MB/s',
    axis: text.t('chartUnit'),
    labels: table.rows.map(({ bytes }) => text.bytes(bytes)),
    series: table.engines.map((name, column) => ({
      name,
      values: table.rows.map(({ speeds }) => {
        const speed = speeds[column] ?? null;
        return speed === null ? null : speed / 1e6;
      }),
    })),
    format: (value) => text.number(value, { maximumSignificantDigits: 3 }),
  };
}
