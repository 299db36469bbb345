import type { Asked, Figure } from '../figures.ts';
import { rowName, type RowKey } from '../row.ts';

/**
 * By how many percent the time of a byte, or of an iteration, differs most between the first row and the larger ones: the
 * 2014 comparison's question, whether a library's time is in proportion, and PBKDF2 costs an attacker accordingly.
 *
 * @param rows of one task, by size
 */
export function linearity(rows: readonly RowKey[], name: string, asked: Asked): Figure {
  const [few, ...many] = rows;
  const last = many.at(-1)!;
  const from = few!.size.toLocaleString('en');
  return {
    what: `${few!.algorithm}, ${name}: deviation from proportion, ${from} to ${sizeOf(last)}`,
    asked,
    bound: 'at most',
    unit: '%',
    uses: rows.map((row) => ({ row, names: [name] })),
    measure: (readings) => {
      const each = (row: RowKey) => (readings.median(row, name) ?? NaN) / row.size;
      const deviations = many.map((row) => Math.abs(each(row) / each(few!) - 1));
      const most = 100 * Math.max(...deviations);
      return Number.isNaN(most) ? undefined : most;
    },
  };
}

/** "10,000 iterations" */
const sizeOf = (row: RowKey): string => rowName(row).slice(row.algorithm.length + ', '.length);
