import type { Asked, Figure } from '../figures.ts';
import type { RowKey } from '../row.ts';

const FEW = 1000;
const MANY = [10_000, 100_000];

/**
 * By how many percent the time of an iteration differs most between a thousand iterations and more:
 * the 2014 comparison's question, whether PBKDF2 costs an attacker in proportion.
 */
export function linearity(algorithm: string, ours: string, asked: Asked): Figure {
  const row = (size: number): RowKey => ({ algorithm, size, unit: 'iterations' });
  return {
    what: `${algorithm}, ${ours}: deviation from proportion, 1,000 to 100,000 iterations`,
    ...{ asked, bound: 'at most', unit: '%' },
    uses: [FEW, ...MANY].map((size) => ({ row: row(size), names: [ours] })),
    measure: (readings) => {
      const each = (size: number) => (readings.median(row(size), ours) ?? NaN) / size;
      const deviations = MANY.map((size) => Math.abs(each(size) / each(FEW) - 1));
      const most = 100 * Math.max(...deviations);
      return Number.isNaN(most) ? undefined : most;
    },
  };
}
