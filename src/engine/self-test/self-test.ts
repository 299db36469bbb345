/**
 * The self-test: checks the results of all engines, and measures their speed on this machine. The
 * popup runs it in a worker, the benchmarks in Node.
 */
import { equal } from '../../crypto/bytes.ts';
import type { AlgorithmName, ConstantTime, EngineName } from '../contract.ts';
import { measure } from './measure.ts';
import type { Candidate } from './measure.ts';
import type { Registry } from '../registry.ts';
import { prepareTask, TIMED } from './tasks.ts';
import type { TimedAlgorithm } from './tasks.ts';

/** Options of the self-test. */
export interface SelfTestOptions {
  readonly registry: Registry;
  /** The algorithms to time; default: all. Known answers are run for every algorithm. */
  readonly algorithms?: readonly TimedAlgorithm[];
  /** Message sizes in bytes, multiples of 16. */
  readonly sizes?: readonly number[];
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

/** Plain JSON. */
export interface SelfTestResult {
  readonly answers: readonly AnswerResult[];
  readonly speeds: readonly SpeedResult[];
  readonly rounds: number;
}

/** The progress reports of the self-test. */
export type SelfTestEvent =
  | AbsentEngine
  | AnswerResult
  | SpeedResult
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
 * those that passed. The last event is the result.
 *
 * @throws the reason of `signal`, at the first step after the abort
 */
export async function* selfTest(options: SelfTestOptions): AsyncGenerator<SelfTestEvent, void> {
  const { registry, algorithms = TIMED, sizes = SIZES, rounds = ROUNDS } = options;
  await registry.ready();
  for (const absence of registry.absent()) yield { type: 'absent', ...absence };
  const questions = questionsTo(registry);
  const total = questions.length + algorithms.length * sizes.length;
  const answers: AnswerResult[] = [];
  const speeds: SpeedResult[] = [];
  let done = 0;
  for (const { engine, algorithm } of questions) {
    await pause(options.signal);
    const answer = answerOf(engine, algorithm, await registry.test(engine, algorithm));
    answers.push(answer);
    yield answer;
    yield { type: 'progress', done: ++done, total };
  }
  for (const algorithm of algorithms) {
    const engines = enginesRightAbout(algorithm, answers);
    for (const bytes of sizes) {
      for await (const event of timeOne({ ...options, rounds, algorithm, engines, bytes })) {
        if (event.type === 'answer') answers.push(event);
        else speeds.push(event);
        yield event;
      }
      yield { type: 'progress', done: ++done, total };
    }
  }
  yield { type: 'result', result: { answers, speeds, rounds } };
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

interface OneTiming extends SelfTestOptions {
  readonly rounds: number;
  readonly algorithm: TimedAlgorithm;
  readonly engines: readonly EngineName[];
  readonly bytes: number;
}

/** One algorithm at one size: compares the engines' results, then times those that agree. */
async function* timeOne(options: OneTiming): AsyncGenerator<AnswerResult | SpeedResult, void> {
  const { algorithm, bytes, rounds, signal, now, minimumMs = MINIMUM_MS } = options;
  const contenders: Contender[] = [];
  for await (const one of compare(options)) {
    if ('type' in one) yield one;
    else contenders.push(one);
  }
  const surroundings = { pause: () => pause(signal), ...(now && { now }) };
  const timings = await measure(contenders, { rounds, minimumMs }, surroundings);
  for (const [i, { engine, constantTime }] of contenders.entries()) {
    const bytesPerSecond = bytes / timings[i]!.median;
    yield { type: 'speed', engine, algorithm, constantTime, bytes, bytesPerSecond };
  }
}

/** The engines that agree with the first one. Reports the differences of the others. */
async function* compare(options: OneTiming): AsyncGenerator<AnswerResult | Contender, void> {
  const { registry, algorithm, bytes, signal, now = () => performance.now() } = options;
  let expected: { engine: EngineName; result: Uint8Array } | undefined;
  for (const engine of options.engines) {
    await pause(signal);
    const algorithms = registry.algorithmsOf(engine);
    const run = await prepareTask(algorithm, algorithms, bytes);
    if (run === undefined) continue;
    const start = now();
    const result = await run();
    const first = (now() - start) / 1000;
    expected ??= { engine, result };
    if (equal(result, expected.result)) {
      yield { engine, constantTime: algorithms[algorithm]!.constantTime, run, first };
    } else {
      yield answerOf(engine, algorithm, `disagrees with ${expected.engine} at ${bytes} bytes`);
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
