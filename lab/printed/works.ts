import { LIPMAA } from './lipmaa.ts';
import { POMCOR } from './pomcor.ts';
import { STARK } from './stark.ts';
import { figuresOf, type PrintedFigure, type PrintedWork, type WorkId } from './table.ts';
import { TARR } from './tarr.ts';
import { YANG } from './yang.ts';

/** The five works by their names. */
export const WORKS: Readonly<Record<WorkId, PrintedWork>> = {
  stark: STARK,
  lipmaa: LIPMAA,
  yang: YANG,
  tarr: TARR,
  pomcor: POMCOR,
};

/** Every figure that a work prints, table by table. */
export function printedFigures(work: WorkId): PrintedFigure[] {
  return WORKS[work].tables.flatMap((printed) => figuresOf(work, printed));
}

/** The figure of one cell. @throws Error if nothing is printed there */
export function printedFigure(
  work: WorkId,
  table: string,
  row: string,
  column: string,
): PrintedFigure {
  const found = printedFigures(work).find(
    (figure) => figure.table === table && figure.row === row && figure.column === column,
  );
  if (found === undefined) {
    throw new Error(`${work} prints no figure at ${table}, ${row}, ${column}`);
  }
  return found;
}
