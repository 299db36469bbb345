import type { Variant } from '../../src/engine/wasm/generator/dsl/lookup.ts';
import type { LoadWasm } from '../../src/engine/wasm/loader.ts';

/**
 * One thing whose time is tested. Every call gets an input of its own: the secret part, which is zero
 * in the class `fixed` and drawn anew in the class `random`, and the public part, which is drawn anew
 * in both, so that what hangs on public values (a counter, a signature) is alike in both.
 */
export interface Primitive {
  /** Unique: "AES-128-GCM, 64 B, plaintext" */
  readonly name: string;
  readonly family: 'control' | 'aes' | 'arx' | 'hash' | 'integer' | 'lattice';
  readonly secretBytes: number;
  /** 0 if absent */
  readonly publicBytes?: number;
  /** What the project says of it: |t| stays small; must be large; whatever is found. */
  readonly expected: 'constant' | 'leak' | 'reported';
  /** Called once, in the process that measures. */
  setUp(engine: WasmEngine): Operation | Promise<Operation>;
}

/** Where the modules come from, and of which variant. */
export interface WasmEngine {
  readonly variant: Variant;
  readonly loadWasm: LoadWasm;
}

export interface Operation {
  /**
   * Makes valid what was drawn; not timed, and the same work in both classes.
   *
   * @param input secret ‖ public, changed in place
   */
  prepare?(input: Uint8Array): void;
  /**
   * What is timed.
   *
   * @param input secret ‖ public, in the same place for both classes
   * @returns anything that keeps the compiler from leaving the work out
   */
  call(input: Uint8Array): unknown;
}
