/** An instrumented module in execution: what is secret, the calls, what was reported and which branches were taken. */
import type { Instrumented, Site } from './instrument.ts';

/** A part of memory, or bytes that JavaScript knows. */
export interface Region {
  readonly at: number;
  readonly length: number;
}

export interface ShadowOptions {
  /** Functions that the module imports, under any name of the module. */
  readonly imports?: WebAssembly.ModuleImports;
  /** The first byte that may be secret. Below are constants. */
  readonly secrets: number;
  /** Words above `secrets` that are not secret. */
  readonly open?: readonly Region[];
}

type Exported = (...args: readonly unknown[]) => unknown;

export class ShadowModule {
  readonly #instrumented: Instrumented;
  readonly #memory: Uint8Array;
  readonly #functions: Readonly<Record<string, unknown>>;
  readonly #options: ShadowOptions;
  readonly #reported = new Set<number>();

  private constructor(
    instrumented: Instrumented,
    instance: WebAssembly.Instance,
    options: ShadowOptions,
    reported: Set<number>,
  ) {
    this.#instrumented = instrumented;
    this.#functions = instance.exports;
    this.#memory = new Uint8Array((instance.exports['memory'] as WebAssembly.Memory).buffer);
    this.#options = options;
    this.#reported = reported;
  }

  static async load(instrumented: Instrumented, options: ShadowOptions): Promise<ShadowModule> {
    const reported = new Set<number>();
    const report = (site: number): void => void reported.add(site);
    const { instance } = await WebAssembly.instantiate(instrumented.bytes, {
      proof: { report },
      env: options.imports ?? {},
    });
    return new ShadowModule(instrumented, instance, options, reported);
  }

  /** The memory as the original module sees it. */
  get bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#instrumented.memoryBytes);
  }

  /** The memory of the instance, with the shadow. */
  get memory(): Uint8Array {
    return this.#memory;
  }

  /** 255 for each tainted byte. */
  get shadow(): Uint8Array {
    const { shadowAt, memoryBytes } = this.#instrumented;
    return this.#memory.subarray(shadowAt, shadowAt + memoryBytes);
  }

  get exports(): readonly string[] {
    return [...this.#instrumented.signatures.keys()];
  }

  /** Forgets what was reported. */
  forget(): void {
    this.#reported.clear();
  }

  /** The places that a secret has reached so far. */
  get reached(): readonly Site[] {
    return [...this.#reported].map((index) => this.#instrumented.sites[index]!);
  }

  /**
   * Calls a function while all memory from `secrets` on is secret.
   *
   * @param secretArgs indices of secret arguments; secret results are reported
   */
  call(name: string, args: readonly number[], secretArgs: readonly number[] = []): unknown {
    const { secrets, open = [] } = this.#options;
    this.shadow.fill(0xff, secrets);
    for (const { at, length } of open) this.shadow.fill(0, at, at + length);
    return this.callAsIs(name, args, secretArgs);
  }

  /** The same with the shadow as it is. */
  callAsIs(name: string, args: readonly unknown[], secretArgs: readonly number[] = []): unknown {
    const taints = args.map((_, i) => (secretArgs.includes(i) ? -1 : 0));
    const returned = (this.#functions[name] as Exported)(...args, ...taints);
    if (!Array.isArray(returned)) return undefined;
    const [result, taint] = returned as [unknown, number];
    if (taint !== 0) this.#secretResults.add(name);
    return result;
  }

  readonly #secretResults = new Set<string>();

  /** The functions that returned something secret. */
  get secretResults(): readonly string[] {
    return [...this.#secretResults];
  }

  /** For each function that the module defines, in order. */
  get entered(): readonly boolean[] {
    const { enteredAt } = this.#instrumented;
    return this.#instrumented.names.map((_, i) => this.#memory[enteredAt + i] === 1);
  }

  /** For each branch: whether its condition was 0, and whether it was not 0. */
  get taken(): readonly (readonly [boolean, boolean])[] {
    const { coverAt, branches } = this.#instrumented;
    return branches.map((_, i) => {
      return [this.#memory[coverAt + 2 * i] === 1, this.#memory[coverAt + 2 * i + 1] === 1];
    });
  }
}
