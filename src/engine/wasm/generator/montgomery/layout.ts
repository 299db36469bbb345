/**
 * The memory maps of the Montgomery module, shared by the kernels and the code that calls them. Offsets in
 * bytes. A residue is 2 · pairs limbs, each a double. There is a map for each size of limb; they differ in
 * lengths only:
 *
 *     CONSTANTS                   at 0
 *     biasMultiply, biasSquare    initial values of columns; they depend on lengths only
 *     secrets                     everything from here on is wiped after each use
 *     topInverse                  1/N, scaled
 *     bytes                       an integer, little-endian, input or output
 *     n, modulus                  N, and its multiple M that is -1 modulo 2^limbBits
 *     square, one, x, factor, shift    residues
 *     columns
 *     table                       up to 64 powers, without gaps
 */
import type { Variant } from '../dsl/lookup.ts';

/** Longest modulus: 16,384 bits. */
export const MAX_BYTES = 2048;
/** Maximum width of the windows of an exponent, in bits. */
export const MAX_WIDTH = 6;
/** Start of the constants. */
export const CONSTANTS = 0;
const CONSTANTS_LENGTH = 256;
/** Bytes of memory for an integer as big-endian bytes. */
export const BYTES_LENGTH = 2560;

/** The offsets in the memory of one variant of the module. */
export type MontgomeryLayout = ReturnType<typeof layoutFor>;

/** The layout of each variant. */
export const LAYOUTS: Readonly<Record<Variant, MontgomeryLayout>> = {
  relaxed: layoutFor(51),
  simd: layoutFor(24),
};

function layoutFor(limbBits: number) {
  /** R = 2^(2 · limbBits · pairs) ≥ 8 · M, and M has one limb more than N; at least four limbs. */
  const pairsFor = (lengthBytes: number): number =>
    Math.max(Math.ceil((8 * lengthBytes + limbBits + 3) / (2 * limbBits)), 2);
  const residueLength = 16 * pairsFor(MAX_BYTES);
  /** Columns are pairs too: those that begin at even limbs, then those that begin at odd ones. */
  const odd = 2 * residueLength + 32;
  let end = CONSTANTS;
  const take = (length: number): number => {
    end += length;
    return end - length;
  };
  take(CONSTANTS_LENGTH);
  return {
    limbBits,
    pairsFor,
    odd,
    biasMultiply: take(2 * odd),
    biasSquare: take(2 * odd),
    secrets: end,
    topInverse: take(16),
    bytes: take(BYTES_LENGTH),
    n: take(residueLength),
    modulus: take(residueLength),
    square: take(residueLength),
    one: take(residueLength),
    x: take(residueLength),
    factor: take(residueLength),
    shift: take(residueLength),
    columns: take(2 * odd),
    table: take(residueLength << MAX_WIDTH),
    memoryBytes: end,
  } as const;
}
