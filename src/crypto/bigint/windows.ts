/**
 * Cuts an exponent into windows of equal width, for every modular exponentiation here (fixed 2^w-ary method;
 * Menezes, van Oorschot, Vanstone, "Handbook of Applied Cryptography", 14.82). The number of windows depends
 * on the exponent's length, never on its bits.
 */

/** Possible widths: with 7 bits the table has 128 entries. */
const WIDTHS = [1, 2, 3, 4, 5, 6, 7];

/** Cost of reading one entry of the table, in multiplications. A window reads all entries. */
const READING = 0.005;

/**
 * @param bits length of the exponent
 * @returns the width of least cost: 2^w multiplications for the table, one per window, and the reads
 */
export function windowWidth(bits: number): number {
  const cost = (width: number): number =>
    2 ** width + Math.ceil(bits / width) * (1 + READING * 2 ** width);
  return WIDTHS.reduce((best, width) => (cost(width) < cost(best) ? width : best));
}

/**
 * @param exponent big-endian
 * @returns the exponent's digits to the base 2^width, least significant first; secret
 */
export function windowsOf(exponent: Uint8Array, width: number): Uint8Array {
  const digits = new Uint8Array(Math.ceil((8 * exponent.length) / width));
  const mask = (1 << width) - 1;
  for (let i = 0; i < digits.length; i++) {
    const bit = i * width;
    const at = exponent.length - 1 - (bit >> 3);
    // Before the first byte an element is undefined, which counts as 0 here.
    const pair = (exponent[at - 1] << 8) | exponent[at];
    digits[i] = (pair >> (bit & 7)) & mask;
  }
  return digits;
}
