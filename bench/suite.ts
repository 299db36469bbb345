import type { Figure } from './figures.ts';
import type { Extras, SuiteResult } from './result.ts';

/** One group of measurements, its figures and how it is shown. */
export interface Suite {
  readonly name: string;
  readonly title: string;
  /**
   * The module of its rows, which exports `rows: MakeRows`. It is bundled, and run in a process or
   * worker of its own. Absent if the suite has extras alone.
   */
  readonly rows?: string;
  /** What `--largest` is if not given. */
  readonly largest: number;
  readonly figures: readonly Figure[];
  readonly plots: readonly Plot[];
  /** What is measured beside the rows, in Node alone. */
  readonly extras?: () => Promise<Extras>;
}

export interface Plot {
  /** Part of the file's name: bench/results/<suite>-<name>-<platform>.svg */
  readonly name: string;
  /** What the picture shows, for those who do not see it. */
  readonly alternative: string;
  /** An SVG, or undefined if the run has nothing to show. */
  readonly draw: (result: SuiteResult) => string | undefined;
}
