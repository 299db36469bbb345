/**
 * The self-test: checks the results of all engines, and measures their speed on this machine. The
 * popup runs it in a worker, the benchmarks in Node.
 */
import { equal } from '../../crypto/bytes.ts';
import type { AlgorithmName, Algorithms, ConstantTime, EngineName } from '../contract.ts';
import { CALLS } from './calls.ts';
import type { FixedCall, Operation } from './calls.ts';
import { measure } from './measure.ts';
import type { Candidate } from './measure.ts';
import type { Registry } from '../registry.ts';
import { prepareTask, TIMED } from './tasks.ts';
import type { Task, TimedAlgorithm } from './tasks.ts';

/** Options of the self-test. */
export interface SelfTestOptions {
  readonly registry: Registry;
  /** The algorithms to time; default: all. Known answers are run for every algorithm. */
  readonly algorithms?: readonly TimedAlgorithm[];
  /** Message sizes in bytes, multiples of 16. */
  readonly sizes?: readonly number[];
  /** The calls of a fixed size to time; default: all. */
  readonly calls?: readonly FixedCall[];
  readonly rounds?: number;
  /** Minimum duration of one timing. */
  readonly minimumMs?: number;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

/** One engine's known answers for one algorithm, or a comparison with another engine. */
export interface AnswerResult {
  readonly type: 'answer';
  readonly engine: EngineName;
  readonly algorithm: AlgorithmName;
  readonly passed: boolean;
  readonly reason?: string;
}

/** An engine that this browser or this build does not have. */
export interface AbsentEngine {
  readonly type: 'absent';
  readonly engine: EngineName;
  readonly reason: string;
}

/** The median of the rounds. */
export interface SpeedResult {
  readonly type: 'speed';
  readonly engine: EngineName;
  readonly algorithm: AlgorithmName;
  /** The claim of the implementation about its timing. */
  readonly constantTime: ConstantTime;
  readonly bytes: number;
  readonly bytesPerSecond: number;
}

/** The median of the rounds of a call of a fixed size. */
export interface CallResult {
  readonly type: 'call';
  readonly engine: EngineName;
  readonly operation: Operation;
  /** The algorithm with its parameters. */
  readonly name: string;
  /** Size of the message; 0 where there is none. */
  readonly bytes: number;
  readonly seconds: number;
}

/** Plain JSON. */
export interface SelfTestResult {
  readonly answers: readonly AnswerResult[];
  readonly speeds: readonly SpeedResult[];
  readonly calls: readonly CallResult[];
  readonly rounds: number;
}

/** The progress reports of the self-test. */
export type SelfTestEvent =
  | AbsentEngine
  | AnswerResult
  | SpeedResult
  | CallResult
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  | { readonly type: 'result'; readonly result: SelfTestResult };

const SIZES = [16, 1024, 65_536, 1_048_576];
const ROUNDS = 5;
const MINIMUM_MS = 5;

/** An engine, for one algorithm and size. */
interface Contender extends Candidate {
  readonly engine: EngineName;
  readonly constantTime: ConstantTime;
}

/**
 * Reports the absent engines with their reasons, then the known answers of the others, then the throughput of
 * those that passed, then the time of single calls. The last event is the result.
 *
 * @throws the reason of `signal`, at the first step after the abort
 */
export async function* selfTest(options: SelfTestOptions): AsyncGenerator<SelfTestEvent, void> {
  const { registry, algorithms = TIMED, sizes = SIZES, calls = CALLS, rounds = ROUNDS } = options;
  await registry.ready();
  for (const absence of registry.absent()) yield { type: 'absent', ...absence };
  const questions = questionsTo(registry);
  const timings = [
    ...algorithms.flatMap((name) => sizes.map((bytes) => throughputOf(name, bytes))),
    ...calls.map(durationOf),
  ];
  const total = questions.length + timings.length;
  const results = {
    answer: [] as AnswerResult[],
    speed: [] as SpeedResult[],
    call: [] as CallResult[],
  };
  let done = 0;
  for (const { engine, algorithm } of questions) {
    await pause(options.signal);
    const answer = answerOf(engine, algorithm, await registry.test(engine, algorithm));
    results.answer.push(answer);
    yield answer;
    yield { type: 'progress', done: ++done, total };
  }
  for (const timing of timings) {
    const engines = enginesRightAbout(timing.algorithm, results.answer);
    for await (const event of timeOne({ ...options, ...timing, rounds, engines })) {
      (results[event.type] as (typeof event)[]).push(event);
      yield event;
    }
    yield { type: 'progress', done: ++done, total };
  }
  const { answer: answers, speed: speeds, call: times } = results;
  yield { type: 'result', result: { answers, speeds, calls: times, rounds } };
}

/** What is timed in each engine, and how its time is reported. */
interface Timing {
  readonly algorithm: AlgorithmName;
  readonly prepare: (engine: Algorithms) => Promise<Task | undefined>;
  /** For the report of an engine that disagrees: "at 64 bytes". */
  readonly where: string;
  readonly report: (timed: Timed) => SpeedResult | CallResult;
}

/** One engine's time: the median of the rounds, in seconds per call. */
interface Timed {
  readonly engine: EngineName;
  readonly constantTime: ConstantTime;
  readonly seconds: number;
}

function throughputOf(algorithm: TimedAlgorithm, bytes: number): Timing {
  return {
    algorithm,
    prepare: (engine) => prepareTask(algorithm, engine, bytes),
    where: `at ${bytes} bytes`,
    report: ({ engine, constantTime, seconds }) => {
      const bytesPerSecond = bytes / seconds;
      return { type: 'speed', engine, algorithm, constantTime, bytes, bytesPerSecond };
    },
  };
}

function durationOf({ algorithm, prepare, ...call }: FixedCall): Timing {
  return {
    algorithm,
    prepare,
    where: `in a call (${call.operation} ${call.name})`,
    report: ({ engine, seconds }) => ({ type: 'call', engine, ...call, seconds }),
  };
}

/** Every algorithm of every available engine. */
function questionsTo(registry: Registry): Pick<AnswerResult, 'engine' | 'algorithm'>[] {
  return registry.available().flatMap((engine) => {
    const names = Object.keys(registry.algorithmsOf(engine)) as AlgorithmName[];
    return names.map((algorithm) => ({ engine, algorithm }));
  });
}

function enginesRightAbout(
  algorithm: AlgorithmName,
  answers: readonly AnswerResult[],
): readonly EngineName[] {
  return answers
    .filter((answer) => answer.algorithm === algorithm && answer.passed)
    .map(({ engine }) => engine);
}

interface OneTiming extends SelfTestOptions, Timing {
  readonly rounds: number;
  readonly engines: readonly EngineName[];
}

/** One call in every engine: compares the engines' results, then times those that agree. */
async function* timeOne(
  options: OneTiming,
): AsyncGenerator<AnswerResult | SpeedResult | CallResult, void> {
  const { report, rounds, signal, now, minimumMs = MINIMUM_MS } = options;
  const contenders: Contender[] = [];
  for await (const one of compare(options)) {
    if ('type' in one) yield one;
    else contenders.push(one);
  }
  const surroundings = { pause: () => pause(signal), ...(now && { now }) };
  const timings = await measure(contenders, { rounds, minimumMs }, surroundings);
  for (const [i, { engine, constantTime }] of contenders.entries()) {
    yield report({ engine, constantTime, seconds: timings[i]!.median });
  }
}

/** The engines that agree with the first one. Reports the differences of the others. */
async function* compare(options: OneTiming): AsyncGenerator<AnswerResult | Contender, void> {
  const { registry, algorithm, prepare, where, signal, now = () => performance.now() } = options;
  let expected: { engine: EngineName; result: Uint8Array } | undefined;
  for (const engine of options.engines) {
    await pause(signal);
    const algorithms = registry.algorithmsOf(engine);
    const run = await prepare(algorithms);
    if (run === undefined) continue;
    const start = now();
    const result = await run();
    const first = (now() - start) / 1000;
    expected ??= { engine, result };
    if (equal(result, expected.result)) {
      yield { engine, constantTime: algorithms[algorithm]!.constantTime, run, first };
    } else {
      yield answerOf(engine, algorithm, `disagrees with ${expected.engine} ${where}`);
    }
  }
}

function answerOf(
  engine: EngineName,
  algorithm: AlgorithmName,
  reason: string | undefined,
): AnswerResult {
  const passed = reason === undefined;
  return { type: 'answer', engine, algorithm, passed, ...(!passed && { reason }) };
}

/** Lets the event loop process messages, including a cancellation, and stops if there was one. */
async function pause(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  signal?.throwIfAborted();
}
