/** ML-DSA (FIPS 204) by its module, without a pre-hash: a private key is the seed ξ, 32 bytes. */
import { copyOf, equal } from '../../../crypto/bytes.ts';
import { SIGNATURES } from '../../../crypto/post-quantum.ts';
import type { SignatureAlgorithm } from '../../contract.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  CHALLENGE,
  EXPECTED,
  MEMORY_BYTES,
  PUBLIC_KEY,
  RANDOMNESS,
  RHO,
  SECRETS,
  SIGNATURE,
  XI,
} from '../generator/lattice/ml-dsa-layout.ts';
import { loadCommonModule } from '../loader.ts';
import type { LoadWasm } from '../loader.ts';

/** Exports of the module; the kernels document the arguments. `k` stands for the parameter set. */
interface MlDsaFunctions {
  readonly wipe: (offset: number, length: number) => void;
  readonly expandSeed: (k: number) => void;
  readonly keyPair: (k: number) => void;
  readonly startMessage: (k: number) => void;
  readonly absorb: (blocks: number) => void;
  readonly endMessage: () => void;
  readonly prepareSigning: (k: number) => void;
  readonly commit: (k: number, counter: number) => void;
  readonly respond: (k: number) => number;
  readonly hints: (k: number) => number;
  readonly encode: (k: number) => void;
  readonly verify: (k: number) => number;
}

export type MlDsaName = 'ML-DSA-44' | 'ML-DSA-65' | 'ML-DSA-87';

interface ParameterSet {
  /** k and ℓ of FIPS 204, table 1. */
  readonly k: number;
  readonly columns: number;
  /** λ / 4: the length of c̃ */
  readonly challengeBytes: number;
}

const SETS: Readonly<Record<MlDsaName, ParameterSet>> = {
  'ML-DSA-44': { k: 4, columns: 4, challengeBytes: 32 },
  'ML-DSA-65': { k: 6, columns: 5, challengeBytes: 48 },
  'ML-DSA-87': { k: 8, columns: 7, challengeBytes: 64 },
};
/** The names that the module has. */
export const ML_DSA_NAMES = Object.keys(SETS) as readonly MlDsaName[];

const SEED_BYTES = 32;
/** tr, the hash of the public key. */
const HASH_BYTES = 64;
/** The rate of SHAKE256, and its padding (FIPS 202, sections 5.1 and 6.2). */
const BLOCK_BYTES = 136;
const SUFFIX = 0x1f;
const LAST_PADDING_BIT = 0x80;

/** A signature algorithm whose operations do not wait. */
export type SyncSignature = {
  readonly [M in 'keyPair' | 'publicKey' | 'sign' | 'verify']: (
    ...of: Parameters<SignatureAlgorithm[M]>
  ) => Awaited<ReturnType<SignatureAlgorithm[M]>>;
};

/** One instance of the module. */
export interface MlDsaModule {
  readonly sets: Readonly<Record<MlDsaName, SyncSignature>>;
  readonly memory: Uint8Array;
}

/**
 * @returns the three parameter sets. Nothing of a key or message stays in the module after a call
 * @throws errors of the loader and of WebAssembly
 */
export async function loadMlDsa(loadWasm: LoadWasm): Promise<MlDsaModule> {
  const { functions, bytes } = await loadCommonModule<MlDsaFunctions>(loadWasm, 'ml-dsa');
  const setOf = (name: MlDsaName): SyncSignature => parameterSet(name, functions, bytes);
  return {
    sets: {
      'ML-DSA-44': setOf('ML-DSA-44'),
      'ML-DSA-65': setOf('ML-DSA-65'),
      'ML-DSA-87': setOf('ML-DSA-87'),
    },
    memory: bytes,
  };
}

function parameterSet(
  name: MlDsaName,
  functions: MlDsaFunctions,
  memory: Uint8Array,
): SyncSignature {
  const { k, columns, challengeBytes } = SETS[name];
  const { publicKeyBytes, signatureBytes } = SIGNATURES[name];
  const result = (at: number, length: number): Uint8Array => memory.slice(at, at + length);
  const wiping = <T>(work: () => T): T => {
    try {
      return work();
    } finally {
      functions.wipe(SECRETS, MEMORY_BYTES - SECRETS);
    }
  };
  const makeKeyPair = (seed: Uint8Array): void => {
    memory.set(seed, XI);
    functions.expandSeed(k);
    functions.keyPair(k);
  };
  /** Algorithm 2, line 10, and algorithm 7, line 6: μ = H(tr ‖ 0 ‖ |ctx| ‖ ctx ‖ M) */
  const hashMessage = (message: Uint8Array, context: Uint8Array): void => {
    functions.startMessage(k);
    memory.set([0, context.length], BUFFER + HASH_BYTES);
    memory.set(context, BUFFER + HASH_BYTES + 2);
    let used = HASH_BYTES + 2 + context.length;
    for (let done = 0; ;) {
      const part = message.subarray(done, done + BUFFER_BYTES - used);
      memory.set(part, BUFFER + used);
      used += part.length;
      done += part.length;
      if (used < BUFFER_BYTES) break;
      functions.absorb(BUFFER_BYTES / BLOCK_BYTES);
      used = 0;
    }
    const blocks = Math.floor(used / BLOCK_BYTES) + 1;
    memory.fill(0, BUFFER + used, BUFFER + blocks * BLOCK_BYTES);
    memory[BUFFER + used] = SUFFIX;
    memory[BUFFER + blocks * BLOCK_BYTES - 1]! |= LAST_PADDING_BIT;
    functions.absorb(blocks);
    functions.endMessage();
  };
  const publicKey = (seed: Uint8Array): Uint8Array =>
    wiping(() => {
      makeKeyPair(seed);
      return result(PUBLIC_KEY, publicKeyBytes);
    });
  return {
    publicKey,
    keyPair: (seed) => ({ privateKey: copyOf(seed), publicKey: publicKey(seed) }),
    sign: (seed, message, context, randomness) =>
      wiping(() => {
        makeKeyPair(seed);
        memory.set(randomness, RANDOMNESS);
        hashMessage(message, context);
        functions.prepareSigning(k);
        // Algorithm 7, lines 10 to 32. Four to five attempts on average; how many there are says nothing about the key.
        for (let counter = 0; ; counter += columns) {
          functions.commit(k, counter);
          if (functions.respond(k) === 1 && functions.hints(k) === 1) break;
        }
        functions.encode(k);
        return result(SIGNATURE, signatureBytes);
      }),
    verify: (key, message, context, signature) =>
      wiping(() => {
        memory.set(key, PUBLIC_KEY);
        memory.set(key.subarray(0, SEED_BYTES), RHO);
        memory.set(signature, SIGNATURE);
        hashMessage(message, context);
        const isWellFormed = functions.verify(k) === 1;
        const challenge = (at: number): Uint8Array => memory.subarray(at, at + challengeBytes);
        return isWellFormed && equal(challenge(CHALLENGE), challenge(EXPECTED));
      }),
  };
}
