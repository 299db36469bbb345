/**
 * ML-KEM, X-Wing and ML-DSA as the engine's contract has them. Their modules are loaded at the first use, because most
 * programs, and most starts of the extension's background, use none.
 */
import type { MlKemName } from '../../../crypto/lattice/ml-kem.ts';
import { EngineError } from '../../contract.ts';
import type { Algorithms, KemAlgorithm, SignatureAlgorithm } from '../../contract.ts';
import type { LoadWasm } from '../loader.ts';
import { loadMlDsa, ML_DSA_NAMES } from './ml-dsa.ts';
import type { MlDsaName } from './ml-dsa.ts';
import { loadMlKem, ML_KEM_NAMES } from './ml-kem.ts';
import { xWing } from './x-wing.ts';

/** They reject with EngineError where their module does not load: a registry then goes on with another engine. */
export function latticeAlgorithms(loadWasm: LoadWasm): Algorithms {
  const kems = once(async () => (await loadMlKem(loadWasm)).sets);
  const signatures = once(async () => (await loadMlDsa(loadWasm)).sets);
  const kem = (name: MlKemName): KemAlgorithm => ({
    constantTime: 'by-construction',
    publicKey: async (...of) => (await kems())[name].publicKey(...of),
    encapsulate: async (...of) => (await kems())[name].encapsulate(...of),
    decapsulate: async (...of) => (await kems())[name].decapsulate(...of),
  });
  const signature = (name: MlDsaName): SignatureAlgorithm => ({
    constantTime: 'by-construction',
    keyPair: async (...of) => (await signatures())[name].keyPair(...of),
    publicKey: async (...of) => (await signatures())[name].publicKey(...of),
    sign: async (...of) => (await signatures())[name].sign(...of),
    verify: async (...of) => (await signatures())[name].verify(...of),
  });
  return {
    ...Object.fromEntries(ML_KEM_NAMES.map((name) => [name, kem(name)])),
    'MLKEM768-X25519': xWing(async () => (await kems())['ML-KEM-768']),
    ...Object.fromEntries(ML_DSA_NAMES.map((name) => [name, signature(name)])),
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () =>
    (loaded ??= load().catch((error: unknown) => {
      throw new EngineError((error as Error).message, { cause: error });
    }));
}
