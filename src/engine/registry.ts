/**
 * The only access to engines: callers pass the algorithm, the length and a constraint, and the registry
 * selects an engine.
 *
 * A registry is created at the start and contains all state about engines: the results of their probes and
 * known answers, and the reasons of failures. No such state exists elsewhere.
 */
import type { Hash } from '../crypto/contracts.ts';
import { ENGINE_NAMES, isEngineError } from './contract.ts';
import type {
  AlgorithmName,
  Algorithms,
  AlgorithmTypes,
  Awaitable,
  DigestName,
  Engine,
  EngineName,
  Probe,
  XofAlgorithm,
  XofName,
  XofParams,
} from './contract.ts';
import { testKnownAnswers, testStreaming, testStreamingXof } from './known-answers/run.ts';
import { assertMeant, DEFAULT_THRESHOLDS, prefer, preferThread } from './thresholds.ts';
import type { Candidate, Thresholds } from './thresholds.ts';

/** No permitted engine can do the work. The message gives the reason for each engine. */
export class NoEngineError extends Error {
  override readonly name = 'NoEngineError';
}

/** 'auto' lets the registry choose; a name forbids every other engine. */
export type EngineChoice = 'auto' | EngineName;

/** Engines that a caller must ask for. */
export type OptInEngine = 'wasm-threads' | 'webgl' | 'webgpu';

const CARDS: readonly EngineName[] = ['webgl', 'webgpu'];

/** Options of a registry. */
export interface RegistryOptions {
  /**
   * Engines that `auto` uses only if they are named here. Those on a graphics card have the highest preference,
   * in this order.
   */
  readonly optIn?: readonly OptInEngine[];
  readonly thresholds?: Thresholds;
  /** The only engines that `auto` uses, in the order of preference; overrides `optIn`. */
  readonly order?: readonly EngineName[] | undefined;
  /** Excludes implementations whose timing depends on secrets, those of a named engine too. */
  readonly constantTime?: boolean | undefined;
  /** Is told why `auto` uses `js` where `wasm-simd` would do, at every choice. */
  readonly onJs?: ((algorithm: AlgorithmName, reason: string) => void) | undefined;
}

/** Work that needs an engine. */
export interface Request<A extends AlgorithmName> {
  readonly algorithm: A;
  /** A named engine is the only one tried. */
  readonly engine: EngineChoice;
  /** Length of the message, for the thresholds. */
  readonly bytes: number;
  /**
   * 'this' prefers an engine that works on the calling thread, at any length; an engine whose timing
   * depends on secrets is then never taken. Default: 'any'.
   */
  readonly thread?: 'this' | 'any';
  /** Why an implementation does not support the key and parameters; undefined if it does. */
  readonly gap?: (implementation: AlgorithmTypes[A]) => Awaitable<string | undefined>;
}

/** The library's `engines()` returns one for each engine. */
export interface EngineReport {
  readonly name: EngineName;
  readonly available: boolean;
  /** Why it is not available, or which known answers it failed. */
  readonly reason?: string;
  /** The algorithms with correct known answers. */
  readonly algorithms: readonly AlgorithmName[];
  readonly selfTest: 'passed' | 'failed' | 'skipped';
}

interface Fit<A extends AlgorithmName> extends Candidate {
  readonly implementation: AlgorithmTypes[A];
}

/** A hash that takes its message in pieces, and its known answers. */
interface StreamingOffer {
  create(): Hash;
  test(): string | undefined;
}

/** The engines, their state, and the selection between them. */
export class Registry {
  private thresholds: Thresholds;
  private readonly engines: readonly Engine[];
  private readonly order: readonly EngineName[];
  private readonly constantTime: boolean;
  private readonly onJs: NonNullable<RegistryOptions['onJs']>;
  private readonly probes = new Map<EngineName, Probe>();
  private readonly tests = new Map<string, Promise<string | undefined>>();
  private readonly passed = new Set<string>();
  private readonly failures = new Map<string, string>();
  private probing: Promise<void> | undefined;

