/* Samples of a source, and what all estimators of SP 800-90B do with a probability that was observed. */

/** Samples of one source. */
export interface Samples {
  readonly values: Uint8Array;
  /** How many different values there may be. */
  readonly symbols: number;
}

/** The upper limits of confidence are of 99 % (two-sided: Z_{0.995}). */
export const Z = 2.5758293035489008;

/** -log2 of the upper limit of a probability that was observed `trials` times (6.3.1, step 2). */
export function entropyOf(probability: number, trials: number): number {
  const deviation = Math.sqrt((probability * (1 - probability)) / (trials - 1));
  return -Math.log2(Math.min(1, probability + Z * deviation)) + 0;
}

/** The number between two others from which on a condition does not hold. */
export function bisect(low: number, high: number, holds: (x: number) => boolean): number {
  let [from, to] = [low, high];
  for (let i = 0; i < 60; i++) {
    const middle = (from + to) / 2;
    if (holds(middle)) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}
