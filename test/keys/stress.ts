import type { Vault } from '../../src/keys/vault/vault.ts';
import { Faults, FAULTS } from '../support/stores/faults.ts';
import type { Fault } from '../support/stores/faults.ts';
import { passphraseOf, SCENARIOS, seen, suffer } from './scenarios.ts';
import type { Scenario } from './scenarios.ts';
import { EXPECTED, filledWorld, notes, PASSPHRASE } from './world.ts';
import type { TestBrowser } from './world.ts';
import { codeOf } from '../support/outcomes.ts';

/*
 * Stress tests of the vault: deaths, corruptions and full stores by the thousand, over
 * stores in memory, in Node. Every choice comes from one seed.
 */

export interface StressSizes {
  /** Deaths at each operation of each scenario. */
  readonly deathsAtEach: number;
  readonly randomDeaths: number;
  readonly corruptions: number;
  readonly quotaTrials: number;
  /** Forged values in one store (forgeries.ts). */
  readonly forgeries: number;
}

/** What the issue asks for. */
export const FULL: StressSizes = {
  deathsAtEach: 50,
  randomDeaths: 2_000,
  corruptions: 10_000,
  quotaTrials: 200,
  forgeries: 10_000,
};

export interface StressResult {
  readonly trials: number;
  /** One line for each thing that must never happen. */
  readonly failures: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

/** Numbers 0 … n-1 from a seed: mulberry32, good enough to choose where to strike. */
export function chooser(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

const DEATHS: readonly Fault[] = FAULTS.filter((fault) => fault.startsWith('die'));

/**
 * The worker dies at every operation of every scenario, so many times each.
 *
 * @param every 2: at every second operation, from `first` on
 */
export async function deathsAtEachStep(
  deathsAtEach: number,
  { every = 1, first = 1 } = {},
): Promise<StressResult> {
  const tally = new Tally();
  for (const scenario of SCENARIOS) {
    const stage = await staged(scenario);
    for (let round = 0; round < deathsAtEach; round++) {
      const fault = DEATHS[round % DEATHS.length]!;
      for (let at = first; at <= stage.operations; at += every) {
        await strike(stage, fault, at, tally);
      }
    }
  }
  return tally.result();
}

/** The worker dies at a random operation of a random scenario. */
export async function randomDeaths(trials: number, choose: (n: number) => number) {
  const tally = new Tally();
  const stages = await Promise.all(SCENARIOS.map(staged));
  for (let trial = 0; trial < trials; trial++) {
    const stage = stages[choose(stages.length)]!;
    const fault = DEATHS[choose(DEATHS.length)]!;
    await strike(stage, fault, 1 + choose(stage.operations), tally);
  }
  return tally.result();
}

/** One store is full from a random operation on. */
export async function quota(
  trials: number,
  store: 'primary' | 'copy',
  choose: (n: number) => number,
) {
  const tally = new Tally();
  const writing = SCENARIOS.filter(({ name }) => name !== 'unlock');
  const stages = await Promise.all(writing.map(staged));
  while (tally.trials < trials) {
    const stage = stages[choose(stages.length)]!;
    const at = 1 + choose(stage.operations);
    const faults = new Faults('quota', at, store);
    const { world, outcome } = await suffer(stage.scenario, stage.origin, faults);
    if (outcome === 'saved') continue; // nothing was written to that store after this moment
    const title = `${stage.scenario.name}, ${store} full from operation ${at}`;
    const code = (outcome as { code?: string }).code ?? String(outcome);
    tally.count(code);
    tally.hold(code === 'QUOTA', `${title}: ${code}`);
    tally.hold(
      (await seen(stage.scenario, world)) === stage.old,
      `${title}: the old state is gone`,
    );
    tally.trials++;
  }
  return tally.result();
}

/** What a scenario begins with, and what it leads to without a fault. */
export interface Stage {
  readonly scenario: Scenario;
  readonly origin: TestBrowser;
  readonly old: string;
  readonly fresh: string;
  readonly operations: number;
}

export async function staged(scenario: Scenario): Promise<Stage> {
  const origin = await scenario.prepare();
  const faults = new Faults();
  const calm = await suffer(scenario, origin, faults);
  if (calm.outcome !== 'saved') {
    throw new Error(`${scenario.name} without a fault`, { cause: calm.outcome });
  }
  const [old, fresh] = [await seen(scenario, origin), await seen(scenario, calm.world)];
  return { scenario, origin, old, fresh, operations: faults.operations };
}

async function strike(stage: Stage, fault: Fault, at: number, tally: Tally): Promise<void> {
  const { scenario, origin, old, fresh } = stage;
  const { world, outcome } = await suffer(scenario, origin, new Faults(fault, at));
  const title = `${scenario.name}, ${fault} at operation ${at}`;
  const now = await seen(scenario, world).catch((error: unknown) => `lost: ${String(error)}`);
  tally.trials++;
  tally.count(now === old ? 'old state' : now === fresh ? 'new state' : 'neither');
  tally.hold(now === old || now === fresh, `${title}: half applied or lost: ${now}`);
  if (outcome === 'saved') tally.hold(now === fresh, `${title}: saved, and gone`);
}

type Damage = 'flip' | 'truncate' | 'delete' | 'swap' | 'empty store' | 'both copies';
const DAMAGES: readonly Damage[] = [
  'flip',
  'truncate',
  'delete',
  'swap',
  'empty store',
  'both copies',
];

/**
 * Damage in one store must be noticed and mended; damage to both copies of a value must be noticed,
 * and no new vault may be made over it.
 */
export async function corruptions(trials: number, choose: (n: number) => number) {
  const tally = new Tally();
  const { world: whole, vault } = await filledWorld();
  await whole.keyRing(vault).sealingMaterial('app', 'https://example.org');
  await whole.slotKeeper(vault).addRecoveryCode({ passphrase: PASSPHRASE });
  for (let trial = 0; trial < trials; trial++) {
    const damage = DAMAGES[choose(DAMAGES.length)]!;
    const world = whole.clone();
    const title = `trial ${trial}: ${damage} of ${spoil(world, damage, choose)}`;
    tally.trials++;
    tally.count(damage);
    const opened = world.vault();
    const code = await codeOf(openAndLook(opened, world));
    if (damage === 'both copies') {
      // Another copy of what it said may stand elsewhere (a head, the vault marker, an old value).
      tally.count(`both copies: ${code === 'ok' ? 'recovered' : code}`);
      const isNoticed = code !== 'ok' || opened.repairs.length > 0;
      tally.hold(isNoticed, `${title}: not noticed`);
    } else {
      tally.hold(code === 'ok', `${title}: ${code}`);
      tally.hold(opened.repairs.length > 0, `${title}: not noticed`);
    }
    const making = await codeOf(world.vault().create('over the lost one'));
    tally.hold(
      making === 'EXISTS' || making === 'LOST',
      `${title}: a new vault was made: ${making}`,
    );
  }
  return tally.result();
}

async function openAndLook(vault: Vault, world: TestBrowser): Promise<void> {
  await vault.unlock(await passphraseOf(world));
  const now = JSON.stringify(await notes(vault));
  if (now !== JSON.stringify(EXPECTED)) throw new Error(`holds ${now}`);
  if ((await vault.list('key-use')).length !== 1) throw new Error('a key is gone');
}

/** @returns what was damaged */
function spoil(world: TestBrowser, damage: Damage, choose: (n: number) => number): string {
  const store = choose(2) === 0 ? world.primary : world.copy;
  const names = [...store.values.keys()];
  const name = names[choose(names.length)]!;
  const stores = damage === 'both copies' ? [world.primary, world.copy] : [store];
  if (damage === 'empty store') {
    store.values.clear();
    return store.name;
  }
  if (damage === 'swap') {
    const other = names[(names.indexOf(name) + 1 + choose(names.length - 1)) % names.length]!;
    const [a, b] = [store.values.get(name)!, store.values.get(other)!];
    store.values.set(name, b);
    store.values.set(other, a);
    return `${name} and ${other} in ${store.name}`;
  }
  for (const each of stores) damageValue(each.values, name, damage, choose);
  return `${name} in ${stores.map((each) => each.name).join(' and ')}`;
}

function damageValue(
  values: Map<string, Uint8Array>,
  name: string,
  damage: Damage,
  choose: (n: number) => number,
): void {
  const bytes = values.get(name)!.slice();
  if (damage === 'delete') values.delete(name);
  else if (damage === 'truncate') values.set(name, bytes.subarray(0, choose(bytes.length)));
  else {
    bytes[choose(bytes.length)]! ^= 1 << choose(8);
    values.set(name, bytes);
  }
}

/** Counts trials, and what must never happen. */
export class Tally {
  trials = 0;
  readonly #failures: string[] = [];
  readonly #counts: Record<string, number> = {};

  count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }

  hold(isTrue: boolean, otherwise: string): void {
    if (!isTrue) this.#failures.push(otherwise);
  }

  result(): StressResult {
    return { trials: this.trials, failures: this.#failures, counts: this.#counts };
  }
}
