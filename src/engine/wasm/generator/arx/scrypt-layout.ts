/**
 * The memory map of the scrypt module:
 *
 *        0  unused
 *     1024  V_0, V_1, … V_{N-1}, X, Y: 128 · r bytes each
 */

/** Start of V; the caller writes the block there. */
export const SCRYPT_V = 1024;
