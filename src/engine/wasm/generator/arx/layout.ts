/**
 * The memory map of the module of ChaCha20, Salsa20 and Poly1305, the same for the kernel and for
 * its face. Offsets in bytes.
 *
 *        0  constants
 *       64  SECRETS begin; everything from here on is wiped with the module
 *       64  STATE: 16 words of a stream cipher's input block, its counter at the next block
 *      128  HEAD: the first four blocks of an AEAD's key stream; the first is Poly1305's key
 *      384  MAC: SUM, R and PAD, Poly1305 at work
 *      464  LENGTHS: the last block of an AEAD's message
 *      480  TAG
 *      512  BUFFER: 64 KiB of data, with room behind for what whole groups write beyond the end
 */

/** Byte orders that rotate 32-bit words by 16 and by 8. */
export const ROTATE_16 = 0;
export const ROTATE_8 = 16;
/** 0, 1, … 7: how far the counters of two groups' blocks are ahead. */
export const AHEAD = 32;

/** Where what must be wiped begins. */
export const SECRETS = 64;

export const STATE = 64;
/** Where ChaCha20 counts; its nonce follows. */
export const STATE_COUNTER = STATE + 48;
export const HEAD = 128;
export const MAC = 384;
export const MAC_BYTES = 80;
/** Five limbs of 32 bits, 8 bytes each. */
export const SUM = MAC;
/** 16 bytes each. */
export const R = 432;
export const PAD = 448;
export const LENGTHS = 464;
export const TAG = 480;

export const BUFFER_BYTES = 65536;
export const BUFFER = 512;

export const BLOCK_BYTES = 64;
/** Four blocks, one in each lane. */
export const GROUP_BYTES = 256;
/** Two groups, whose rounds take turns. */
export const PAIR_BYTES = 512;
/** What HEAD has of key stream for the message. */
export const HEAD_BYTES = GROUP_BYTES - BLOCK_BYTES;

export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + GROUP_BYTES + 16;
