import type { Plugin } from 'esbuild';

export declare const MOST_BRANCHES: number;

export declare function instrumentation(files: readonly string[]): {
  readonly plugin: Plugin;
  readonly branches: { readonly file: string; readonly line: number }[];
  readonly words: Readonly<Record<string, string[]>>;
};
