import type { Row } from './aes-suite.ts';
import type { MeasureOptions } from './measure.ts';

/** What the child process or the worker is asked to measure. */
export interface Order extends MeasureOptions {
  readonly largest: number;
}

/** What it tells, one row after the other. */
export type Message =
  | { readonly row: Row; readonly progress: number }
  | { readonly done: true }
  | { readonly error: string };
