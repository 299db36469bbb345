/**
 * The memory map of the Keccak module, the same for the kernel and for its face. Offsets in bytes.
 *
 *        0  constants: one of each round
 *      512  SECRETS begin; everything from here on is wiped with the module
 *      512  STATE: 25 lanes of 8 bytes
 *     1024  BUFFER: 64 KiB of data, with room for what was left before and padding after
 */
export const ROUND_CONSTANTS_AT = 0;
export const SECRETS = 512;
export const STATE = 512;

export const BUFFER_BYTES = 65536;
/** A block that was begun before the data, and one that is filled up after them. */
export const MARGIN_BYTES = 288;
export const BUFFER = 1024;
export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + MARGIN_BYTES;
