/**
 * The Montgomery module. Its two variants differ in their arithmetic: 51-bit limbs by fused multiplication
 * and addition (relaxed SIMD), or 24-bit limbs by plain doubles.
 *
 * Constant time: addresses and loops depend on `pairs`, offsets and bit counts only; all entries of the table
 * are read (`pick`); signs and quotients are handled as numbers, without branches.
 */
import type { Variant } from '../dsl/lookup.ts';
import { ModuleText } from '../dsl/module.ts';
import { addFusedConstants, fusedArithmetic } from './fused.ts';
import { addIntegers } from './integers.ts';
import { LAYOUTS } from './layout.ts';
import { addPlainConstants, plainArithmetic } from './plain.ts';
import { addProducts } from './rows.ts';
import { addSetUp } from './setup.ts';

/** @returns the text of the Montgomery module of one variant */
export function montgomeryModule(variant: Variant): string {
  const layout = LAYOUTS[variant];
  const module = new ModuleText(layout.memoryBytes);
  if (variant === 'relaxed') addFusedConstants(module);
  else addPlainConstants(module);
  addProducts(module, layout, variant === 'relaxed' ? fusedArithmetic : plainArithmetic);
  addSetUp(module, layout);
  addIntegers(module, layout);
  return module.toString();
}
