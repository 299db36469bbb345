/**
 * The engine `wasm-simd`: constant-time primitives in WebAssembly with SIMD, one module for each
 * family. A family that does not load leaves its algorithms to other engines.
 */
import type { Algorithms, Engine, Probe } from '../contract.ts';
import { AesModule } from './aes.ts';
import { aesAlgorithms } from './aes-engine.ts';
import type { Variant } from './kernel/lookup.ts';
import { bestVariant } from './module.ts';
import type { LoadWasm } from './module.ts';

/** A loaded family: what it can do, and how its memory is wiped. */
interface Family {
  readonly algorithms: Algorithms;
  close(): void;
}

/** All families. A new one is one line here. */
const FAMILIES: readonly ((loadWasm: LoadWasm, variant: Variant) => Promise<Family>)[] = [
  async (loadWasm, variant) => {
    const module = await AesModule.load(loadWasm, variant);
    return { algorithms: aesAlgorithms(module), close: () => module.forget() };
  },
];

/**
 * @param loadWasm brings the modules that scripts/make-wasm.ts makes
 * @param variant for tests; the best that the platform takes if absent
 */
export function wasmSimdEngine(loadWasm: LoadWasm, variant?: Variant): Engine {
  const families: Family[] = [];
  return {
    name: 'wasm-simd',
    probe: async (): Promise<Probe> => {
      const chosen = variant ?? bestVariant();
      if (chosen === undefined) return { available: false, reason: 'WebAssembly SIMD is missing' };
      const loaded = await Promise.allSettled(FAMILIES.map((load) => load(loadWasm, chosen)));
      const failures = loaded.filter((one) => one.status === 'rejected');
      for (const one of loaded) if (one.status === 'fulfilled') families.push(one.value);
      if (families.length === 0) {
        return {
          available: false,
          reason: failures.map(({ reason }) => String(reason)).join('; '),
        };
      }
      const algorithms = families.map((family) => family.algorithms);
      return { available: true, algorithms: Object.assign({}, ...algorithms) as Algorithms };
    },
    close: () => {
      for (const family of families) family.close();
    },
  };
}
