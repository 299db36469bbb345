interface Kind {
  readonly file: string;
  readonly count: string;
  readonly seed?: string;
  readonly night: number;
  readonly step: number;
}

interface Step {
  readonly kind: string;
  readonly count: number;
  readonly seconds: number;
  readonly seed: number | undefined;
  readonly passed: boolean;
}

interface About {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
}

/** What bench/results/sequences.json holds. */
export interface Tally extends Partial<About> {
  readonly kinds?: Readonly<
    Record<
      string,
      {
        readonly sequences: number;
        readonly seconds: number;
        readonly failures: readonly {
          readonly seed?: number | undefined;
          readonly count: number;
        }[];
        readonly last: string;
      }
    >
  >;
}

export const KINDS: Readonly<Record<string, Kind>>;
export function withStep(tally: Tally, step: Step, about: About): Tally;
