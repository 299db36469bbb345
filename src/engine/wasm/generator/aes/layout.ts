/**
 * The memory map of the AES module, shared by the kernel and its caller. Offsets in bytes.
 *
 *        0  constants: permutations, look-up tables, masks (constants.ts)
 *     4096  SECRETS begin; everything from here on is wiped with the module
 *     4096  CONTEXT: what one key expands to; the caller copies it out and in to change keys
 *     4608  KEY, and the key schedule while it is computed
 *     4864  COUNTER, CHAIN, OFFSET, SUM, HASH, STREAM, MASK: the 16-byte states of modes
 *     5120  bit planes of the round keys and of counter mode, made from CONTEXT when first needed
 *    10240  GHASH and POLYVAL: tables of the key, planes of the streams
 *    13824  OCB: masks and offsets
 *    14592  states in bit planes, and the blocks that they become
 *    16384  BUFFER: 64 KiB of data, with room for a group of blocks before and after
 */

/** Where what must be wiped begins. */
export const SECRETS = 4096;

/** Rounds (u32), then 15 round keys as bytes and 15 for vector permutation, then the subkey. */
export const CONTEXT = 4096;
/** 16 bytes each, in the order of lanes that belongs to the round, 0x63 added from round 1 on. */
export const ROUND_KEYS = CONTEXT + 16;
/** The same in the representation of permute.ts. */
export const PERMUTE_KEYS = ROUND_KEYS + 240;
/** What a mode derives from the key: H of GCM, L_* of OCB. */
export const SUBKEY = PERMUTE_KEYS + 240;

/** 16, 24 or 32 bytes for `expandKey`, which goes on from there: 60 words. */
export const KEY = 4608;

/** Counter block of counter mode, 16 bytes. */
export const COUNTER = 4864;
/** Chaining value of CBC and CBC-MAC, 16 bytes. */
export const CHAIN = 4880;
/** OCB: the current offset, 16 bytes. */
export const OFFSET = 4896;
/** OCB: the checksum, 16 bytes. */
export const SUM = 4912;
/** GHASH and POLYVAL: the running value, 16 bytes. */
export const HASH = 4928;
/** CCM: the key stream of the next block. */
export const STREAM = 4944;
/** GCM: E(J_0), which is added to the hash. */
export const MASK = 4960;

/** 15 round keys of 8 planes. */
export const SLICED_KEYS = 5120;
/** S(counter byte ⊕ key byte) ⊕ 0x63, times the column of MixColumns: 8 · 32 counters, 8 planes. */
export const COUNTER_TABLE = 7040;
/** What the 256 blocks of one run have in common, in planes: two rounds of state and column. */
export const RUN_STATE = 8064;
/** Planes of the column that differs in the second round. */
export const RUN_COLUMN = 8320;
/** The bytes that differ between 32 blocks, after SubBytes of round 2: 8 planes. */
export const VARYING = 8576;

/** Multiples of the hash key by nibbles, of its 17 bytes: low, high. */
export const HASH_TABLE = 10240;
/** The same of its 16th power, for Karatsuba's three products of 8 bytes. */
export const HASH_MANY_TABLE = 10784;
/** A value that becomes a table, between zeros. */
export const HASH_SOURCE = 11664;
/** Planes by byte of 16 blocks: nibbles of both halves and of their sum, products, sum, blocks. */
export const HASH_NIBBLES = 11712;
/** Planes of the three products of Karatsuba's method. */
export const HASH_PRODUCTS = 12480;
/** Planes of the running sum. */
export const HASH_SUMS = 13248;
/** Planes of the 16 blocks. */
export const HASH_BLOCKS = 13504;

/** OCB: L_0 ‖ L_1 ‖ …, and what the offsets of 8 blocks add to the one before them. */
export const OFFSET_MASKS = 13824;
/** OCB: what the offsets of 8 blocks add, 16 bytes each. */
export const OFFSET_STEPS = 14336;
/** L_$, where an eighth step would be. */
export const OFFSET_DOLLAR = OFFSET_STEPS + 112;

/** What the bitsliced functions work on: 2 groups of 8 planes, and the 16 blocks that they become. */
export const STATES = 14592;
/** The 16 blocks that the planes of STATES become. */
export const BLOCKS = 14848;
/** The offsets of the last 16 blocks that were masked. */
export const OFFSETS = 15104;

/** Blocks that hashMany takes at once. */
export const HASH_GROUP_BYTES = 256;

/** Bytes of data that one call works on at most. */
export const BUFFER_BYTES = 65536;
/** Blocks before and after the data that kernels may write while they work on whole groups. */
export const MARGIN_BYTES = 512;
/** Where the data begins. */
export const BUFFER = 16384 + MARGIN_BYTES;
/** Bytes of memory that the module uses. */
export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + MARGIN_BYTES;

/** Bitsliced functions take 16 blocks at once: two groups of 8, whose rounds take turns. */
export const PAIR_BYTES = 256;

/** CBC of 16 messages at once: what each has of BUFFER, one after the other. */
export const CBC_LANES = 16;
/** Whole blocks, and no power of two: the same place of all lanes would compete for one cache set. */
export const CBC_LANE_BYTES = 4032;
