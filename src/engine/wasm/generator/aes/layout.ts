/**
 * The memory map of the AES module, and of that of AEGIS, shared by the kernel and its caller. Offsets in bytes.
 *
 *        0  constants: permutations, look-up tables, masks (constants.ts)
 *     4096  SECRETS begin; everything from here on is wiped with the module
 *     4096  CONTEXT: the expanded key
 *     4608  KEY, and the key schedule while it is computed
 *     4864  COUNTER, CHAIN, OFFSET, SUM, HASH, STREAM, MASK: the 16-byte states of modes
 *     4992  AEGIS: the state, in planes
 *     5120  bit planes of the round keys and of counter mode, computed from CONTEXT at their first use
 *    10240  GHASH and POLYVAL: tables of the key, planes of the streams
 *    13824  OCB: masks and offsets
 *    14592  states in bit planes, and the resulting blocks
 *    16384  BUFFER: 64 KiB of data, with a margin of a group of blocks before and after
 */

/** Start of the memory that must be wiped. */
export const SECRETS = 4096;

/** Rounds (u32), then 15 round keys as bytes and 15 for vector permutation, then the subkey. */
export const CONTEXT = 4096;
/** 16 bytes each, in the order of lanes of the round, with 0x63 added from round 1 on. */
export const ROUND_KEYS = CONTEXT + 16;
/** The same in the representation of permute.ts. */
export const PERMUTE_KEYS = ROUND_KEYS + 240;
/** A value that a mode derives from the key: H of GCM, L_* of OCB. */
export const SUBKEY = PERMUTE_KEYS + 240;

/** 16, 24 or 32 bytes for `expandKey`, which appends its words: 60 in all. */
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
/** GCM: E(J_0), which is XORed to the hash. */
export const MASK = 4960;

/** AEGIS: the blocks of the state as 8 planes. */
export const AEGIS_STATE = 4992;

/** 15 round keys of 8 planes. */
export const SLICED_KEYS = 5120;
/** S(counter byte ⊕ key byte) ⊕ 0x63, times the column of MixColumns: 8 · 32 counters, 8 planes. */
export const COUNTER_TABLE = 7040;
/** The common part of the 256 blocks of one run, in planes: two rounds of state and column. */
export const RUN_STATE = 8064;
/** Planes of the column that differs in the second round. */
export const RUN_COLUMN = 8320;
/** The bytes that differ between 32 blocks, after SubBytes of round 2: 8 planes. */
export const VARYING = 8576;

/** Multiples of the hash key by nibbles, of its 17 bytes: low, high. */
export const HASH_TABLE = 10240;
/** Multiples of its 16th power, for Karatsuba's three products of 8 bytes. */
export const HASH_MANY_TABLE = 10784;
/** The value for `buildTables`, between zeros. */
export const HASH_SOURCE = 11664;
/** Planes by byte of 16 blocks: nibbles of both halves and of their sum, products, sum, blocks. */
export const HASH_NIBBLES = 11712;
/** Planes of the three products of Karatsuba's method. */
export const HASH_PRODUCTS = 12480;
/** Planes of the running sum. */
export const HASH_SUMS = 13248;
/** Planes of the 16 blocks. */
export const HASH_BLOCKS = 13504;

/** OCB: L_0 ‖ L_1 ‖ …, and the differences between the offsets of 8 blocks and the preceding offset. */
export const OFFSET_MASKS = 13824;
/** OCB: the differences of the offsets of 8 blocks, 16 bytes each. */
export const OFFSET_STEPS = 14336;
/** L_$, in place of an eighth step. */
export const OFFSET_DOLLAR = OFFSET_STEPS + 112;

/** Memory of the bitsliced functions: 2 groups of 8 planes, and the 16 resulting blocks. */
export const STATES = 14592;
/** The 16 blocks that result from the planes of STATES. */
export const BLOCKS = 14848;
/** AEGIS: the state as blocks, before its first update and after the last. */
export const AEGIS_BLOCKS = STATES;
/** The offsets of the last 16 blocks that were masked. */
export const OFFSETS = 15104;

/** Blocks that hashMany processes at once. */
export const HASH_GROUP_BYTES = 256;

/** Maximum bytes of data per call. */
export const BUFFER_BYTES = 65536;
/** Blocks before and after the data that kernels for whole groups may overwrite. */
export const MARGIN_BYTES = 512;
/** Start of the data. */
export const BUFFER = 16384 + MARGIN_BYTES;
/** Bytes of memory of the module. */
export const MEMORY_BYTES = BUFFER + BUFFER_BYTES + MARGIN_BYTES;

/** Bitsliced functions process 16 blocks at once: two groups of 8, whose rounds alternate. */
export const PAIR_BYTES = 256;

/** CBC of 16 messages at once: the part of BUFFER for each message, one after the other. */
export const CBC_LANES = 16;
/** Whole blocks, and not a power of two: equal positions of all lanes would map to one cache set. */
export const CBC_LANE_BYTES = 4032;
