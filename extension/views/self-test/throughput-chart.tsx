import type { ChartContent } from '../../ui/charts/chart-content.ts';
import { Chart } from '../../ui/charts/chart.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import type { SpeedTable } from './self-test-report.ts';

/** A table of speeds as a bar chart. */
export function ThroughputChart({ table }: { readonly table: SpeedTable }) {
  const text = useText();
  const label = text.t('throughputCaption', table.algorithm);
  return <Chart content={contentOf(table, text)} label={`${label} ${text.t('chartHasTable')}`} />;
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
