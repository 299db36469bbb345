/**
 * The AES module: key schedule, blocks, and the modes with inner loops in WebAssembly. Two implementations
 * share it: vector permutation for serial or short data (permute.ts), bit planes for eight blocks and more
 * (sliced.ts).
 *
 * Constant time: every look-up is in registers; every address, count and branch depends on sizes, on the
 * number of rounds, or on public counters.
 */
import type { Lookup, Variant } from '../dsl/lookup.ts';
import { lookupOf } from '../dsl/lookup.ts';
import { ModuleText } from '../dsl/module.ts';
import { blockFunctions } from './blocks.ts';
import { chainFunctions } from './chain.ts';
import { placeConstants } from './constants.ts';
import { counterFunctions } from './counter.ts';
import { keyFunctions } from './key.ts';
import { MEMORY_BYTES } from './layout.ts';
import { offsetFunctions } from './offset.ts';
import { slicedFunctions } from './sliced.ts';
import { hashFunctions } from './ghash.ts';

const PARTS: readonly ((module: ModuleText, lookup: Lookup) => void)[] = [
  keyFunctions,
  slicedFunctions,
  blockFunctions,
  counterFunctions,
  chainFunctions,
  offsetFunctions,
  hashFunctions,
];

/** @returns the module in WebAssembly's text format */
export function aesModule(variant: Variant): string {
  const module = new ModuleText(MEMORY_BYTES);
  placeConstants(module);
  const lookup = lookupOf(variant);
  for (const part of PARTS) part(module, lookup);
  return module.toString();
}
