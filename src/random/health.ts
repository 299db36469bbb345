/**
 * The two continuous health tests of SP 800-90B, section 4.4, with samples of 8 bits. They detect a
 * source that is stuck or strongly biased and nothing else. A good generator with a known seed passes.
 */

/** Section 4.4.2: window for samples that are not binary */
export const WINDOW_SAMPLES = 512;

/** The assumptions from which the cutoffs are computed. */
export interface HealthClaim {
  /** H: min-entropy claimed for each sample, in bits, above 0 and at most 8 */
  readonly entropyBits: number;
  /** α = 2^-falseAlarmBits: the probability that a sound source fails; 20 … 40 by section 4.3 */
  readonly falseAlarmBits: number;
}

/** Section 4.4.1: C = 1 + ⌈-log2(α) / H⌉ equal samples in a row are a failure. */
export function repetitionCutoff({ entropyBits, falseAlarmBits }: HealthClaim): number {
  return 1 + Math.ceil(falseAlarmBits / entropyBits);
}

/**
 * Section 4.4.2: C = 1 + CRITBINOM(W, 2^-H, 1 - α) samples in a window that equal its first are a
 * failure. CRITBINOM is the least k with P(X ≤ k) ≥ 1 - α; computed as P(X > k) ≤ α, because 1 - α
 * loses precision.
 */
export function proportionCutoff({ entropyBits, falseAlarmBits }: HealthClaim): number {
  const p = 2 ** -entropyBits;
  const chances = [(1 - p) ** WINDOW_SAMPLES]; // chances[k] = P(X = k)
  for (let k = 0; k < WINDOW_SAMPLES; k++) {
    chances.push((chances[k]! * ((WINDOW_SAMPLES - k) * p)) / ((k + 1) * (1 - p)));
  }
  let above = 0; // P(X > k)
  let k = WINDOW_SAMPLES;
  while (above + chances[k]! <= 2 ** -falseAlarmBits) above += chances[k--]!;
  return 1 + k;
}

/** Both tests of one source. A failure is permanent. */
export class HealthTests {
  readonly #repetitions: number;
  readonly #proportion: number;
  #failure: string | undefined;
  // Section 4.4.1: A, B
  #last = -1;
  #run = 0;
  // Section 4.4.2: A, B and the place in the window
  #first = -1;
  #matches = 0;
  #seen = 0;

  constructor(claim: HealthClaim) {
    this.#repetitions = repetitionCutoff(claim);
    this.#proportion = proportionCutoff(claim);
  }

  /** Which test failed; undefined if none. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** @returns false if the source has failed, now or earlier */
  check(samples: Uint8Array): boolean {
    for (const sample of samples) {
      this.#countRepetitions(sample);
      this.#countProportion(sample);
    }
    return this.#failure === undefined;
  }

  #countRepetitions(sample: number): void {
    this.#run = sample === this.#last ? this.#run + 1 : 1;
    this.#last = sample;
    if (this.#run >= this.#repetitions) this.#failure ??= 'repetition count';
  }

  #countProportion(sample: number): void {
    if (this.#seen === 0) {
      this.#first = sample;
      this.#matches = 0;
    }
    if (sample === this.#first) this.#matches++;
    if (this.#matches >= this.#proportion) this.#failure ??= 'adaptive proportion';
    this.#seen = (this.#seen + 1) % WINDOW_SAMPLES;
  }
}
