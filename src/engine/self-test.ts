/**
 * The self-test: are the engines right, and how fast are they on this machine? It runs wherever the
 * engines do; the popup runs it in a worker, the bench in Node.
 */
import { equal } from '../crypto/bytes.ts';
import type { AlgorithmName, ConstantTime, EngineName } from './contract.ts';
import type { Registry } from './registry.ts';
import { prepareTask, TIMED } from './self-test-tasks.ts';
import type { TimedAlgorithm } from './self-test-tasks.ts';
import { Stopwatch } from './throughput.ts';

export interface SelfTestOptions {
  readonly registry: Registry;
  /** To be timed; all if absent. Known answers are asked of every algorithm in any case. */
  readonly algorithms?: readonly TimedAlgorithm[];
  /** Message sizes in bytes, multiples of 16. */
  readonly sizes?: readonly number[];
  readonly rounds?: number;
  /** One timing takes at least so long. */
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

/** The median of the rounds. */
export interface SpeedResult {
  readonly type: 'speed';
  readonly engine: EngineName;
  readonly algorithm: AlgorithmName;
  /** What the implementation says about its timing. */
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

export type SelfTestEvent =
  | AnswerResult
  | SpeedResult
  | { readonly type: 'progress'; readonly done: number; readonly total: number }
  | { readonly type: 'result'; readonly result: SelfTestResult };

const SIZES = [16, 1024, 65_536, 1_048_576];
const ROUNDS = 5;
const MINIMUM_MS = 5;

/** An engine at one algorithm and size. */
interface Contender {
  readonly engine: EngineName;
  readonly constantTime: ConstantTime;
  readonly stopwatch: Stopwatch;
}

/**
 * Known answers of each engine first, then throughput of those that gave them; the last event is
 * the result.
 *
 * @throws what `signal` was aborted with, at the next step after that
 */
export async function* selfTest(options: SelfTestOptions): AsyncGenerator<SelfTestEvent, void> {
  const { registry, algorithms = TIMED, sizes = SIZES, rounds = ROUNDS } = options;
  await registry.probe();
  const pairs = registry.available().flatMap((engine) => {
    const names = Object.keys(registry.algorithmsOf(engine)) as AlgorithmName[];
    return names.map((algorithm) => ({ engine, algorithm }));
  });
  const total = pairs.length + algorithms.length * sizes.length;
  const answers: AnswerResult[] = [];
  const speeds: SpeedResult[] = [];
  let done = 0;
  for (const { engine, algorithm } of pairs) {
    await pause(options.signal);
    const answer = answerOf(engine, algorithm, await registry.test(engine, algorithm));
    answers.push(answer);
    yield answer;
    yield { type: 'progress', done: ++done, total };
  }
  for (const algorithm of algorithms) {
    const engines = answers
      .filter((answer) => answer.algorithm === algorithm && answer.passed)
      .map(({ engine }) => engine);
    for (const bytes of sizes) {
      for await (const event of measure({ ...options, rounds, algorithm, engines, bytes })) {
        if (event.type === 'answer') answers.push(event);
        else speeds.push(event);
        yield event;
      }
      yield { type: 'progress', done: ++done, total };
    }
  }
  yield { type: 'result', result: { answers, speeds, rounds } };
}

interface Measurement extends SelfTestOptions {
  readonly rounds: number;
  readonly algorithm: TimedAlgorithm;
  readonly engines: readonly EngineName[];
  readonly bytes: number;
}

/** One algorithm at one size: compares the engines' results, then times those that agree. */
async function* measure(options: Measurement): AsyncGenerator<AnswerResult | SpeedResult, void> {
  const { algorithm, bytes, rounds, signal, now = () => performance.now() } = options;
  const contenders: Contender[] = [];
  let expected: { engine: EngineName; result: Uint8Array } | undefined;
  for (const engine of options.engines) {
    await pause(signal);
    const algorithms = options.registry.algorithmsOf(engine);
    const task = await prepareTask(algorithm, algorithms, bytes);
    if (task === undefined) continue;
    const { constantTime } = algorithms[algorithm]!;
    const result = await task();
    expected ??= { engine, result };
    if (!equal(result, expected.result)) {
      const fault = `disagrees with ${expected.engine} at ${bytes} bytes`;
      yield answerOf(engine, algorithm, fault);
      continue;
    }
    const clock = { now, minimumMs: options.minimumMs ?? MINIMUM_MS };
    const stopwatch = new Stopwatch(task, clock);
    await stopwatch.warmUp();
    contenders.push({ engine, constantTime, stopwatch });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { stopwatch } of contenders) {
      await pause(signal);
      await stopwatch.round();
    }
  }
  for (const { engine, constantTime, stopwatch } of contenders) {
    const bytesPerSecond = (1000 * bytes) / stopwatch.msPerCall();
    yield { type: 'speed', engine, algorithm, constantTime, bytes, bytesPerSecond };
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

/** Lets messages in, a cancellation among them, and stops if there was one. */
async function pause(signal: AbortSignal | undefined): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  signal?.throwIfAborted();
}
