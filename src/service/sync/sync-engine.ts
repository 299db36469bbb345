import type { AlgorithmTypes, EngineName } from '../../engine/contract.ts';
import { NoEngineError } from '../../engine/registry.ts';
import type { Registry } from '../../engine/registry.ts';
import type { RecordAlgorithms } from '../../sync/record-cipher.ts';
import type { Engines } from '../system/engines.ts';

/**
 * A record has some hundred bytes: the module on this thread is through with it before WebCrypto's
 * threads have begun. Where WebAssembly is missing it is the platform, never the tables of floor 0.
 */
const PREFERRED: readonly EngineName[] = ['wasm-simd', 'native'];

/** For the known answers and thresholds of the registry. */
const RECORD_BYTES = 1024;

/** What records of sync services are encrypted and authenticated with. */
export class SyncEngine {
  readonly #engines: Pick<Engines, 'ready'>;
  #algorithms: Promise<RecordAlgorithms> | undefined;

  constructor(engines: Pick<Engines, 'ready'>) {
    this.#engines = engines;
  }

  algorithms(): Promise<RecordAlgorithms> {
    this.#algorithms ??= this.#found();
    return this.#algorithms;
  }

  async #found(): Promise<RecordAlgorithms> {
    const registry = await this.#engines.ready();
    return {
      'AES-CBC': await preferred(registry, 'AES-CBC'),
      'AES-KW': await preferred(registry, 'AES-KW'),
      HMAC: await preferred(registry, 'HMAC'),
    };
  }
}

async function preferred<A extends keyof RecordAlgorithms>(
  registry: Registry,
  algorithm: A,
): Promise<AlgorithmTypes[A]> {
  for (const engine of PREFERRED) {
    try {
      const request = { algorithm, engine, bytes: RECORD_BYTES };
      return await registry.run(request, (implementation) => implementation);
    } catch (error) {
      if (!(error instanceof NoEngineError)) throw error;
    }
  }
  throw new NoEngineError(`No engine for ${algorithm} of sync records`);
}
