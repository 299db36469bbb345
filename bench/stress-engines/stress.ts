/** Compares engines: each gets the same random case and must give the same result. */
import type {
  AgreementAlgorithm,
  AlgorithmName,
  Algorithms,
  Cipher,
  DigestAlgorithm,
  Engine,
  Kdf,
  KemAlgorithm,
  KmacAlgorithm,
  KmacName,
  MacAlgorithm,
  PowerAlgorithm,
  SignatureAlgorithm,
  XofAlgorithm,
  XofName,
} from '../../src/engine/contract.ts';
import type { KemName, SignatureName } from '../../src/crypto/post-quantum.ts';
import { cipherCases } from './ciphers.ts';
import { Dice } from './dice.ts';
import { Disagreement } from './disagreement.ts';
import {
  agreementCases,
  digestCases,
  kdfCases,
  kemCases,
  kmacCases,
  macCases,
  powerCases,
  signatureCases,
  xofCases,
} from './others.ts';

/**
 * Carries one case out on all engines.
 *
 * @returns the indices of those that took it; others lack this size
 * @throws Disagreement
 */
export type RunCase = (dice: Dice) => number[] | Promise<number[]>;

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

export interface StressRow {
  readonly algorithm: AlgorithmName;
  readonly seed: string;
  readonly cases: number;
  /** How many of the cases each engine took. */
  readonly engines: Readonly<Record<string, number>>;
  /** The first differences, with all that is needed to reproduce them. */
  readonly differences: readonly string[];
}

/** Algorithms that two or more contenders have. */
export function sharedAlgorithms(contenders: readonly Contender[]): AlgorithmName[] {
  const names = contenders.flatMap(({ algorithms }) => Object.keys(algorithms) as AlgorithmName[]);
  return [...new Set(names)].filter((name) => havingOf(name, contenders).length > 1);
}

function havingOf(name: AlgorithmName, contenders: readonly Contender[]): Contender[] {
  return contenders.filter(({ algorithms }) => algorithms[name] !== undefined);
}

const MOST_DIFFERENCES = 10;

export interface StressLimits {
  readonly cases: number;
  /** The time limit, which ends the run with fewer cases: Argon2id takes a hundred times as long as others. */
  readonly seconds: number;
}

/** @param seed with the algorithm's name, it determines every case */
export async function compareEngines(
  algorithm: AlgorithmName,
  contenders: readonly Contender[],
  seed: string,
  limits: StressLimits,
): Promise<StressRow> {
  const having = havingOf(algorithm, contenders);
  const run = casesOf(algorithm, having);
  const taken = having.map(() => 0);
  const differences: string[] = [];
  const end = performance.now() + 1000 * limits.seconds;
  let cases = 0;
  while (cases < limits.cases && differences.length < MOST_DIFFERENCES && performance.now() < end) {
    const i = cases++;
    // Each case has its own seed, so it can be repeated without the cases before it, except for keys in use.
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

function casesOf(name: AlgorithmName, contenders: readonly Contender[]): RunCase {
  const all = contenders.map(({ algorithms }) => algorithms[name]!);
  const [first] = all;
  if (first === undefined) throw new RangeError(`no engine has ${name}`);
  if ('agree' in first) return agreementCases(all as AgreementAlgorithm[]);
  if ('encapsulate' in first) return kemCases(name as KemName, all as KemAlgorithm[]);
  if ('verify' in first && 'keyPair' in first) {
    return signatureCases(name as SignatureName, all as SignatureAlgorithm[]);
  }
  if ('power' in first) return powerCases(all as PowerAlgorithm[]);
  if ('derive' in first) return kdfCases(name as 'HKDF', all as Kdf<never>[] as never);
  if (isXof(name)) return xofCases(all as XofAlgorithm<never>[]);
  if (isKmac(name)) return kmacCases(all as KmacAlgorithm[]);
  if ('digest' in first) return digestCases(all as DigestAlgorithm[]);
  if ('subtle' in first) throw new RangeError(`${name} is the platform's alone`);
  return isMac(name)
    ? macCases(name, all as MacAlgorithm[])
    : cipherCases(name as 'AES-GCM', all as Cipher<never>[] as never);
}

function isMac(name: AlgorithmName): name is 'HMAC' | 'AES-CMAC' | 'AES-CBC-MAC' {
  return name === 'HMAC' || name === 'AES-CMAC' || name === 'AES-CBC-MAC';
}

function isXof(name: AlgorithmName): name is XofName {
  return /^(?:cSHAKE|TurboSHAKE|KT)/.test(name);
}

function isKmac(name: AlgorithmName): name is KmacName {
  return name.startsWith('KMAC');
}
