import { wipe } from '../bytes.ts';
import type { Residue } from './montgomery.ts';
import { Montgomery } from './montgomery.ts';
import { windowsOf, windowWidth } from './windows.ts';

/**
 * base^exponent modulo an odd modulus. The only operation that the classical algorithms need of an engine.
 * Its time depends on the three lengths only.
 *
 * @param base big-endian, any length and value
 * @param exponent big-endian; leading zeros count into its length
 * @param modulus big-endian, odd, at least 3, without leading zeros
 * @returns as many bytes as the modulus has
 */
export type OddPower = (
  base: Uint8Array,
  exponent: Uint8Array,
  modulus: Uint8Array,
) => Uint8Array<ArrayBuffer>;

/** The portable implementation; see `OddPower`. */
export const oddPower: OddPower = (base, exponent, modulus) => {
  const ring = new Montgomery(modulus);
  const x = ring.fromInteger(base);
  raise(ring, x, exponent);
  const result = ring.toInteger(x);
  wipe(x);
  ring.wipe();
  return result;
};

/** x = x^exponent by windows of equal width. Each window reads the whole table (`pick`). */
export function raise(ring: Montgomery, x: Residue, exponent: Uint8Array): void {
  const width = windowWidth(8 * exponent.length);
  const digits = windowsOf(exponent, width);
  const table = powersOf(ring, x, 2 ** width);
  const factor = ring.newResidue();
  x.set(ring.one);
  for (let i = digits.length - 1; i >= 0; i--) {
    if (i < digits.length - 1) for (let bit = 0; bit < width; bit++) ring.square(x, x);
    pick(table, digits[i], factor);
    ring.multiply(x, factor, x);
  }
  wipe(digits, factor, ...table);
}

/** @returns x^0, x^1, … x^(count - 1) */
function powersOf(ring: Montgomery, x: Residue, count: number): Residue[] {
  const powers: Residue[] = [Float64Array.from(ring.one), Float64Array.from(x)];
  for (let i = 2; i < count; i++) {
    const power = ring.newResidue();
    if (i % 2 === 0) ring.square(powers[i / 2], power);
    else ring.multiply(powers[i - 1], powers[1], power);
    powers.push(power);
  }
  return powers;
}

/** target = table[index], reading every entry whatever the index. */
function pick(table: readonly Residue[], index: number, target: Residue): void {
  target.fill(0);
  for (let entry = 0; entry < table.length; entry++) {
    const power = table[entry];
    const mask = ((entry ^ index) - 1) >>> 31; // 1 if they are equal, else 0
    for (let i = 0; i < power.length; i++) target[i] += mask * power[i];
  }
}
