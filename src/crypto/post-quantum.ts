/** The post-quantum algorithms as data, with their sizes; like algorithms.ts, without code. */

/** Sizes of a key encapsulation mechanism, in bytes. Every shared key has 32. */
export interface KemSizes {
  /** The seed, from which the whole private key follows. */
  readonly seedBytes: number;
  readonly publicKeyBytes: number;
  readonly ciphertextBytes: number;
  /** Randomness of one encapsulation. */
  readonly randomnessBytes: number;
}

/** FIPS 203, table 3; draft-connolly-cfrg-xwing-kem, section 5, under the name that browsers have for it. */
export const KEMS = {
  'ML-KEM-512': mlKem(800, 768),
  'ML-KEM-768': mlKem(1_184, 1_088),
  'ML-KEM-1024': mlKem(1_568, 1_568),
  'MLKEM768-X25519': {
    seedBytes: 32,
    publicKeyBytes: 1_216,
    ciphertextBytes: 1_120,
    randomnessBytes: 64,
  },
} as const satisfies Readonly<Record<string, KemSizes>>;
/** Every key encapsulation mechanism. */
export type KemName = keyof typeof KEMS;
/** Their names, in the order in which people see them. */
export const KEM_NAMES = Object.keys(KEMS) as readonly KemName[];

function mlKem(publicKeyBytes: number, ciphertextBytes: number): KemSizes {
  return { seedBytes: 64, publicKeyBytes, ciphertextBytes, randomnessBytes: 32 };
}

/** Sizes of a post-quantum signature algorithm, in bytes. */
export interface SignatureSizes {
  /** Randomness of a new key pair: with ML-DSA the private key itself, its seed. */
  readonly seedBytes: number;
  readonly privateKeyBytes: number;
  readonly publicKeyBytes: number;
  readonly signatureBytes: number;
  /** Randomness of one signature. */
  readonly randomnessBytes: number;
}

/** FIPS 204, table 2; FIPS 205, table 2. */
export const SIGNATURES = {
  'ML-DSA-44': mlDsa(1_312, 2_420),
  'ML-DSA-65': mlDsa(1_952, 3_309),
  'ML-DSA-87': mlDsa(2_592, 4_627),
  'SLH-DSA-SHA2-128s': slhDsa(16, 7_856),
  'SLH-DSA-SHA2-128f': slhDsa(16, 17_088),
  'SLH-DSA-SHA2-192s': slhDsa(24, 16_224),
  'SLH-DSA-SHA2-192f': slhDsa(24, 35_664),
  'SLH-DSA-SHA2-256s': slhDsa(32, 29_792),
  'SLH-DSA-SHA2-256f': slhDsa(32, 49_856),
  'SLH-DSA-SHAKE-128s': slhDsa(16, 7_856),
  'SLH-DSA-SHAKE-128f': slhDsa(16, 17_088),
  'SLH-DSA-SHAKE-192s': slhDsa(24, 16_224),
  'SLH-DSA-SHAKE-192f': slhDsa(24, 35_664),
  'SLH-DSA-SHAKE-256s': slhDsa(32, 29_792),
  'SLH-DSA-SHAKE-256f': slhDsa(32, 49_856),
} as const satisfies Readonly<Record<string, SignatureSizes>>;
/** Every post-quantum signature algorithm. */
export type SignatureName = keyof typeof SIGNATURES;
/** Their names, in the order in which people see them. */
export const SIGNATURE_NAMES = Object.keys(SIGNATURES) as readonly SignatureName[];

function mlDsa(publicKeyBytes: number, signatureBytes: number): SignatureSizes {
  const seedBytes = 32;
  return { seedBytes, privateKeyBytes: 32, publicKeyBytes, signatureBytes, randomnessBytes: 32 };
}

/** @param n the security parameter, in bytes */
function slhDsa(n: number, signatureBytes: number): SignatureSizes {
  return {
    seedBytes: 3 * n,
    privateKeyBytes: 4 * n,
    publicKeyBytes: 2 * n,
    signatureBytes,
    randomnessBytes: n,
  };
}