  constructor(engines: readonly Engine[], options: RegistryOptions = {}) {
    const { optIn = [], thresholds = DEFAULT_THRESHOLDS } = options;
    const cards = optIn.filter((name) => CARDS.includes(name));
    const usual = ENGINE_NAMES.filter(
      (name) => !CARDS.includes(name) && (name !== 'wasm-threads' || optIn.includes(name)),
    );
    this.engines = engines;
    this.order = options.order ?? [...cards, ...usual];
    this.constantTime = options.constantTime ?? false;
    this.onJs = options.onJs ?? (() => undefined);
    this.thresholds = thresholds;
  }

  /** Replaces the thresholds, for example by measured ones. */
  useThresholds(thresholds: Thresholds): void {
    this.thresholds = thresholds;
  }

  /** Probes every engine once. Call it before the synchronous methods; the others wait for it. */
  ready(): Promise<void> {
    this.probing ??= Promise.all(this.engines.map((engine) => this.probeOne(engine))).then(
      () => undefined,
    );
    return this.probing;
  }

  /** The algorithms of an engine, tested or not; none before `ready()`. */
  algorithmsOf(engine: EngineName): Algorithms {
    const state = this.state(engine);
    return state?.available === true ? state.algorithms : {};
  }

  /** The names of the available engines, in the order of preference. */
  available(): EngineName[] {
    return ENGINE_NAMES.filter((name) => this.state(name)?.available === true);
  }

  /** The registered engines that are not available, and why; none before `ready()`. */
  absent(): { readonly engine: EngineName; readonly reason: string }[] {
    return [...this.probes.keys()].flatMap((engine) => {
      const state = this.state(engine)!;
      return state.available ? [] : [{ engine, reason: state.reason }];
    });
  }

  /**
   * Chooses an engine and runs the work there. An engine that gives a wrong known answer or throws
   * EngineError is excluded from then on, with its reason, and the next one runs the work.
   *
   * @throws NoEngineError when none is left
   */
  async run<A extends AlgorithmName, T>(
    request: Request<A>,
    work: (implementation: AlgorithmTypes[A], engine: EngineName) => Awaitable<T>,
  ): Promise<T> {
    for (;;) {
      const { engine, implementation } = await this.resolve(request);
      try {
        return await work(implementation, engine);
      } catch (error) {
        if (!isEngineError(error)) throw error;
        this.failures.set(keyOf(engine, request.algorithm), error.message);
      }
    }
  }

  /**
   * The engine for such a message according to the current state. Outstanding known answers and sizes that an
   * engine lacks may still change it. Call `ready()` before. `onJs` is told of the choice as if the message came.
   *
   * @throws NoEngineError
   */
  choose(algorithm: AlgorithmName, bytes: number, engine: EngineChoice): EngineName {
    const reasons: string[] = [];
    const fits = this.fits(algorithm, engine, reasons);
    const { engine: chosen } = this.pick(fits, algorithm, bytes, reasons);
    this.tellOfJs(chosen, algorithm, engine);
    return chosen;
  }

  /**
   * A hash that takes its message in pieces, from the first engine that has one. The method and its
   * known-answer test are synchronous. Call `ready()` before.
   *
   * @throws NoEngineError
   */
  streamingHash(name: DigestName, engine: EngineChoice): Hash {
    return this.streaming(name, engine, (implementation) => {
      const create = implementation.create?.bind(implementation);
      return create && { create, test: () => testStreaming(name, create) };
    });
  }

  /** The same for an extendable-output function. @throws NoEngineError; RangeError for wrong parameters */
  streamingXof<A extends XofName>(name: A, params: XofParams[A], engine: EngineChoice): Hash {
    return this.streaming(name, engine, (implementation) => {
      const xof = implementation as Required<XofAlgorithm<XofParams[A]>>;
      if (implementation.create === undefined) return undefined;
      const create = xof.create.bind(xof);
      return { create: () => create(params), test: () => testStreamingXof(name, create) };
    });
  }

