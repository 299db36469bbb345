/** One thing that is timed against others. */
export interface Candidate {
  /** May return a promise, which is then waited for within the timing. */
  readonly run: () => unknown;
  /** Seconds that one call took already. A call that takes long is not repeated much. */
  readonly first: number;
}

export interface Timing {
  /** Seconds per call in each round, in the order of the rounds. */
  readonly rounds: readonly number[];
  readonly median: number;
  readonly best: number;
}

export interface MeasureOptions {
  readonly rounds: number;
  /** Calls are repeated until one timing takes at least this long. */
  readonly minimumMs: number;
}

/** A call that takes longer than this many seconds is its own median: the first one counts. */
const ENDLESS = 1;
/** A call that takes longer than this tells as much in few rounds. */
const LONG = 0.15;
const FEW_ROUNDS = 3;

/**
 * Times the candidates side by side: each is first repeated until one timing takes long enough
 * (which warms it up as well), then all take turns, round after round. Whatever else the machine
 * does falls on all alike, so the ratios of the medians hold where absolute times do not.
 */
export async function measure(
  candidates: readonly Candidate[],
  options: MeasureOptions,
): Promise<Timing[]> {
  const prepared = [];
  for (const candidate of candidates) {
    const rounds = roundsFor(candidate, options.rounds);
    const calls = rounds > 0 ? await calibrate(candidate, options.minimumMs) : 0;
    prepared.push({ candidate, calls, rounds });
  }
  const times = prepared.map(({ rounds, candidate }) => (rounds > 0 ? [] : [candidate.first]));
  for (let round = 0; round < options.rounds; round++) {
    // Each round starts with another candidate, so that none is always first.
    for (let turn = 0; turn < prepared.length; turn++) {
      const index = (turn + round) % prepared.length;
      const { candidate, calls, rounds } = prepared[index]!;
      if (round < rounds) times[index]!.push((await time(candidate, calls)) / calls);
    }
  }
  return times.map((rounds) => ({ rounds, median: median(rounds), best: Math.min(...rounds) }));
}

function roundsFor({ first }: Candidate, rounds: number): number {
  if (first > ENDLESS) return 0;
  return first > LONG ? Math.min(FEW_ROUNDS, rounds) : rounds;
}

/** How many calls make one timing of at least `minimumMs`. */
async function calibrate(candidate: Candidate, minimumMs: number): Promise<number> {
  for (let calls = 1; ;) {
    const seconds = await time(candidate, calls);
    if (seconds * 1000 >= minimumMs) return calls;
    const wanted = (calls * minimumMs) / Math.max(seconds * 1000, 0.01);
    calls = Math.ceil(Math.min(Math.max(wanted * 1.1, 2 * calls), 100 * calls));
  }
}

/** Seconds for that many calls, one after the other. */
async function time({ run }: Candidate, calls: number): Promise<number> {
  const start = performance.now();
  for (let call = 0; call < calls; call++) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  return (performance.now() - start) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
