/** Engines against each other: the same random case for each, and the same answer from each. */
import type {
  AlgorithmName,
  Algorithms,
  Cipher,
  DigestAlgorithm,
  Engine,
  Kdf,
  MacAlgorithm,
  PowerAlgorithm,
} from '../../src/engine/contract.ts';
import { cipherStorm } from './ciphers.ts';
import { Dice } from './dice.ts';
import { Disagreement } from './disagreement.ts';
import { digestStorm, kdfStorm, macStorm, powerStorm } from './others.ts';

/**
 * Carries one case out on all engines.
 *
 * @returns the indices of those that took it; others lack this size
 * @throws Disagreement
 */
export type Storm = (dice: Dice) => number[] | Promise<number[]>;

export interface Contender {
  /** "js", "wasm-simd relaxed" */
  readonly name: string;
  readonly algorithms: Algorithms;
}

/** @throws Error if the engine is not there: then nothing was compared */
export async function contender(name: string, engine: Engine): Promise<Contender> {
  const probe = await engine.probe();
  if (!probe.available) throw new Error(`${name}: ${probe.reason}`);
  return { name, algorithms: probe.algorithms };
}

export interface StormRow {
  readonly algorithm: AlgorithmName;
  readonly seed: string;
  readonly cases: number;
  /** How many of the cases each engine took. */
  readonly engines: Readonly<Record<string, number>>;
  /** What differed, with all that is needed to see it again; the first few. */
  readonly differences: readonly string[];
}

/** Algorithms that two and more contenders have; platform algorithms stay in the platform. */
export function sharedAlgorithms(contenders: readonly Contender[]): AlgorithmName[] {
  const names = contenders.flatMap(({ algorithms }) => Object.keys(algorithms) as AlgorithmName[]);
  return [...new Set(names)].filter((name) => havingOf(name, contenders).length > 1);
}

function havingOf(name: AlgorithmName, contenders: readonly Contender[]): Contender[] {
  return contenders.filter(({ algorithms }) => algorithms[name] !== undefined);
}

const MOST_DIFFERENCES = 10;

export interface StormLimits {
  readonly cases: number;
  /** Then the storm ends with fewer cases: Argon2id's take a hundred times as long as others. */
  readonly seconds: number;
}

/** @param seed with the algorithm's name, it determines every case */
export async function storm(
  algorithm: AlgorithmName,
  contenders: readonly Contender[],
  seed: string,
  limits: StormLimits,
): Promise<StormRow> {
  const having = havingOf(algorithm, contenders);
  const run = stormOf(algorithm, having);
  const taken = having.map(() => 0);
  const differences: string[] = [];
  const end = performance.now() + 1000 * limits.seconds;
  let cases = 0;
  while (cases < limits.cases && differences.length < MOST_DIFFERENCES && performance.now() < end) {
    const i = cases++;
    // A case of its own seed is found again without those before it, but for keys in use.
    const dice = new Dice(`${seed} ${algorithm} ${i}`);
    try {
      for (const engine of await run(dice)) taken[engine]!++;
    } catch (error) {
      if (!(error instanceof Disagreement)) {
        throw new Error(`${algorithm}, case ${i}`, { cause: error });
      }
      differences.push(`case ${i}: ${having[error.engine]!.name} ${error.message}`);
    }
  }
  const engines = Object.fromEntries(having.map(({ name }, i) => [name, taken[i]!]));
  return { algorithm, seed, cases, engines, differences };
}

function stormOf(name: AlgorithmName, contenders: readonly Contender[]): Storm {
  const all = contenders.map(({ algorithms }) => algorithms[name]!);
  const [first] = all;
  if (first === undefined) throw new RangeError(`nobody has ${name}`);
  if ('power' in first) return powerStorm(all as PowerAlgorithm[]);
  if ('derive' in first) return kdfStorm(name as 'HKDF', all as Kdf<never>[] as never);
  if ('digest' in first) return digestStorm(all as DigestAlgorithm[]);
  if ('subtle' in first) throw new RangeError(`${name} is the platform's alone`);
  return isMac(name)
    ? macStorm(name, all as MacAlgorithm[])
    : cipherStorm(name as 'AES-GCM', all as Cipher<never>[] as never);
}

function isMac(name: AlgorithmName): name is 'HMAC' | 'AES-CMAC' | 'AES-CBC-MAC' {
  return name === 'HMAC' || name === 'AES-CMAC' || name === 'AES-CBC-MAC';
}
