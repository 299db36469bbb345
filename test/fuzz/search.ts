/*
 * The search: inputs are changed at random, and one that takes a branch for the first time, or more
 * often than before, is kept and changed further.
 */
import { Mutator } from './mutator.ts';
import type { FuzzTarget } from './target.ts';
import { signatureOf, tryInput } from './trial.ts';

/** How often each branch was taken since the last reset, in the numbering of scripts/instrument.mjs. */
export interface Branches {
  readonly counts: Uint32Array;
  /** The numbers of the branches of the target's files. */
  readonly numbers: readonly number[];
}

/** What a search needs. */
export interface SearchDeps {
  readonly branches: Branches;
  readonly seed: string;
  readonly words: readonly Uint8Array[];
  /** Called before each input, so that another thread knows it should this one never return. */
  readonly onInput: (input: Uint8Array) => void;
  readonly onFinding: (input: Uint8Array, error: unknown) => void;
}

/** A kept input, and the branches that it takes. */
interface Kept {
  readonly input: Uint8Array;
  readonly taken: readonly number[];
  /** How much of the parser it runs. A count, not a time: the same seed makes the same search. */
  readonly work: number;
}

/** What an input came to that must not be. */
interface Failure {
  readonly error: unknown;
}

const DEFAULT_BYTES = 2048;
/** Of two inputs, one comes from the last few that were found: their neighbours are new too. */
const RECENT = 16;
/** Inputs of so many times the usual work are changed more rarely, so that none has most of the time. */
const USUAL = 4;
/** Draws of an input that may be passed over. */
const DRAWS = 8;
const SHRINK_TRIALS = 400;

/** One search over one target. */
export class Search {
  readonly #target: FuzzTarget;
  readonly #deps: SearchDeps;
  readonly #mutator: Mutator;
  readonly #kept: Kept[] = [];
  /** Of the kept inputs, in order. */
  readonly #works: number[] = [];
  /** By branch: the set of magnitudes seen, as bits. */
  readonly #seen: Uint32Array;
  readonly #signatures = new Set<string>();
  executions = 0;

  constructor(target: FuzzTarget, deps: SearchDeps) {
    this.#target = target;
    this.#deps = deps;
    this.#mutator = new Mutator(deps.seed, target.maxBytes ?? DEFAULT_BYTES, deps.words);
    this.#seen = new Uint32Array(deps.branches.counts.length);
  }

  /** How many branches have been taken. */
  get taken(): number {
    return this.#deps.branches.numbers.filter((number) => this.#seen[number] !== 0).length;
  }

  /** How many inputs are kept. */
  get size(): number {
    return this.#kept.length;
  }

  /** Which branches no input took. */
  get missing(): number[] {
    return this.#deps.branches.numbers.filter((number) => this.#seen[number] === 0);
  }

  /** Runs an input, and keeps it if it is new. */
  async try(input: Uint8Array): Promise<void> {
    this.#reset();
    this.executions++;
    this.#deps.onInput(input);
    const { stackTraceLimit } = Error;
    // Most inputs are refused by an error, whose stack takes longer than the parser does.
    Error.stackTraceLimit = 0;
    const failure = await this.#failure(input);
    Error.stackTraceLimit = stackTraceLimit;
    if (failure) {
      await this.#found(input, (await this.#failure(input)) ?? failure);
      return;
    }
    if (this.#isNew()) this.#keep(input);
  }

  #keep(input: Uint8Array): void {
    const { counts, numbers } = this.#deps.branches;
    const taken = numbers.filter((number) => counts[number] !== 0);
    const work = numbers.reduce((sum, number) => sum + counts[number]!, input.length);
    this.#kept.push({ input: input.slice(), taken, work });
    this.#works.push(work);
    this.#works.sort((a, b) => a - b);
  }

  /** Changes one of the kept inputs and runs it. */
  async step(): Promise<void> {
    const mutator = this.#mutator;
    const kept = this.#kept;
    const other = kept[mutator.index(kept.length)]!.input;
    await this.try(mutator.mutated(this.#drawn().input, other));
  }

  /** One of the kept inputs, which is seldom one of those that take long. */
  #drawn(): Kept {
    const mutator = this.#mutator;
    const kept = this.#kept;
    const most = USUAL * this.#works[this.#works.length >> 1]!;
    const range = mutator.index(2) === 0 ? Math.min(RECENT, kept.length) : kept.length;
    let drawn = kept[kept.length - 1 - mutator.index(range)]!;
    for (let i = 1; i < DRAWS && mutator.index(drawn.work) >= most; i++) {
      drawn = kept[kept.length - 1 - mutator.index(range)]!;
    }
    return drawn;
  }

  /**
   * The fewest and shortest inputs that take all branches which those at the beginning do not take.
   *
   * @param first how many inputs were there at the beginning
   */
  smallest(seeds: readonly Uint8Array[]): Uint8Array[] {
    const isSeed = new Set(seeds.map((seed) => Buffer.from(seed).toString('hex')));
    const isGiven = ({ input }: Kept) => isSeed.has(Buffer.from(input).toString('hex'));
    const covered = new Set(this.#kept.filter(isGiven).flatMap(({ taken }) => taken));
    const chosen: Uint8Array[] = [];
    const byLength = this.#kept.filter((one) => !isGiven(one));
    byLength.sort((a, b) => a.input.length - b.input.length);
    for (const { input, taken } of byLength) {
      if (taken.every((number) => covered.has(number))) continue;
      chosen.push(input);
      for (const number of taken) covered.add(number);
    }
    return chosen;
  }

  /** Only the target's own: there are thousands of others. */
  #reset(): void {
    const { counts, numbers } = this.#deps.branches;
    for (const number of numbers) counts[number] = 0;
  }

  #isNew(): boolean {
    const { counts, numbers } = this.#deps.branches;
    let isNew = false;
    for (const number of numbers) {
      const count = counts[number]!;
      if (count === 0) continue;
      const bit = 1 << Math.min(31 - Math.clz32(count), 12);
      if ((this.#seen[number]! & bit) !== 0) continue;
      this.#seen[number]! |= bit;
      isNew = true;
    }
    return isNew;
  }

  /** What is wrong with an input; in an object, because anything may be thrown. */
  async #failure(input: Uint8Array): Promise<Failure | undefined> {
    try {
      await tryInput(this.#target, input, true);
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  /** Reports each defect once, by its shortest input. */
  async #found(input: Uint8Array, { error }: Failure): Promise<void> {
    const signature = signatureOf(error);
    if (this.#signatures.has(signature)) return;
    this.#signatures.add(signature);
    const shortest = await this.#shrunk(input, signature);
    this.#deps.onFinding(shortest, error);
  }

  async #shrunk(input: Uint8Array, signature: string): Promise<Uint8Array> {
    let best = input;
    let trials = 0;
    for (let part = best.length >> 1; part > 0; part >>= 1) {
      for (let at = 0; at + part <= best.length && trials < SHRINK_TRIALS; trials++) {
        const shorter = new Uint8Array([...best.subarray(0, at), ...best.subarray(at + part)]);
        const failure = await this.#failure(shorter);
        if (failure && signatureOf(failure.error) === signature) best = shorter;
        else at += part;
      }
    }
    return best;
  }
}
