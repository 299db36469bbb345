/* What a chart shows, and by which axis its values can be compared. */

/** What a chart shows. */
export interface ChartContent {
  /**
   * Default: bars. 'rows' are bars that lie: each label has a line of its own, with the value at the end of its bar
   * where there is one series.
   */
  readonly kind?: 'bars' | 'rows' | 'lines';
  /** Of counts, of which none may hide: the axis begins at zero, whatever their range. Default: false. */
  readonly fromZero?: boolean;
  /** Shown after a value in its tooltip. */
  readonly unit: string;
  /** Title of the axis of values. */
  readonly axis: string;
  /** One for each group of bars. */
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly name: string;
    /** As many as `labels`; null leaves a gap. */
    readonly values: readonly (number | null)[];
  }[];
  readonly format: (value: number) => string;
}

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
