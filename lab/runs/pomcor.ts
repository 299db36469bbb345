import { POWER_SIZES, powerTask, type PowerSize } from '../tasks.ts';
import { operationTrials } from './operations.ts';
import { PRODUCT_TRIALS } from './products.ts';
import { callsOf, OURS, pattern, type MakeTrial, type Plan } from './trial.ts';

/** Strengths that `quick` leaves out take seconds. */
const QUICK_STRENGTH = 128;

const power =
  (size: PowerSize): MakeTrial =>
  async (surroundings) => {
    const { base, exponent, modulus } = powerNumbers(size, pattern);
    const calls = await callsOf(
      surroundings,
      OURS,
      { task: powerTask(size), amount: 1 },
      ({ DH: dh }) => dh && { run: () => dh.power(base, exponent, modulus) },
    );
    return { size: size.modulus, calls };
  };

/** The numbers of one exponentiation, big-endian. */
export interface PowerNumbers {
  readonly base: Uint8Array;
  readonly exponent: Uint8Array;
  readonly modulus: Uint8Array;
}

/**
 * Numbers of just those lengths; an odd modulus is all that Montgomery's arithmetic needs.
 *
 * @param pattern gives bytes, which are copied
 */
export function powerNumbers(
  { modulus: modulusBits, exponent: exponentBits }: PowerSize,
  pattern: (lengthBytes: number, seed: number) => Uint8Array,
): PowerNumbers {
  const modulus = pattern(modulusBits / 8, 11).slice();
  modulus[0]! |= 0x80;
  modulus[modulus.length - 1]! |= 1;
  const exponent = pattern(exponentBits / 8, 13).slice();
  exponent[0]! |= 0x80;
  const base = pattern(modulusBits / 8, 17).slice();
  base[0]! &= 0x7f;
  return { base, exponent, modulus };
}

/** The work of 2015: modular exponentiation. */
export const POMCOR_PLAN: Plan = {
  trials: (mode) => [
    ...POWER_SIZES.filter(({ strength }) => mode === 'full' || strength <= QUICK_STRENGTH).map(
      power,
    ),
    ...operationTrials(mode, QUICK_STRENGTH),
    ...PRODUCT_TRIALS,
  ],
};
