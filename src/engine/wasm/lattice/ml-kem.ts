/** ML-KEM (FIPS 203) by its module: a private key is the seed d ‖ z, 64 bytes. */
import type { MlKem, MlKemName } from '../../../crypto/lattice/ml-kem.ts';
import { KEMS } from '../../../crypto/post-quantum.ts';
import {
  CIPHERTEXT,
  D,
  EK,
  MEMORY_BYTES,
  MESSAGE,
  RHO,
  SECRETS,
  SHARED_KEY,
  Z,
} from '../generator/lattice/ml-kem-layout.ts';
import { loadCommonModule } from '../loader.ts';
import type { LoadWasm } from '../loader.ts';

/** Exports of the module; the kernels document the arguments. */
interface MlKemFunctions {
  readonly wipe: (offset: number, length: number) => void;
  readonly expandSeed: (rank: number) => void;
  readonly keyPair: (rank: number) => void;
  readonly encapsulate: (rank: number) => number;
  readonly decapsulate: (rank: number) => void;
}

/** k (FIPS 203, section 8). */
const RANKS: Readonly<Record<MlKemName, number>> = {
  'ML-KEM-512': 2,
  'ML-KEM-768': 3,
  'ML-KEM-1024': 4,
};
/** The names that the module has. */
export const ML_KEM_NAMES = Object.keys(RANKS) as readonly MlKemName[];

const KEY_BYTES = 32;

/** One instance of the module. */
export interface MlKemModule {
  readonly sets: Readonly<Record<MlKemName, MlKem>>;
  readonly memory: Uint8Array;
}

/**
 * @returns the three parameter sets. Nothing of a key stays in the module after a call
 * @throws errors of the loader and of WebAssembly
 */
export async function loadMlKem(loadWasm: LoadWasm): Promise<MlKemModule> {
  const { functions, bytes } = await loadCommonModule<MlKemFunctions>(loadWasm, 'ml-kem');
  const setOf = (name: MlKemName): MlKem => parameterSet(name, functions, bytes);
  return {
    sets: {
      'ML-KEM-512': setOf('ML-KEM-512'),
      'ML-KEM-768': setOf('ML-KEM-768'),
      'ML-KEM-1024': setOf('ML-KEM-1024'),
    },
    memory: bytes,
  };
}

function parameterSet(name: MlKemName, functions: MlKemFunctions, memory: Uint8Array): MlKem {
  const rank = RANKS[name];
  const { publicKeyBytes, ciphertextBytes } = KEMS[name];
  const result = (at: number, length: number): Uint8Array => memory.slice(at, at + length);
  const wiping = <T>(work: () => T): T => {
    try {
      return work();
    } finally {
      functions.wipe(SECRETS, MEMORY_BYTES - SECRETS);
    }
  };
  return {
    publicKey: (seed) =>
      wiping(() => {
        memory.set(seed.subarray(0, KEY_BYTES), D);
        functions.expandSeed(rank);
        functions.keyPair(rank);
        return result(EK, publicKeyBytes);
      }),
    encapsulate: (publicKey, randomness) =>
      wiping(() => {
        memory.set(publicKey, EK);
        memory.set(publicKey.subarray(publicKeyBytes - KEY_BYTES), RHO);
        memory.set(randomness, MESSAGE);
        if (functions.encapsulate(rank) === 0) {
          throw new RangeError('publicKey is not a key of ML-KEM');
        }
        return {
          sharedKey: result(SHARED_KEY, KEY_BYTES),
          ciphertext: result(CIPHERTEXT, ciphertextBytes),
        };
      }),
    decapsulate: (seed, ciphertext) =>
      wiping(() => {
        memory.set(seed.subarray(0, KEY_BYTES), D);
        memory.set(seed.subarray(KEY_BYTES), Z);
        memory.set(ciphertext, CIPHERTEXT);
        functions.expandSeed(rank);
        functions.decapsulate(rank);
        return result(SHARED_KEY, KEY_BYTES);
      }),
  };
}
