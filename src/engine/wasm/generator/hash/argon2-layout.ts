/**
 * The memory map of the Argon2 module, shared by the kernels and their callers. Offsets in bytes.
 *
 *        0  a block of zeros, which nothing writes
 *     1024  what each of up to 16 threads works with, from scratchOf(thread) on:
 *              0  R: the block on which P works
 *           1024  ADDRESSES: the pseudo-random numbers of 128 blocks
 *           2048  INPUT: Z of RFC 9106, section 3.4.1.2
 *    65536  BLOCKS: the matrix B, lane after lane
 */

/** Of a block. */
export const ARGON2_BLOCK_BYTES = 1024;
/** J₁ ‖ J₂ of so many blocks are one block of ADDRESSES. */
export const ADDRESSES_PER_BLOCK = 128;

/** A block of zeros. */
export const ZEROS = 0;
/** Threads that have room to work. */
export const MAX_THREADS = 16;
/** Of a thread's room, in bytes: the numbers of 128 blocks. */
export const ADDRESSES = 1024;
/** Of a thread's room, in bytes: six numbers of 64 bits and a counter, then zeros. */
export const INPUT = 2048;
/** In bytes: the counter of Z. */
export const COUNTER = 2096;
const SCRATCH_BYTES = 3072;
/** Where the matrix begins. */
export const BLOCKS = 65_536;

/** Where the room of a thread begins. @param thread 0 … 15 */
export const scratchOf = (thread: number): number => ARGON2_BLOCK_BYTES + thread * SCRATCH_BYTES;
