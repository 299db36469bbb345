import type { Figure } from './figures.ts';
import type { MeasureOptions } from '../src/engine/self-test/measure.ts';
import type { Message } from './order.ts';
import type { Drawing } from './plot.ts';
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
  /** In place of `rows`, for what only a whole browser can do; there is nothing of it in Node. */
  readonly runIn?: BrowserRun;
  /** What `--largest` is if not given. */
  readonly largest: number;
  /** Whether the rows are measured in random order; results have them in order. */
  readonly isShuffled?: true;
  readonly figures: readonly Figure[];
  readonly plots: readonly Plot[];
  /** What is measured beside the rows, in Node alone. */
  readonly extras?: () => Promise<Extras>;
}

/** Measures in a browser of its own, and tells each row as it comes. */
export type BrowserRun = (
  name: 'chromium' | 'firefox',
  request: MeasureOptions & { readonly largest: number },
  tell: (message: Message) => void,
) => Promise<{ readonly platform: string; readonly extras?: Extras }>;

export interface Plot {
  /** Part of the file's name: bench/results/<suite>-<name>-<platform>.svg */
  readonly name: string;
  /** What the picture shows, for those who do not see it. */
  readonly alternative: string;
  /** What svgOf writes, or undefined if the run has nothing to show. */
  readonly draw: (result: SuiteResult) => Drawing | undefined;
}
