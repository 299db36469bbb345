/**
 * The BLAKE module: BLAKE2b and BLAKE3.
 *
 * Constant time: addition, logic and rotation only; addresses and branches depend on counts.
 */
import { BLAKE2B_IV } from '../../../../crypto/hash/blake2b.ts';
import { BLAKE3_IV } from '../../../../crypto/hash/blake3.ts';
import type { Variant } from '../dsl/lookup.ts';
import { ModuleText } from '../dsl/module.ts';
import { blake2bFunction } from './blake2b.ts';
import { blake3Functions } from './blake3.ts';
import { IV_2B, IV_3, LANE_NUMBERS, MEMORY_BYTES, ROTATE_16, ROTATE_8 } from './blake-layout.ts';
import { bytesOf } from '../dsl/words.ts';

/** @returns the module in WebAssembly's text format */
export function blakeModule(variant: Variant): string {
  const module = new ModuleText(MEMORY_BYTES);
  module.data(IV_2B, bytesOf(Int32Array.from(BLAKE2B_IV)));
  module.data(IV_3, bytesOf(Int32Array.from(BLAKE3_IV)));
  module.data(ROTATE_16, rotation(2));
  module.data(ROTATE_8, rotation(1));
  module.data(LANE_NUMBERS, bytesOf(Int32Array.of(0, 1, 2, 3)));
  blake2bFunction(module);
  blake3Functions(module, variant);
  return module.toString();
}

/** Byte numbers that rotate each 32-bit lane right by whole bytes. */
function rotation(bytes: number): number[] {
  return Array.from({ length: 16 }, (_, i) => (i & 12) | ((i + bytes) & 3));
}
