import { useState } from 'preact/hooks';
import { Chart } from '../../ui/charts/chart.tsx';
import { Select } from '../../ui/components/forms/select.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { SiteUsage } from '../../ui/environment/ui-client.ts';
import { dayLabel } from './usage-figures.ts';

const MEASURES = { calls: 'usageCalls', bytes: 'activityBytes' } as const;
type Measure = keyof typeof MEASURES;

interface UsageChartProps {
  readonly usage: SiteUsage;
  readonly label: string;
}

/** A bar for each day: the number of calls or of bytes. */
export function UsageChart({ usage, label }: UsageChartProps) {
  const text = useText();
  const [measure, setMeasure] = useState<Measure>('calls');
  const name = text.t(MEASURES[measure]);
  const content = {
    fromZero: true,
    unit: '',
    axis: name,
    labels: usage.days.map(({ day }) => dayLabel(day, text)),
    series: [{ name, values: usage.days.map((day) => day[measure]) }],
    format: (value: number) =>
      measure === 'bytes' ? text.bytes(value) : text.number(value, { maximumFractionDigits: 0 }),
  } as const;
  return (
    <>
      <Select
        id="usage-measure"
        label={text.t('usageMeasure')}
        value={measure}
        options={(Object.keys(MEASURES) as Measure[]).map((value) => ({
          value,
          label: text.t(MEASURES[value]),
        }))}
        onChange={(value) => setMeasure(value)}
      />
      <Chart content={content} label={label} />
    </>
  );
}
