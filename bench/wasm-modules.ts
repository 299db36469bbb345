import { readdirSync } from 'node:fs';
import { LIBRARY_MODULES } from '../scripts/make-wasm.ts';
import { VARIANTS, type Variant } from '../src/engine/wasm/generator/dsl/lookup.ts';

/** The files that the engine's registry may load in this variant: those without variants are for both. */
export function modulesOf(variant: Variant, folder: string): string[] {
  const others = VARIANTS.filter((one) => one !== variant);
  return readdirSync(folder).filter(
    (file) =>
      !others.some((one) => file.includes(`.${one}.`)) &&
      !LIBRARY_MODULES.some((name) => file === `${name}.wasm`),
  );
}
