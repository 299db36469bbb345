/** Runs the works: prepares each trial, lets the engines confirm one another, then takes times. */
import { equal } from '../src/crypto/bytes.ts';
import { isEngineError } from '../src/engine/contract.ts';
import { defaultRegistry, type DefaultRegistryOptions } from '../src/engine/default-engines.ts';
import { measure, type MeasureOptions } from '../src/engine/self-test/measure.ts';
import type { LoadWasm } from '../src/engine/wasm/loader.ts';
import type { WorkId } from './printed/table.ts';
import type { LabEvent, LabMode, LabOrder, Sample } from './result.ts';
import { LIPMAA_PLAN } from './runs/lipmaa.ts';
import { POMCOR_PLAN } from './runs/pomcor.ts';
import { STARK_PLAN } from './runs/stark.ts';
import { TARR_PLAN } from './runs/tarr.ts';
import type { Call, MakeTrial, Plan, Surroundings, Trial } from './runs/trial.ts';
import { YANG_PLAN } from './runs/yang.ts';

/** What each work measures. */
const PLANS: Readonly<Record<WorkId, Plan>> = {
  stark: STARK_PLAN,
  lipmaa: LIPMAA_PLAN,
  yang: YANG_PLAN,
  tarr: TARR_PLAN,
  pomcor: POMCOR_PLAN,
};

const DURATIONS: Readonly<Record<LabMode, MeasureOptions>> = {
  quick: { rounds: 5, minimumMs: 20, warmUpMs: 30 },
  // Tarr's least time of a point; Pomcor's is 200 ms for a loop.
  full: { rounds: 5, minimumMs: 100, warmUpMs: 200 },
};

/** What the Lab needs from its surroundings, and what tests replace. */
export interface LabOptions extends LabOrder {
  readonly loadWasm: LoadWasm;
  /** The engines on a graphics card, for the work about them. */
  readonly cards?: DefaultRegistryOptions['cards'];
  readonly trials?: readonly MakeTrial[];
  readonly durations?: MeasureOptions;
}

/**
 * Measures one work, and reports after each trial. The last event is the result.
 *
 * @throws Error where engines disagree: nothing is measured of answers that are not confirmed
 */
export async function* runLab(options: LabOptions): AsyncGenerator<LabEvent, void> {
  const { work, mode, loadWasm, cards } = options;
  const plan = PLANS[work];
  const { trials = plan.trials(mode), durations = DURATIONS[mode] } = options;
  const [time, start] = [Date.now(), performance.now()];
  const registry = defaultRegistry({ loadWasm, ...(plan.cards && cards && { cards }) });
  const total = trials.length;
  yield { type: 'progress', done: 0, total };
  await registry.ready();
  const samples: Sample[] = [];
  for (const [index, makeTrial] of trials.entries()) {
    samples.push(...(await measured(makeTrial, { registry, loadWasm }, durations)));
    yield { type: 'progress', done: index + 1, total };
  }
  const found = await plan.cards?.();
  const absent = registry
    .absent()
    .filter(({ engine }) => engine === 'wasm-simd' || (plan.cards && engine.startsWith('web')));
  registry.close();
  const ms = Math.round(performance.now() - start);
  const result = { work, mode, time, ms, samples, absent, ...(found && { cards: found }) };
  yield { type: 'finished', result };
}

async function measured(
  makeTrial: MakeTrial,
  surroundings: Surroundings,
  durations: MeasureOptions,
): Promise<Sample[]> {
  const trial = await makeTrial(surroundings);
  const confirmed = await confirm(trial);
  const timings = await measure(confirmed, durations);
  return confirmed.map(({ task, engine, amount, confirmedBy }, i) => {
    const { median, best, rounds } = timings[i]!;
    return { task, engine, size: trial.size, amount, seconds: median, best, rounds, confirmedBy };
  });
}

interface Confirmed extends Call {
  /** Seconds of the first run. */
  readonly first: number;
  readonly confirmedBy: readonly string[];
}

/** Runs each call once. All answers to one task have to be the same. */
async function confirm({ size, calls, witnesses = {} }: Trial): Promise<Confirmed[]> {
  const ran: { readonly call: Call; readonly first: number; readonly answer: Uint8Array }[] = [];
  for (const call of calls) {
    const start = performance.now();
    try {
      const result = (await call.run()) as never;
      const first = (performance.now() - start) / 1000;
      // A copy: some write all their answers into one array.
      const answer = await (call.answer ?? asBytes)(result);
      ran.push({ call, first, answer: answer.slice() });
    } catch (error) {
      // A card that was lost; the registry then says why it is absent.
      if (!isEngineError(error)) throw error;
    }
  }
  return ran.map(({ call, first, answer }) => {
    const witness = witnesses[call.task];
    const others = ran
      .filter((other) => other.call !== call && other.call.task === call.task)
      .map((other) => ({ name: other.call.engine, answer: other.answer }));
    const all = witness ? [...others, witness] : others;
    const wrong = all.find((other) => !equal(other.answer, answer));
    if (wrong) throw new Error(`${call.task}, ${size}: ${call.engine} and ${wrong.name} disagree`);
    return { ...call, first, confirmedBy: all.map(({ name }) => name) };
  });
}

const asBytes = (result: Uint8Array): Uint8Array => result;
