/**
 * Table look-ups in registers: 16 entries of one byte, 16 indices at once. No address depends on an index, so
 * indices may be secret.
 */
import { i8x16, op } from './expression.ts';
import type { V128 } from './expression.ts';

/**
 * - `simd`: WebAssembly 2.0 only.
 * - `relaxed`: also the relaxed SIMD instructions of WebAssembly 3.0.
 */
export type Variant = 'simd' | 'relaxed';
/** The variants of each module: with fixed-width SIMD, and with relaxed SIMD. */
export const VARIANTS: readonly Variant[] = ['relaxed', 'simd'];

/**
 * @param table 16 bytes
 * @param indices each 0 … 15, or 128 … 255 for the result 0. The two variants differ for other indices: the
 * result of relaxed swizzle for 16 … 127 depends on the processor. For the allowed ranges it equals the plain
 * swizzle, without the additional instruction that x86 needs for that one.
 */
export type Lookup = (table: V128, indices: V128) => V128;

/**
 * @returns the byte look-up of the variant. Indices must be below 16; larger ones differ between
 * variants.
 */
export function lookupOf(variant: Variant): Lookup {
  return variant === 'simd'
    ? i8x16.swizzle
    : (table, indices) => op('v128', 'i8x16.relaxed_swizzle', table, indices);
}
