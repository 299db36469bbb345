import { useState } from 'preact/hooks';
import { measureOf, valueOf, type Measure } from '../beside.ts';
import { DERIVED, DERIVED_CAPTION } from '../derived.ts';
import { enginesOf } from '../plots.ts';
import {
  figuresOf,
  type PrintedFigure,
  type PrintedTable,
  type Unmeasured,
  type WorkId,
} from '../printed/table.ts';
import { WORKS } from '../printed/works.ts';
import type { LabResult } from '../result.ts';
import { useLabText, type LabKey } from './lab-text.ts';
import { quantity } from './quantity.ts';

const REASONS: Readonly<Record<Unmeasured, LabKey>> = {
  'internet-explorer': 'labNoExplorer',
  safari: 'labNoSafari',
  phone: 'labNoPhone',
  cited: 'labCited',
  setting: 'labSetting',
  'other-code': 'labOtherCode',
  build: 'labOtherBuild',
};

interface PrintedFiguresProps {
  readonly work: WorkId;
  readonly result: LabResult | undefined;
}

/** Every figure that the work prints, with ours beside it, or why we have no measure of it. */
export function PrintedFigures({ work, result }: PrintedFiguresProps) {
  const text = useLabText();
  const [isOpen, setOpen] = useState(false);
  return (
    <details id={`lab-${work}-printed`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.t('labPrinted')}</summary>
      {isOpen && (
        <div class="stack">
          {WORKS[work].tables.map((printed) => (
            <PrintedFiguresOfTable
              key={printed.table}
              work={work}
              printed={printed}
              result={result}
            />
          ))}
          <DerivedFigures work={work} result={result} />
        </div>
      )}
    </details>
  );
}

interface TableProps extends PrintedFiguresProps {
  readonly printed: PrintedTable;
}

function PrintedFiguresOfTable({ work, printed, result }: TableProps) {
  const text = useLabText();
  const figures = figuresOf(work, printed);
  if (figures.length === 0) return null;
  const reasons = [...new Set(figures.flatMap(({ unmeasured }) => unmeasured ?? []))];
  return (
    <>
      <table class="lab-table">
        <caption lang="en">
          {printed.table}: {printed.caption}
        </caption>
        <Heads />
        <tbody>
          {figures.map((figure) => (
            <FigureRow
              key={`${figure.row} ${figure.column}`}
              figure={figure}
              mark={figure.unmeasured && reasons.indexOf(figure.unmeasured) + 1}
              result={result}
            />
          ))}
        </tbody>
      </table>
      {reasons.length > 0 && (
        <ol class="lab-reasons">
          {reasons.map((reason) => (
            <li key={reason}>{text.t(REASONS[reason])}</li>
          ))}
        </ol>
      )}
    </>
  );
}

function Heads() {
  const text = useLabText();
  return (
    <thead>
      <tr>
        <th scope="col">{text.t('labFigure')}</th>
        <th scope="col">{text.t('labThen')}</th>
        <th scope="col">{text.t('labNow')}</th>
      </tr>
    </thead>
  );
}

/** What follows from several figures, by the same arithmetic from theirs and ours. */
function DerivedFigures({ work, result }: PrintedFiguresProps) {
  if (DERIVED[work].length === 0) return null;
  return (
    <table class="lab-table">
      <caption lang="en">{DERIVED_CAPTION}</caption>
      <Heads />
      <tbody>
        {DERIVED[work].map(({ what, printed, measure }) => (
          <tr key={what}>
            <th scope="row" lang="en">
              {what}
            </th>
            <td lang="en">{printed === '' ? '–' : printed}</td>
            <Ours work={work} measure={measure} result={result} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface OursProps extends PrintedFiguresProps {
  readonly measure: Measure | undefined;
}

/** The figure of each engine that has one. */
function Ours({ work, measure, result }: OursProps) {
  const text = useLabText();
  const ours = enginesOf(work).flatMap((engine) => {
    const own = measure && result && valueOf(measure, result.samples, engine);
    return own === undefined ? [] : [{ engine, words: quantity(own, measure!.unit, text) }];
  });
  return (
    <td>
      {ours.length === 0 && '–'}
      {ours.map(({ engine, words }) => (
        <div key={engine}>
          <span class="row-detail">{engine}</span>
          {words}
        </div>
      ))}
    </td>
  );
}

interface FigureRowProps {
  readonly figure: PrintedFigure;
  /** The number of its reason in the list below the table. */
  readonly mark: number | undefined;
  readonly result: LabResult | undefined;
}

function FigureRow({ figure, mark, result }: FigureRowProps) {
  const text = useLabText();
  const { row, column, value, unit, qualifier, work } = figure;
  return (
    <tr>
      <th scope="row" lang="en">
        {column === 'Value' ? row : `${row} · ${column}`}
        {qualifier && <span class="row-detail">{qualifier}</span>}
      </th>
      <td>
        {quantity(value, unit, text)}
        {mark !== undefined && <sup>{text.number(mark)}</sup>}
      </td>
      <Ours work={work} measure={measureOf(figure)} result={result} />
    </tr>
  );
}
