/**
 * The parameter sets of ML-DSA (FIPS 204, section 4, table 1). The module has them in memory and finds a set by k, which is
 * the argument of its functions: 4, 6 or 8 for ML-DSA-44, -65 and -87.
 */
import { i32 } from '../dsl/expression.ts';
import type { Expr, I32 } from '../dsl/expression.ts';
import type { ModuleText } from '../dsl/module.ts';
import { bytesOfWords, Q } from './ml-dsa-field.ts';
import { PARAMETERS } from './ml-dsa-layout.ts';

const SETS = [
  { l: 4, eta: 2, tau: 39, gamma1: 2 ** 17, gamma2: (Q - 1) / 88, omega: 80, challengeBytes: 32 },
  { l: 5, eta: 4, tau: 49, gamma1: 2 ** 19, gamma2: (Q - 1) / 32, omega: 55, challengeBytes: 48 },
  { l: 7, eta: 2, tau: 60, gamma1: 2 ** 19, gamma2: (Q - 1) / 32, omega: 75, challengeBytes: 64 },
] as const;
type Parameter = keyof (typeof SETS)[0];
const NAMES = Object.keys(SETS[0]) as readonly Parameter[];
/** Of k = 4, the first set. */
const FIRST_ROW = 16 * 4;
const ROW_WORDS = 8;

/** Writes the sets to memory. */
export function parameterData(module: ModuleText): void {
  const words = SETS.flatMap((set) => {
    const row = NAMES.map((name) => set[name]);
    return [...row, ...Array.from({ length: ROW_WORDS - row.length }, () => 0)];
  });
  module.data(PARAMETERS, bytesOfWords(words));
}

/** A parameter of the set of `k`. */
export function parameter(k: I32, name: Parameter): Expr<'i32'> {
  return i32.load(i32.shl(k, 4), PARAMETERS - FIRST_ROW + 4 * NAMES.indexOf(name));
}

/** β = τ · η */
export function beta(k: I32): Expr<'i32'> {
  return i32.mul(parameter(k, 'tau'), parameter(k, 'eta'));
}

/** Not ML-DSA-44: γ₁ is 2^19 and not 2^17, γ₂ is (q − 1) / 32 and not (q − 1) / 88. */
export function isWide(k: I32): Expr<'i32'> {
  return i32.ne(k, 4);
}
