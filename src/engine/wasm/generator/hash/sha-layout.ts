/**
 * The memory map of the SHA module (SHA-1 and SHA-2), shared by the kernel and its caller. Offsets in bytes.
 * All words are little-endian in memory, as WebAssembly loads them; the caller converts a state to a digest
 * with `swap`.
 *
 *        0  constants: K, initial states, byte orders
 *     2048  SECRETS begin; everything from here on is wiped with the module
 *     2048  STATE: the chaining state of one message
 *     2112  PBKDF2: INNER, OUTER, U, SUM
 *     2368  SCHEDULE: words of the message schedule with their constants added
 *     2496  FOUR_STATES: those of four messages, word by word
 *     2624  FOUR_WORDS: sixteen words of four messages
 *     2880  FOUR_INNER … FOUR_SUM: PBKDF2 of four output blocks
 *     4096  BUFFER: 64 KiB of data, with a margin for pending data before and padding after
 */

export const K256 = 0;
/** Round constants of SHA-512, 640 bytes. */
export const K512 = 256;
/** Byte orders for `swap`: big-endian words of 4 and of 8 bytes. */
export const SWAP_4 = 960;
/** Byte order for big-endian words of 8 bytes. */
export const SWAP_8 = 976;
/** Initial state of SHA-1, 20 bytes. */
export const INITIAL_1 = 992;
/** Initial state of SHA-256, 32 bytes. */
export const INITIAL_256 = 1024;
/** Initial state of SHA-384, 64 bytes. */
export const INITIAL_384 = 1056;
/** Initial state of SHA-512, 64 bytes. */
export const INITIAL_512 = 1120;

/** Start of the memory that must be wiped. */
export const SECRETS = 2048;
/** The chaining state of one message, up to 64 bytes. */
export const STATE = 2048;
/** The states after K ⊕ ipad and K ⊕ opad, the last U_j, and the sum of all so far. */
export const INNER = 2112;
/** PBKDF2: the state after K ⊕ opad. */
export const OUTER = 2176;
/** PBKDF2: the last U_j. */
export const U = 2240;
/** PBKDF2: the sum of all U_j so far. */
export const SUM = 2304;
/** Words of the message schedule with their constants added. */
export const SCHEDULE = 2368;

/** States of four messages, word by word. */
export const FOUR_STATES = 2496;
/** Sixteen words of four messages. */
export const FOUR_WORDS = 2624;
/** Eight words for four output blocks each. */
export const FOUR_INNER = 2880;
/** PBKDF2 of four output blocks: the states after K ⊕ opad. */
export const FOUR_OUTER = 3008;
/** PBKDF2 of four output blocks: the last U_j. */
export const FOUR_U = 3136;
/** PBKDF2 of four output blocks: the sums. */
export const FOUR_SUM = 3264;

/** Maximum bytes of data per call. */
export const BUFFER_BYTES = 65536;
/** A pending block before the data, and two blocks of padding after them. */
export const MARGIN_BYTES = 384;
/** Start of the data. */
export const BUFFER = 4096;
/** Bytes of memory of the module. */
export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + MARGIN_BYTES;
