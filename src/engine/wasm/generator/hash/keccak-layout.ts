/**
 * The memory map of the Keccak module, shared by the kernel and its caller. Offsets in bytes.
 *
 *        0  constants: one of each round
 *      512  SECRETS begin; everything from here on is wiped with the module
 *      512  STATE: 25 lanes of 8 bytes
 *     1024  BUFFER: 64 KiB of data, with room for what was left before and padding after
 */
export const ROUND_CONSTANTS_AT = 0;
/** Where what must be wiped begins. */
export const SECRETS = 512;
/** The 25 lanes of Keccak, 200 bytes. */
export const STATE = 512;

/** Bytes of data that one call works on at most. */
export const BUFFER_BYTES = 65536;
/** A block that was begun before the data, and one that is filled up after them. */
export const MARGIN_BYTES = 288;
/** Where the data begins. */
export const BUFFER = 1024;
/** Bytes of memory that the module uses. */
export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + MARGIN_BYTES;
