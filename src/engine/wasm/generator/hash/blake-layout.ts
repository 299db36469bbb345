/**
 * The memory map of the BLAKE module (BLAKE2b and BLAKE3), shared by the kernel and its caller.
 * Offsets in bytes.
 *
 *        0  constants: IVs, byte orders of rotations, lane numbers
 *     1024  SECRETS begin; everything from here on is wiped with the module
 *     1024  STATE: h of one BLAKE2b message
 *     1088  KEY: BLAKE3's key words (the IV where there is no key)
 *     1120  NODE: chaining value of one BLAKE3 compression, then the upper half of its output
 *     1184  WORDS: sixteen words of four chunks, twice
 *     1792  VALUES: chaining values of up to 64 chunks, and room for those of idle lanes
 *     4608  BUFFER: 64 KiB of data, with room for what was left before and padding after
 */

/** The IV of BLAKE2b, that of BLAKE3. */
export const IV_2B = 0;
/** The IV of BLAKE3, 32 bytes. */
export const IV_3 = 64;
/** Byte numbers that rotate 32-bit lanes right by 16 and by 8. */
export const ROTATE_16 = 96;
/** Byte numbers that rotate 32-bit words right by 8. */
export const ROTATE_8 = 112;
/** 0, 1, 2, 3 */
export const LANE_NUMBERS = 128;

/** Where what must be wiped begins. */
export const SECRETS = 1024;
/** h of one BLAKE2b message, 64 bytes. */
export const STATE = 1024;
/** Key words of BLAKE3, 32 bytes; the IV where there is no key. */
export const KEY = 1088;
/** Chaining value of one BLAKE3 compression, then the upper half of its output. */
export const NODE = 1120;
/** Sixteen words of four chunks, twice. */
export const WORDS = 1184;
/** Chaining values of up to 64 chunks. */
export const VALUES = 1792;

/** Bytes of data that one call works on at most. */
export const BUFFER_BYTES = 65536;
/** A block that was begun before the data, and one that is filled up after them. */
export const MARGIN_BYTES = 256;
/** Where the data begins. */
export const BUFFER = 4608;
/** Bytes of memory that the module uses. */
export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + MARGIN_BYTES;
