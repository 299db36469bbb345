import { checkInteger, withoutLeadingZeros } from './arguments.ts';
import { toBigint, toBytes, type Integer } from './integers.ts';
import type { OddPower } from './odd-power.ts';
import { oddPower } from './odd-power.ts';

/**
 * base^exponent modulo modulus; 0^0 is 1.
 *
 * With bytes and an odd modulus (as in every cryptosystem) the time depends on the three lengths only. This
 * does not hold for the conversions of bigints, nor for even moduli.
 *
 * @param base any integer ≥ 0, also above the modulus; bytes are big-endian, of any length
 * @param exponent any integer ≥ 0, of the same kind
 * @param modulus any integer ≥ 1, of the same kind
 * @returns 0 … modulus - 1, of the same kind; bytes as many as `modulus` has
 * @throws TypeError if the three are not all bigint or all Uint8Array
 * @throws RangeError if one is negative or the modulus is 0
 */
export interface ModExp {
  (base: bigint, exponent: bigint, modulus: bigint): bigint;
  (base: Uint8Array, exponent: Uint8Array, modulus: Uint8Array): Uint8Array<ArrayBuffer>;
}

/** @param power the engine for odd moduli */
export function createModExp(power: OddPower): ModExp {
  function modExp(base: bigint, exponent: bigint, modulus: bigint): bigint;
  function modExp(
    base: Uint8Array,
    exponent: Uint8Array,
    modulus: Uint8Array,
  ): Uint8Array<ArrayBuffer>;
  function modExp(base: Integer, exponent: Integer, modulus: Integer): Integer {
    checkInteger('base', base);
    checkInteger('exponent', exponent);
    checkInteger('modulus', modulus);
    const kinds = [base, exponent, modulus];
    if (kinds.every((value) => typeof value === 'bigint')) {
      const [b, e, m] = kinds.map((value) => toBytes(value));
      return toBigint(modularPower(power, b, e, m));
    }
    if (kinds.every((value) => typeof value !== 'bigint')) {
      return ofBytes(power, ...(kinds as [Uint8Array, Uint8Array, Uint8Array]));
    }
    throw new TypeError('base, exponent and modulus must be of one kind, bigint or Uint8Array');
  }
  return modExp;
}

/** Uses the portable arithmetic; see `ModExp`. */
export const modExp: ModExp = createModExp(oddPower);

function ofBytes(
  power: OddPower,
  base: Uint8Array,
  exponent: Uint8Array,
  modulus: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const residue = modularPower(power, base, exponent, withoutLeadingZeros(modulus));
  const result = new Uint8Array(modulus.length);
  result.set(residue, modulus.length - residue.length);
  return result;
}

/** @param modulus without leading zeros @returns as many bytes */
function modularPower(
  power: OddPower,
  base: Uint8Array,
  exponent: Uint8Array,
  modulus: Uint8Array,
): Uint8Array {
  if (modulus.length === 0) throw new RangeError('modulus must not be 0');
  const last = modulus[modulus.length - 1];
  if (last % 2 === 1 && (modulus.length > 1 || last > 1)) return power(base, exponent, modulus);
  const [b, e, m] = [base, exponent, modulus].map(toBigint);
  return toBytes(plainPower(b, e, m), modulus.length);
}

/**
 * Square and multiply, for the moduli that Montgomery's arithmetic does not support: even ones and 1. No
 * cryptosystem has a secret exponent with such a modulus.
 */
function plainPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}
