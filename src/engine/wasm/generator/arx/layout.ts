/**
 * The memory map of the module of ChaCha20, Salsa20 and Poly1305, shared by the kernel and its caller.
 * Offsets in bytes.
 *
 *        0  constants
 *       64  SECRETS begin; everything from here on is wiped with the module
 *       64  STATE: 16 words of a stream cipher's input block, its counter at the next block
 *      128  HEAD: the first four blocks of an AEAD's key stream; the first is Poly1305's key
 *      384  MAC: SUM, R and PAD, the state of Poly1305
 *      464  LENGTHS: the last block of an AEAD's message
 *      480  TAG
 *      512  BUFFER: 64 KiB of data, and a margin for whole groups
 */

/** Byte order that rotates 32-bit words by 16. */
export const ROTATE_16 = 0;
/** Byte order that rotates 32-bit words by 8. */
export const ROTATE_8 = 16;
/** 0, 1, … 7: differences of the counters of two groups' blocks. */
export const AHEAD = 32;

/** Start of the memory that must be wiped. */
export const SECRETS = 64;

/** The 16 words of a block's input, 64 bytes. */
export const STATE = 64;
/** The counter of ChaCha20; its nonce follows. */
export const STATE_COUNTER = STATE + 48;
/** The first four blocks of an AEAD's key stream, 256 bytes. The first one contains Poly1305's key. */
export const HEAD = 128;
/** The state of Poly1305: SUM, R and PAD. */
export const MAC = 384;
/** Bytes of the state of Poly1305. */
export const MAC_BYTES = 80;
/** Five limbs of 32 bits, 8 bytes each. */
export const SUM = MAC;
/** Poly1305: r, clamped, 16 bytes. */
export const R = 432;
/** The second half of Poly1305's key, added at the end: 16 bytes. */
export const PAD = 448;
/** Lengths of associated data and ciphertext, two little-endian 64-bit words. */
export const LENGTHS = 464;
/** The finished tag, 16 bytes. */
export const TAG = 480;

/** Maximum bytes of data per call. */
export const BUFFER_BYTES = 65536;
/** Start of the data. */
export const BUFFER = 512;

/** Bytes of one block of key stream. */
export const BLOCK_BYTES = 64;
/** Four blocks, one in each lane. */
export const GROUP_BYTES = 256;
/** Two groups, whose rounds alternate. */
export const PAIR_BYTES = 512;
/** The bytes of HEAD that are key stream for the message. */
export const HEAD_BYTES = GROUP_BYTES - BLOCK_BYTES;

/** Bytes of memory of the module. */
export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + GROUP_BYTES + 16;
