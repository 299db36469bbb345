/**
 * The engine `wasm-simd`: constant-time primitives in WebAssembly with SIMD, one module per family. If a
 * family does not load, other engines have its algorithms. Those of `lattice/` are loaded at their first use, the others by
 * the probe.
 */
import type { Algorithms, Engine, PowerAlgorithm, Probe } from '../contract.ts';
import { aesAlgorithms } from './aes/aes-engine.ts';
import { ArxModule } from './arx/arx.ts';
import { arxAlgorithms } from './arx/aead.ts';
import { loadArgon2 } from './hash/argon2.ts';
import { argon2Algorithms, hashAlgorithms } from './hash/hash-engine.ts';
import { loadHashes } from './hash/hashes.ts';
import { latticeAlgorithms } from './lattice/lattice-engine.ts';
import type { Variant } from './generator/dsl/lookup.ts';
import { bestVariant } from './loader.ts';
import type { LoadWasm } from './loader.ts';
import { loadMontgomery } from './montgomery/montgomery.ts';
import { sharedModules } from './shared-modules.ts';
import type { SharedModules } from './shared-modules.ts';

/** A loaded family: its algorithms, and a function that wipes its memory. */
interface Family {
  readonly algorithms: Algorithms;
  close(): void;
}

interface Loading {
  readonly loadWasm: LoadWasm;
  readonly variant: Variant;
  readonly modules: SharedModules;
}

/** All families. A new one is one line here. */
const FAMILIES: readonly ((loading: Loading) => Promise<Family>)[] = [
  async ({ modules }) => {
    const module = await modules.aes();
    return { algorithms: aesAlgorithms(module), close: () => module.forget() };
  },
  async ({ loadWasm, variant }) => {
    const module = await ArxModule.load(loadWasm, variant);
    return { algorithms: arxAlgorithms(module), close: () => module.forget() };
  },
  async ({ loadWasm, variant, modules }) => {
    const hashes = await loadHashes(loadWasm, variant, modules.sha());
    return { algorithms: hashAlgorithms(hashes), close: () => hashes.close() };
  },
  async ({ loadWasm, variant }) => {
    const power = await loadMontgomery(loadWasm, variant);
    const algorithm: PowerAlgorithm = { constantTime: 'by-construction', power };
    return { algorithms: { DH: algorithm, DSA: algorithm }, close: () => undefined };
  },
  async ({ loadWasm }) => {
    const argon2 = await loadArgon2(loadWasm);
    return { algorithms: argon2Algorithms(argon2), close: () => argon2.release() };
  },
];

export interface WasmSimdOptions {
  /** For tests; default: the best one that the platform supports. */
  readonly variant?: Variant | undefined;
  /** Shared modules; default: the engine loads its own. */
  readonly modules?: SharedModules | undefined;
}

/** The usual cause is one for all modules, and their URLs differ: the first reason, and how many others there are. */
function firstReason(loaded: readonly PromiseSettledResult<unknown>[]): string | undefined {
  const reasons = loaded.flatMap((one) =>
    one.status === 'rejected' ? [(one.reason as Error).message] : [],
  );
  const others = new Set(reasons).size - 1;
  return others > 0 ? `${reasons[0]} (and ${others} more)` : reasons[0];
}

/** @param loadWasm loads the modules that scripts/make-wasm.ts generates */
export function wasmSimdEngine(loadWasm: LoadWasm, options: WasmSimdOptions = {}): Engine {
  const families: Family[] = [];
  return {
    name: 'wasm-simd',
    probe: async (): Promise<Probe> => {
      const variant = options.variant ?? bestVariant();
      if (variant === undefined) return { available: false, reason: 'WebAssembly SIMD is missing' };
      const { modules = sharedModules(loadWasm, variant) } = options;
      const loading = { loadWasm, variant, modules };
      const loaded = await Promise.allSettled(FAMILIES.map((load) => load(loading)));
      for (const one of loaded) if (one.status === 'fulfilled') families.push(one.value);
      const reason = firstReason(loaded);
      if (families.length === 0) return { available: false, reason: reason! };
      const algorithms = Object.assign(
        latticeAlgorithms(loadWasm),
        ...families.map((one) => one.algorithms),
      ) as Algorithms;
      return { available: true, algorithms, ...(reason !== undefined && { lacks: reason }) };
    },
    close: () => {
      for (const family of families) family.close();
    },
  };
}
