/**
 * The memory map of the Keccak module, shared by the kernel and its caller. Offsets in bytes.
 *
 *        0  constants of the rounds
 *      512  SECRETS begin; everything from here on is wiped with the module
 *      512  STATE: 25 lanes of 8 bytes
 *     1024  BUFFER: 64 KiB of data, with a margin for pending data before and padding after
 */
export const ROUND_CONSTANTS_AT = 0;
/** Start of the memory that must be wiped. */
export const SECRETS = 512;
/** The 25 lanes of Keccak, 200 bytes. */
export const STATE = 512;

/** Maximum bytes of data per call. */
export const BUFFER_BYTES = 65536;
/** A pending block before the data, and a padded one after them. */
export const MARGIN_BYTES = 288;
/** Start of the data. */
export const BUFFER = 1024;
/** Bytes of memory of the module. */
export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + MARGIN_BYTES;
