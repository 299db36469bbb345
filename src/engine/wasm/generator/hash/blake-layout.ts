/**
 * The memory map of the BLAKE module (BLAKE2b and BLAKE3), shared by the kernel and its caller. Offsets in
 * bytes.
 *
 *        0  constants: IVs, byte orders of rotations, lane numbers
 *     1024  SECRETS begin; everything from here on is wiped with the module
 *     1024  STATE: h of one BLAKE2b message
 *     1088  KEY: BLAKE3's key words (the IV without a key)
 *     1120  NODE: chaining value of one BLAKE3 compression, then the upper half of its output
 *     1184  WORDS: sixteen words of four chunks, twice
 *     1792  VALUES: chaining values of up to 64 chunks, and a margin for idle lanes
 *     4608  BUFFER: 64 KiB of data, with a margin for pending data before and padding after
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

/** Start of the memory that must be wiped. */
export const SECRETS = 1024;
/** h of one BLAKE2b message, 64 bytes. */
export const STATE = 1024;
/** Key words of BLAKE3, 32 bytes; the IV without a key. */
export const KEY = 1088;
/** Chaining value of one BLAKE3 compression, then the upper half of its output. */
export const NODE = 1120;
/** Sixteen words of four chunks, twice. */
export const WORDS = 1184;
/** Chaining values of up to 64 chunks. */
export const VALUES = 1792;

/** Maximum bytes of data per call. */
export const BUFFER_BYTES = 65536;
/** A pending block before the data, and a padded one after them. */
export const MARGIN_BYTES = 256;
/** Start of the data. */
export const BUFFER = 4608;
/** Bytes of memory of the module. */
export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + MARGIN_BYTES;
