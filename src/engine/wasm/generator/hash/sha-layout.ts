/**
 * The memory map of the SHA module (SHA-1 and SHA-2), the same for the kernel and for its face.
 * Offsets in bytes. All words lie in memory as WebAssembly loads them, little-endian: the face
 * turns a state into a digest by `swap`.
 *
 *        0  constants: K, initial states, byte orders
 *     2048  SECRETS begin; everything from here on is wiped with the module
 *     2048  STATE: the chaining state of one message
 *     2112  PBKDF2: INNER, OUTER, U, SUM
 *     2368  SCHEDULE: words of the message schedule with their constants added
 *     2496  FOUR_STATES: those of four messages, word by word
 *     2624  FOUR_WORDS: sixteen words of four messages
 *     2880  FOUR_INNER … FOUR_SUM: PBKDF2 of four output blocks
 *     4096  BUFFER: 64 KiB of data, with room for what was left before and padding after
 */

export const K256 = 0;
export const K512 = 256;
/** Byte orders for `swap`: big-endian words of 4 and of 8 bytes. */
export const SWAP_4 = 960;
export const SWAP_8 = 976;
export const INITIAL_1 = 992;
export const INITIAL_256 = 1024;
export const INITIAL_384 = 1056;
export const INITIAL_512 = 1120;

export const SECRETS = 2048;
export const STATE = 2048;
/** The states after K ⊕ ipad and K ⊕ opad, the last U_j, and the sum of all so far. */
export const INNER = 2112;
export const OUTER = 2176;
export const U = 2240;
export const SUM = 2304;
export const SCHEDULE = 2368;

export const FOUR_STATES = 2496;
export const FOUR_WORDS = 2624;
/** Eight words for four output blocks each. */
export const FOUR_INNER = 2880;
export const FOUR_OUTER = 3008;
export const FOUR_U = 3136;
export const FOUR_SUM = 3264;

export const BUFFER_BYTES = 65536;
/** A block that was begun before the data, and two blocks of padding after them. */
export const MARGIN_BYTES = 384;
export const BUFFER = 4096;
export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + MARGIN_BYTES;
