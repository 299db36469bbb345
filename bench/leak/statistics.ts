/**
 * Welch's t-test on timings of two classes, as dudect does it (Reparaz, Balasch, Verbauwhede, "Dude,
 * is my code constant time?", DATE 2017): on all of them, on those below each of many percentiles,
 * because what disturbs a measurement makes it longer, and on squared distances from the mean, which
 * show a class that varies more.
 */

/** Mean and sample variance of numbers that come one by one (Welford 1962). */
export class Moments {
  count = 0;
  mean = 0;
  private squares = 0;

  push(value: number): void {
    this.count++;
    const distance = value - this.mean;
    this.mean += distance / this.count;
    this.squares += distance * (value - this.mean);
  }

  get variance(): number {
    return this.count < 2 ? 0 : this.squares / (this.count - 1);
  }
}

/**
 * Welch's t: the difference of two means in units of its standard error. Positive if `a` is larger.
 * Two constants have no standard error: equal ones give 0, different ones infinity.
 */
export function welchT(a: Moments, b: Moments): number {
  const difference = a.mean - b.mean;
  if (difference === 0) return 0;
  return difference / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

/** Which part of the measurements a t is of. */
export type Part = 'all' | 'squares' | `below p${string}`;

export interface Leakage {
  /** Of the largest absolute value among all parts. Positive if class 0 takes longer. */
  readonly t: number;
  readonly part: Part;
  /** What class 0 takes longer than class 1 in that part, in the unit of the times (or squared). */
  readonly difference: number;
}

/** dudect's 100 percentiles, which come closer and closer to all: 7 %, 13 %, … 99.9 %. */
export const PERCENTILES: readonly number[] = Array.from(
  { length: 100 },
  (_, i) => 1 - 0.5 ** ((10 * (i + 1)) / 100),
);

/** With fewer of a class in a part, t is not yet distributed as a normal variable. */
const FEWEST = 500;

/**
 * @param times of both classes, at least one of each
 * @param classes 0 or 1 for each time
 */
export function leakage(times: Float64Array, classes: Uint8Array): Leakage {
  const all = momentsBelow(times, classes, Infinity);
  const parts: Leakage[] = [
    leakageOf('all', all),
    leakageOf('squares', squares(times, classes, all)),
  ];
  const sorted = Float64Array.from(times).sort();
  for (const p of PERCENTILES) {
    const below = momentsBelow(times, classes, percentile(sorted, p));
    if (below.some(({ count }) => count < FEWEST)) continue;
    parts.push(leakageOf(`below p${(100 * p).toFixed(1)}`, below));
  }
  return parts.reduce((worst, part) => (Math.abs(part.t) > Math.abs(worst.t) ? part : worst));
}

/** @returns the smallest value that at least the share `p` of all values does not exceed */
export function percentile(sorted: Float64Array, p: number): number {
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)]!;
}

type BothClasses = readonly [Moments, Moments];

function momentsBelow(times: Float64Array, classes: Uint8Array, limit: number): BothClasses {
  const moments: BothClasses = [new Moments(), new Moments()];
  for (let i = 0; i < times.length; i++) {
    if (times[i]! < limit) moments[classes[i]! as 0 | 1].push(times[i]!);
  }
  return moments;
}

function squares(times: Float64Array, classes: Uint8Array, all: BothClasses): BothClasses {
  const moments: BothClasses = [new Moments(), new Moments()];
  for (let i = 0; i < times.length; i++) {
    const which = classes[i]! as 0 | 1;
    moments[which].push((times[i]! - all[which].mean) ** 2);
  }
  return moments;
}

function leakageOf(part: Part, [a, b]: BothClasses): Leakage {
  return { t: welchT(a, b), part, difference: a.mean - b.mean };
}
