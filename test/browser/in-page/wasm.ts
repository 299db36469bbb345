/* What test/support/wasm.ts is in Node: the modules lie beside the page. */
import type { Variant } from '../../../src/engine/wasm/generator/dsl/lookup.ts';
import { bestVariant } from '../../../src/engine/wasm/loader.ts';
import type { LoadWasm } from '../../../src/engine/wasm/loader.ts';

export const loadWasm: LoadWasm = async (name) => (await fetch(`wasm/${name}.wasm`)).arrayBuffer();

/** What this browser will use; Node tests both. */
export const TESTED_VARIANTS: readonly Variant[] = [bestVariant()!];

/** A browser has relaxed SIMD or has it not; there is no flag to set while it runs. */
export const enableRelaxedSimd = (): void => undefined;
