import type { LoadWasm } from '../src/engine/wasm/loader.ts';
import type { MeasureOptions } from '../src/engine/self-test/measure.ts';
import type { Row, RowPlan } from './row.ts';

/** What a suite's rows may depend on where they are measured. */
export interface Environment {
  /**
   * Leaves out rows whose size is above this: bytes of a message, iterations, blocks of memory, bytes
   * of a modulus.
   */
  readonly largest: number;
  /** Brings the modules that scripts/make-wasm.ts makes. */
  readonly loadWasm: LoadWasm;
}

/** What the module of a suite's rows exports as `rows`. */
export type MakeRows = (environment: Environment) => Promise<RowPlan[]>;

/** What the process or worker is asked for. */
export interface Order extends MeasureOptions {
  readonly largest: number;
  /** Where the modules of WebAssembly lie: a URL that ends in a slash. */
  readonly wasmFolder: string;
  /** Names of rows and of peers: no others are measured. Our engines are in every such row. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  /** Measures nothing and tells who would be measured. */
  readonly list?: boolean;
}

/** What it tells, one row after the other. */
export type Message =
  | { readonly row: Row; readonly progress: number }
  | { readonly listed: Readonly<Record<string, readonly string[]>> }
  | { readonly done: true }
  | { readonly error: string };