  private streaming<A extends DigestName | XofName>(
    name: A,
    engine: EngineChoice,
    offerOf: (implementation: AlgorithmTypes[A]) => StreamingOffer | undefined,
  ): Hash {
    const reasons: string[] = [];
    for (const { engine: found, implementation } of this.fits(name, engine, reasons)) {
      const offer = offerOf(implementation);
      const fault = offer ? this.streamingFault(found, name, offer) : 'digests whole messages';
      if (offer && fault === undefined) {
        this.tellOfJs(found, name, engine);
        return offer.create();
      }
      reasons.push(`${found}: ${fault}`);
    }
    throw noEngine(`streaming ${name}`, reasons);
  }

  /**
   * Tests one algorithm of one engine, once.
   *
   * @returns the known answer that failed; undefined if all passed
   */
  test(engine: EngineName, algorithm: AlgorithmName): Promise<string | undefined> {
    const key = keyOf(engine, algorithm);
    const known = this.tests.get(key);
    if (known !== undefined) return known;
    const implementation = this.algorithmsOf(engine)[algorithm];
    const test =
      implementation === undefined
        ? Promise.resolve(`has no ${algorithm}`)
        : testKnownAnswers(algorithm, implementation).then((fault) => {
            if (fault === undefined) this.passed.add(key);
            else this.failures.set(key, `failed its known answer (${fault})`);
            return fault;
          });
    this.tests.set(key, test);
    return test;
  }

  /** Every engine of this registry, after all its known answers were run. */
  async report(): Promise<EngineReport[]> {
    await this.ready();
    return Promise.all(this.engines.map((engine) => this.reportOne(engine.name)));
  }

  close(): void {
    for (const engine of this.engines) engine.close();
  }

  private async resolve<A extends AlgorithmName>(request: Request<A>): Promise<Fit<A>> {
    await this.ready();
    const { algorithm, engine, bytes, thread, gap } = request;
    for (;;) {
      const reasons: string[] = [];
      const fits: Fit<A>[] = [];
      for (const fit of this.fits(algorithm, engine, reasons)) {
        const reason = await gap?.(fit.implementation);
        if (reason === undefined) fits.push(fit);
        else reasons.push(`${fit.engine}: ${reason}`);
      }
      const chosen =
        thread === 'this'
          ? pickForThread(fits, algorithm, reasons)
          : this.pick(fits, algorithm, bytes, reasons);
      // A wrong answer excludes the engine, so the next iteration selects another one.
      if (
        this.passed.has(keyOf(chosen.engine, algorithm)) ||
        (await this.test(chosen.engine, algorithm)) === undefined
      ) {
        this.tellOfJs(chosen.engine, algorithm, engine);
        return chosen;
      }
    }
  }

  /** Only if `auto` may use wasm-simd, and that one, or the part of it that has the algorithm, failed. */
  private tellOfJs(chosen: EngineName, algorithm: AlgorithmName, engine: EngineChoice): void {
    if (chosen !== 'js' || engine !== 'auto' || !this.order.includes('wasm-simd')) return;
    const state = this.state('wasm-simd');
    const has = this.algorithmsOf('wasm-simd')[algorithm] !== undefined;
    if (state?.available === true && !has && state.lacks === undefined) return;
    const reason = this.reasonAgainst('wasm-simd', algorithm);
    if (reason !== undefined) this.onJs(algorithm, reason);
  }

  /** Engines that have the algorithm and have not failed at it. Adds the reasons against the others. */
  private fits<A extends AlgorithmName>(
    algorithm: A,
    engine: EngineChoice,
    reasons: string[],
  ): Fit<A>[] {
    const names = engine === 'auto' ? this.order : [engine];
    return names.flatMap((name) => {
      const implementation = this.algorithmsOf(name)[algorithm];
      const reason = this.reasonAgainst(name, algorithm);
      if (implementation !== undefined && reason === undefined) {
        return [{ engine: name, constantTime: implementation.constantTime, implementation }];
      }
      reasons.push(`${name}: ${reason}`);
      return [];
    });
  }

