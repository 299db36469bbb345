import type { PowerSize } from '../../lab/tasks.ts';
import type { RowKey } from '../row.ts';

/** The row of one of Pomcor's sizes. */
export const powerRow = ({ scheme, modulus, exponent }: PowerSize): RowKey => ({
  algorithm: `${scheme} with x of ${exponent.toLocaleString('en')} bits`,
  size: modulus,
  unit: 'bits',
});
