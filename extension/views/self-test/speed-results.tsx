import { useState } from 'preact/hooks';
import { Select } from '../../ui/components/forms/select.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { SpeedResult } from './self-test-report.ts';
import { speedTable, type SpeedTable } from './self-test-report.ts';
import { ThroughputChart } from './throughput-chart.tsx';

/** Throughput of the chosen algorithm, as a chart and as a table. */
export function SpeedResults({ speeds }: { readonly speeds: readonly SpeedResult[] }) {
  const text = useText();
  const algorithms = [...new Set(speeds.map(({ algorithm }) => algorithm))];
  const [chosen, setChosen] = useState<string>();
  const algorithm = chosen ?? algorithms[0]!;
  const table = speedTable(speeds, algorithm);
  return (
    <>
      <h2>{text.t('throughput')}</h2>
      <Select
        id="algorithm"
        label={text.t('algorithm')}
        value={algorithm}
        options={algorithms.map((name) => ({ value: name, label: name }))}
        onChange={setChosen}
      />
      <ThroughputChart table={table} />
      <details>
        <summary>{text.t('showTable')}</summary>
        <SpeedsAsTable table={table} />
      </details>
    </>
  );
}

function SpeedsAsTable({ table }: { readonly table: SpeedTable }) {
  const text = useText();
  const shown = (speed: number | null) =>
    speed === null ? '–' : text.number(speed / 1e6, { maximumSignificantDigits: 3 });
  return (
    <table>
      <caption>{text.t('throughputCaption', table.algorithm)}</caption>
      <thead>
        <tr>
          <th scope="col">{text.t('size')}</th>
          {table.engines.map((engine) => (
            <th key={engine} scope="col">
              {engine}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(({ bytes, speeds }) => (
          <tr key={bytes}>
            <th scope="row">{text.bytes(bytes)}</th>
            {speeds.map((speed, index) => (
              <td key={table.engines[index]}>{shown(speed)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
