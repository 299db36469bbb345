/** Measures the speed of candidates side by side, for the benchmarks and for the self-test in the popup. */

/** A function that is timed against others. */
export interface Candidate {
  /** May return a promise, which is awaited within the timing. */
  readonly run: () => unknown;
  /** Seconds of one earlier call. A slow call is repeated in few rounds. */
  readonly first: number;
}

/** The times of one candidate. */
export interface Timing {
  /** Seconds per call in each round, in the order of the rounds. */
  readonly rounds: readonly number[];
  readonly median: number;
  readonly best: number;
}

/** Duration and number of the timings. */
export interface MeasureOptions {
  readonly rounds: number;
  /** Calls are repeated until one timing takes at least this long. */
  readonly minimumMs: number;
  /** How long each candidate runs before it is timed: WebAssembly optimises large kernels late. */
  readonly warmUpMs?: number;
}

/** The clock and the pauses, for tests and workers. */
export interface Surroundings {
  /** The clock, in milliseconds. Clocks of browsers are coarse: 0.1 … 1 ms. */
  readonly now?: () => number;
  /** Awaited before each timing; an error that it throws ends the measurement. */
  readonly pause?: () => Promise<void>;
}

/** A call that takes longer than this many seconds is timed once. */
const ENDLESS = 1;
/** For a call that takes longer than this, few rounds are enough. */
const LONG = 0.15;
const FEW_ROUNDS = 3;

/**
 * Times the candidates side by side: each is first warmed up, and repeated until one timing takes long
 * enough; then they alternate, round after round. Other work of the machine affects all equally, so the
 * ratios of the medians are reliable even if absolute times are not.
 */
export async function measure(
  candidates: readonly Candidate[],
  { rounds, minimumMs, warmUpMs = 0 }: MeasureOptions,
  { now = () => performance.now(), pause }: Surroundings = {},
): Promise<Timing[]> {
  const stopwatches = candidates.map((candidate) => new Stopwatch(candidate, minimumMs, now));
  const times = candidates.map((candidate) => (candidate.first > ENDLESS ? [candidate.first] : []));
  const wanted = candidates.map((candidate) => roundsFor(candidate, rounds));
  for (const [index, stopwatch] of stopwatches.entries()) {
    await pause?.();
    if (wanted[index]! > 0) await stopwatch.warmUp(warmUpMs);
  }
  for (let round = 0; round < rounds; round++) {
    // Each round starts with another candidate, so that none is always first.
    for (let turn = 0; turn < candidates.length; turn++) {
      const index = (turn + round) % candidates.length;
      if (round >= wanted[index]!) continue;
      await pause?.();
      times[index]!.push(await stopwatches[index]!.secondsPerCall());
    }
  }
  return times.map((all) => ({ rounds: all, median: median(all), best: Math.min(...all) }));
}

function roundsFor({ first }: Candidate, rounds: number): number {
  if (first > ENDLESS) return 0;
  return first > LONG ? Math.min(FEW_ROUNDS, rounds) : rounds;
}

/**
 * Times one candidate, with as many calls per timing as the clock needs. Code becomes faster while it runs,
 * because the browser recompiles it, so the number of calls may have to grow.
 */
class Stopwatch {
  readonly #candidate: Candidate;
  readonly #minimumMs: number;
  readonly #now: () => number;
  #calls = 1;

  constructor(candidate: Candidate, minimumMs: number, now: () => number) {
    this.#candidate = candidate;
    this.#minimumMs = minimumMs;
    this.#now = now;
  }

  /** Runs it for at least this long, and drops the times. */
  async warmUp(ms: number): Promise<void> {
    const start = this.#now();
    do await this.secondsPerCall();
    while (this.#now() - start < ms);
  }

  async secondsPerCall(): Promise<number> {
    for (;;) {
      const ms = await this.#time();
      if (ms >= this.#minimumMs) return ms / 1000 / this.#calls;
      const wanted = (this.#calls * this.#minimumMs) / Math.max(ms, 0.01);
      this.#calls = Math.ceil(Math.min(Math.max(wanted * 1.1, 2 * this.#calls), 100 * this.#calls));
    }
  }

  /** Milliseconds for the calls, one after the other. */
  async #time(): Promise<number> {
    const { run } = this.#candidate;
    const start = this.#now();
    for (let call = 0; call < this.#calls; call++) {
      const result = run();
      // Awaiting an available value would cost more than a small message.
      if (result instanceof Promise) await result;
    }
    return this.#now() - start;
  }
}

/** The middle value; the mean of the two middle ones for an even count. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
