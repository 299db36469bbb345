/* What an axis of values shows, so that every plot can be read alike. */

/** Values that differ by less begin at zero: bars are as long as what they stand for. */
const LINEAR_RANGE = 20;

/** The scale for these values; absent ones and those that are not positive are left out. */
export function scaleFor(values: readonly (number | null)[]): 'linear' | 'logarithmic' {
  const positive = values.filter((value): value is number => value !== null && value > 0);
  if (positive.length === 0) return 'linear';
  return Math.max(...positive) / Math.min(...positive) < LINEAR_RANGE ? 'linear' : 'logarithmic';
}

/** Whether a value is 1, 2 or 5 times a power of ten: these have their number on a logarithmic axis. */
export function isRound(value: number): boolean {
  const digit = value / 10 ** Math.floor(Math.log10(value) + 1e-9);
  return [1, 2, 5].some((round) => Math.abs(digit - round) < 1e-6);
}
