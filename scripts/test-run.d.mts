/** A command of a run. */
export interface Part {
  readonly title: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The title of a part that must have passed before. */
  readonly needs?: string;
  /** It waits for a browser more than it computes. */
  readonly hasBrowser?: boolean;
  /** The tests that it runs. */
  readonly files?: readonly string[];
  /** Its budget. */
  readonly minutes?: number;
  /** The JSON that it writes, and what the report takes from it. */
  readonly result?: string;
  readonly figures?: (result: never) => object;
}

/** How a part ended. */
export interface PartEnd {
  readonly state: 'passed' | 'failed' | 'over budget' | 'not run';
  readonly seconds: number;
  readonly cpu: number;
  readonly error?: string;
  /** What its test runs counted. */
  readonly lines?: readonly {
    readonly passed: number;
    readonly failed: number;
    readonly skipped: number;
    readonly failures: readonly { readonly test: string; readonly why: string }[];
  }[];
}

export function runParts(
  parts: readonly Part[],
  options?: { readonly slots?: number; readonly isVerbose?: boolean },
): Promise<Map<string, PartEnd>>;

/** A reading of the wall clock (ms since the epoch) and of a monotonic one (ms). */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export function clockStep(before: Moment, now: Moment): string | undefined;
