/**
 * The memory map of the ML-DSA module, shared by the kernels and their caller. Offsets in bytes. A polynomial has 256
 * coefficients of 32 bits.
 *
 *        0  constants: of Keccak, of the parameter sets, of the sampling and of the transforms
 *    12288  SECRETS begin; everything from here on is wiped after every operation
 */
export const ROUND_CONSTANTS = 0;
/** Eight words for each parameter set, found by 16 · k (ml-dsa-parameters.ts). */
export const PARAMETERS = 256;
/** For each set of accepted candidates their places: of four candidates, and of eight (ml-dsa-sampling.ts). */
export const ACCEPTED_FOUR = 512;
export const ACCEPTED_EIGHT = 768;
/** Factors of the transform and of its inverse (ml-dsa-ntt.ts). */
export const FORWARD = 3072;
export const INVERSE = 7168;
/** Start of the memory that must be wiped. */
export const SECRETS = 12288;

export const POLYNOMIAL_BYTES = 1024;

/** Keccak's states. */
export const STATE = SECRETS;
export const PAIR = STATE + 256;
/** Two streams that are sampled, each of up to five blocks, and the coefficients of which they are candidates. */
export const STREAM_0 = PAIR + 512;
export const STREAM_1 = STREAM_0 + 704;
export const SAMPLED_0 = STREAM_1 + 704;
export const SAMPLED_1 = SAMPLED_0 + POLYNOMIAL_BYTES + 32;

/** ξ, 32 bytes. */
export const XI = SAMPLED_1 + POLYNOMIAL_BYTES + 32;
/** ρ, 32 bytes: not secret. */
export const RHO = XI + 32;
/** ρ′, 64 bytes, of which s₁ and s₂ are sampled. */
export const SHORT_SEED = RHO + 32;
/** K, rnd, μ and the encoded w₁, one after the other, as they are hashed: 32, 32, 64 and up to 1,024 bytes. */
export const KEY = SHORT_SEED + 64;
export const RANDOMNESS = KEY + 32;
export const MU = RANDOMNESS + 32;
export const W1_ENCODED = MU + 64;
/** ρ″, 64 bytes, of which y is sampled. */
export const MASK_SEED = W1_ENCODED + 1024 + 32;
/** c̃, up to 64 bytes: not secret, not even of a rejected attempt (ml-dsa.ts). */
export const CHALLENGE = MASK_SEED + 64;
export const CHALLENGE_BYTES = 64;
/** c̃ as `verify` computes it. */
export const EXPECTED = CHALLENGE + CHALLENGE_BYTES;
/** pk, up to 2,592 bytes: not secret. */
export const PUBLIC_KEY = EXPECTED + 64;
export const PUBLIC_KEY_BYTES = 2592;
/** The signature, up to 4,627 bytes: not secret. */
export const SIGNATURE = PUBLIC_KEY + PUBLIC_KEY_BYTES + 32;
export const SIGNATURE_BYTES = 4627;
/** A part of tr ‖ M′, in whole blocks of SHAKE256. */
export const BUFFER = SIGNATURE + SIGNATURE_BYTES + 45;
export const BUFFER_BYTES = 120 * 136;

/** h, k polynomials of zeros and ones: not secret, as it is part of an accepted signature. */
export const HINTS = BUFFER + BUFFER_BYTES + 64;
/** s₁ and s₂, up to 15 polynomials and one without use; t₀; y; what Â is multiplied by; w₀, w₁ and z. */
export const SHORT = HINTS + 8 * POLYNOMIAL_BYTES;
export const T0 = SHORT + 16 * POLYNOMIAL_BYTES;
export const MASK = T0 + 8 * POLYNOMIAL_BYTES;
export const VECTOR = MASK + 8 * POLYNOMIAL_BYTES;
export const W0 = VECTOR + 8 * POLYNOMIAL_BYTES;
export const W1 = W0 + 8 * POLYNOMIAL_BYTES;
export const Z = W1 + 8 * POLYNOMIAL_BYTES;
/** c, transformed; a polynomial that is computed. */
export const C = Z + 8 * POLYNOMIAL_BYTES;
export const ROW = C + POLYNOMIAL_BYTES;
/** Â by rows, each with a place for one more polynomial: up to 8 times 8. */
export const MATRIX = ROW + POLYNOMIAL_BYTES;
/** Bytes of memory of the module. */
export const MEMORY_BYTES = MATRIX + 64 * POLYNOMIAL_BYTES;
