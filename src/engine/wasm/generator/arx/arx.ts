/**
 * The module of ChaCha20, Salsa20 and Poly1305, whose operations are additions, rotations, XOR and products
 * of words.
 *
 * Constant time: there are no look-ups; every address, count and branch depends on lengths and on the number
 * of rounds. This assumes that multiplication takes the same time for all values, which holds for current
 * processors of PCs and phones, not for some small ones.
 */
import { lookupOf } from '../dsl/lookup.ts';
import type { Variant } from '../dsl/lookup.ts';
import { ModuleText } from '../dsl/module.ts';
import { AHEAD, MEMORY_BYTES, ROTATE_16, ROTATE_8 } from './layout.ts';
import { chachaFunctions } from './chacha.ts';
import { chachaPolyFunctions } from './chacha-poly.ts';
import { polyFunctions } from './poly1305.ts';
import { salsaFunctions } from './salsa.ts';

/** @returns the module in WebAssembly's text format */
export function arxModule(variant: Variant): string {
  const module = new ModuleText(MEMORY_BYTES);
  module.data(ROTATE_16, byteRotation(2));
  module.data(ROTATE_8, byteRotation(1));
  module.data(
    AHEAD,
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((ahead) => [ahead, 0, 0, 0]),
  );
  const lookup = lookupOf(variant);
  chachaFunctions(module, lookup);
  polyFunctions(module);
  chachaPolyFunctions(module, lookup);
  salsaFunctions(module);
  return module.toString();
}

/** The shuffle that rotates 32-bit words left by whole bytes. */
function byteRotation(bytes: number): number[] {
  return Array.from({ length: 16 }, (_, i) => (i & ~3) | ((i - bytes) & 3));
}