  private reasonAgainst(name: EngineName, algorithm: AlgorithmName): string | undefined {
    const state = this.state(name);
    if (state === undefined) return 'not registered';
    if (!state.available) return state.reason;
    const implementation = state.algorithms[algorithm];
    if (implementation === undefined) {
      return `has no ${algorithm}${state.lacks === undefined ? '' : `; it lacks modules: ${state.lacks}`}`;
    }
    if (this.constantTime && implementation.constantTime === 'no') {
      return `its ${algorithm} is not constant-time`;
    }
    return this.failures.get(keyOf(name, algorithm));
  }

  /** The result of the probe, or what has ended the engine since; undefined before `ready()`. */
  private state(name: EngineName): Probe | undefined {
    const probe = this.probes.get(name);
    if (probe?.available !== true) return probe;
    const reason = this.engines.find((engine) => engine.name === name)?.fault?.();
    return reason === undefined ? probe : { available: false, reason };
  }

  private pick<C extends Candidate>(
    fits: readonly C[],
    algorithm: AlgorithmName,
    bytes: number,
    reasons: readonly string[],
  ): C {
    const [first, ...rest] = fits;
    if (first === undefined) throw noEngine(algorithm, reasons);
    const chosen = prefer([first, ...rest], algorithm, bytes, this.thresholds);
    assertMeant(chosen, fits, algorithm, bytes, this.thresholds);
    return chosen;
  }

  private streamingFault(
    engine: EngineName,
    name: DigestName | XofName,
    offer: StreamingOffer,
  ): string | undefined {
    const key = `${keyOf(engine, name)} streaming`;
    if (!this.passed.has(key) && !this.failures.has(key)) {
      const fault = offer.test();
      if (fault === undefined) this.passed.add(key);
      else this.failures.set(key, `failed its known answer (${fault})`);
    }
    return this.failures.get(key);
  }

  private async probeOne(engine: Engine): Promise<void> {
    try {
      this.probes.set(engine.name, await engine.probe());
    } catch (error) {
      this.probes.set(engine.name, {
        available: false,
        reason: `its probe failed: ${String(error)}`,
      });
    }
  }

  private async reportOne(name: EngineName): Promise<EngineReport> {
    const algorithms = Object.keys(this.algorithmsOf(name)) as AlgorithmName[];
    const faults = await Promise.all(algorithms.map((each) => this.test(name, each)));
    // After the known answers, which may end an engine.
    const state = this.state(name);
    if (state?.available !== true) {
      const reason = state?.reason ?? 'not registered';
      return { name, available: false, reason, algorithms: [], selfTest: 'skipped' };
    }
    const failed = algorithms.filter((_, i) => faults[i] !== undefined);
    const reason = failed.map((each) => `${each} ${this.failures.get(keyOf(name, each))}`);
    if (state.lacks !== undefined) reason.unshift(`lacks modules: ${state.lacks}`);
    return {
      name,
      available: true,
      ...(reason.length > 0 && { reason: reason.join('; ') }),
      algorithms: algorithms.filter((each) => !failed.includes(each)),
      selfTest: failed.length > 0 ? 'failed' : 'passed',
    };
  }
}

function pickForThread<C extends Candidate>(
  fits: readonly C[],
  algorithm: AlgorithmName,
  reasons: readonly string[],
): C {
  const chosen = preferThread(fits);
  if (chosen === undefined) {
    throw noEngine(algorithm, [...reasons, 'the others are not constant-time']);
  }
  return chosen;
}

function keyOf(engine: EngineName, algorithm: AlgorithmName): string {
  return `${engine} ${algorithm}`;
}

function noEngine(work: string, reasons: readonly string[]): NoEngineError {
  return new NoEngineError(`No engine for ${work}: ${reasons.join('; ') || 'none registered'}`);
}
