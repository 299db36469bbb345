/**
 * The memory map of the ML-KEM module, shared by the kernels and their caller. Offsets in bytes. A polynomial has 256
 * coefficients of 16 bits.
 *
 *        0  constants: of Keccak, of the sampling and of the transforms
 *     8192  SECRETS begin; everything from here on is wiped after every operation
 */
export const ROUND_CONSTANTS = 0;
/** For each set of accepted candidates, eight places (ml-kem-sampling.ts). */
export const ACCEPTED = 256;
/** Factors of the transform, of its inverse, and of products of pairs (ml-kem-ntt.ts). */
export const FORWARD = 2304;
export const INVERSE = 4352;
export const PAIRS = 6400;
/** Start of the memory that must be wiped. */
export const SECRETS = 8192;

const POLYNOMIAL_BYTES = 512;

/** Keccak's states. */
export const STATE = SECRETS;
export const PAIR = STATE + 256;
/** Two streams that are sampled, each of up to two blocks, and the coefficients of which they are candidates. */
export const STREAM_0 = PAIR + 512;
export const STREAM_1 = STREAM_0 + 320;
export const SAMPLED_0 = STREAM_1 + 320;
export const SAMPLED_1 = SAMPLED_0 + POLYNOMIAL_BYTES + 32;

/** d, 32 bytes. */
export const D = SAMPLED_1 + POLYNOMIAL_BYTES + 32;
/** ρ, 32 bytes: not secret. */
export const RHO = D + 32;
/** σ, or r of an encryption: 32 bytes. */
export const SIGMA = RHO + 32;
/** m, and after it H(ek): 32 bytes each. */
export const MESSAGE = SIGMA + 32;
export const EK_HASH = MESSAGE + 32;
/** K, 32 bytes: the result. */
export const SHARED_KEY = EK_HASH + 64;
/** ek, up to 1,568 bytes: not secret. */
export const EK = SHARED_KEY + 32;
export const EK_BYTES = 1568;
/** z, 32 bytes, and after it c, up to 1,568 bytes. */
export const Z = EK + EK_BYTES + 32;
export const CIPHERTEXT = Z + 32;
/** The ciphertext that an honest sender would have made. */
export const EXPECTED = CIPHERTEXT + 1568 + 32;

/** Â by rows, up to 16 polynomials; t̂; secrets and errors; a transformed vector with its pairs; a row of a product. */
export const MATRIX = EXPECTED + 1568 + 32;
export const T = MATRIX + 16 * POLYNOMIAL_BYTES;
export const NOISE = T + 4 * POLYNOMIAL_BYTES;
export const PREPARED = NOISE + 10 * POLYNOMIAL_BYTES;
export const ROW = PREPARED + 8 * POLYNOMIAL_BYTES;
export const DECODED = ROW + POLYNOMIAL_BYTES;
/** Bytes of memory of the module. */
export const MEMORY_BYTES = DECODED + POLYNOMIAL_BYTES + 64;
