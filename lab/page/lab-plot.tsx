import type { Plot } from '../plots.ts';
import { Chart } from '../../extension/ui/charts/chart.tsx';
import { useLabText, type LabText } from './lab-text.ts';

/** A plot, and the same figures as a table of three columns, which has room in every window. */
export function LabPlot({ plot }: { readonly plot: Plot }) {
  const text = useLabText();
  const { kind, title, unit, labels, labelsAre, series } = plot;
  const caption = text.t('labPlot', unit);
  const format = (value: number) => text.number(value, { maximumSignificantDigits: 3 });
  const content = {
    kind,
    unit,
    axis: unit,
    series,
    format,
    labels: labels.map((label) => labelOf(plot, label, text)),
  };
  return (
    <>
      <h3 lang="en">{title}</h3>
      <Chart content={content} label={`${caption} ${text.t('chartHasTable')}`} />
      <details>
        <summary>{text.t('showTable')}</summary>
        <table class="lab-table">
          <caption>{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{text.t(FIRST_COLUMN[labelsAre])}</th>
              <th scope="col">{text.t('labBy')}</th>
              <th scope="col">{unit}</th>
            </tr>
          </thead>
          {labels.map((label, row) => (
            <tbody key={label}>
              {series.map(({ name, values }, index) => {
                const value = values[row] ?? null;
                return (
                  <tr key={name}>
                    {index === 0 && (
                      <th scope="rowgroup" rowSpan={series.length}>
                        {labelOf(plot, label, text)}
                      </th>
                    )}
                    <th scope="row" lang="en">
                      {name}
                    </th>
                    <td>{value === null ? '–' : format(value)}</td>
                  </tr>
                );
              })}
            </tbody>
          ))}
        </table>
      </details>
    </>
  );
}

const FIRST_COLUMN = {
  bytes: 'size',
  iterations: 'labIterations',
  names: 'algorithm',
} as const;

function labelOf({ labelsAre }: Plot, label: string | number, text: LabText): string {
  if (typeof label === 'string') return label;
  return labelsAre === 'bytes' ? text.bytes(label) : text.number(label);
}
