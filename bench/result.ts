import type { Row } from './aes-suite.ts';

/** What bench/results/aes-*.json holds. */
export interface AesResult {
  readonly machine: string;
  readonly platform: string;
  readonly date: string;
  readonly quick: boolean;
  readonly precomputation: Precomputation | undefined;
  readonly codeSize: readonly CodeSize[] | undefined;
  readonly rows: readonly Row[];
}

export interface Precomputation {
  /** The first computation in a fresh process, median of several processes, milliseconds. */
  readonly coldMs: number;
  /** Once the code is warm, median, milliseconds. */
  readonly warmMs: number;
}

export interface CodeSize {
  readonly name: string;
  readonly minifiedBytes: number;
  readonly brotliBytes: number;
}
