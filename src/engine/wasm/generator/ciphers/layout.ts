/**
 * The memory map of the modules of the old block ciphers, shared by the kernels and their caller. Each module
 * has one cipher. Offsets in bytes.
 *
 *        0  constants
 *       64  SECRETS begin; everything from here on is wiped with the module
 *       64  COUNTER: the next counter blocks of a vector, their last words in the byte order of the host
 *       80  CHAIN: the last ciphertext block of CBC
 *       96  OFFSET: Offset_i of OCB
 *      112  SUM: the sum of OCB's plaintext
 *      128  OFFSETS: L_0, L_1, … of OCB
 *      640  STEPS: what the offsets of a whole group differ by from the one before it
 *      896  KEYS: round keys, in the cipher's own form
 *     8192  TEXT: 16 KiB of blocks, and a margin for whole groups
 *    24832  MASK: what a mode XORs to each of them, and the same margin
 *    41472  TABLES that do not depend on keys; not wiped
 */

/** Counters that are in one vector: their first words, and their last word as a number. */
export const COUNTER = 64;
/** One block. */
export const CHAIN = 80;
/** One block. */
export const OFFSET = 96;
/** L_0 ‖ L_1 ‖ …, one block each: of up to 2^32 blocks. */
export const OFFSETS = 128;
/** The XOR of OCB's plaintext blocks: a vector, in which blocks of 8 bytes have two sums. */
export const SUM = 112;
/** Offset_{n+1} ⊕ Offset_n, Offset_{n+2} ⊕ Offset_n, …, n a multiple of a group's blocks; see `offsetGroups`. */
export const STEPS = 640;
/** Round keys. */
export const KEYS = 896;
/** Blocks, which are processed in place. */
export const TEXT = 8192;
/** Maximum bytes of data per call. */
export const TEXT_BYTES = 16_384;
/** Blocks that vectors process at once: 16 of 8 bytes, 8 of 16 bytes. */
export const GROUP_BYTES = 128;
/** Serpent's: 16 blocks. No cipher has larger groups. */
export const LARGE_GROUP_BYTES = 256;
/** Two blocks of 16 bytes, for ciphers whose tables allow no vectors. */
export const PAIR_BYTES = 32;
/** Key stream, previous blocks or offsets for the blocks at TEXT. */
export const MASK = TEXT + TEXT_BYTES + LARGE_GROUP_BYTES;

/** Start of the memory that must be wiped. */
export const SECRETS = COUNTER;
/** Tables of the cipher, which its caller writes once. */
export const TABLES = MASK + TEXT_BYTES + LARGE_GROUP_BYTES;
/** Bytes of memory of each module. */
export const MEMORY_BYTES = TABLES + 20_480;

/** IDEA: 52 factors and addends as 32-bit words, for single blocks. */
export const IDEA_SINGLE = KEYS;
/** IDEA: 52 subkeys of encryption for vectors, 16 bytes each; then those of decryption. */
export const IDEA_ENCRYPT = IDEA_SINGLE + 256;
/** Bytes of a subkey for vectors. */
export const IDEA_SUBKEY_BYTES = 16;
/** See IDEA_ENCRYPT. */
export const IDEA_DECRYPT = IDEA_ENCRYPT + 52 * IDEA_SUBKEY_BYTES;

/** Twofish: the four S-boxes of the key with the MDS matrix, after the 40 round keys. */
export const TWOFISH_TABLES = KEYS + 4 * 40;

/** SC2000: the number of steps, 7 or 8; then eight round keys for each. */
export const SC2000_STEPS = KEYS;
/** See SC2000_STEPS. */
export const SC2000_KEYS = KEYS + 4;
