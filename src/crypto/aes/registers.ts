/**
 * The working memory of AES in one buffer: states, round keys, the tables of one direction and a chunk of
 * blocks. All keys share it. run.ts fills it before a run of blocks and wipes it afterwards, except the
 * tables, so that it contains no secret between two runs.
 *
 * Its views are on the prototype of `registers`. V8 treats such values as constants and compiles addresses
 * and lengths into the machine code: 1.4 times as fast as the same arrays in locals, fields or module scope.
 */

/*
 * Offsets of the parts, in words. The memory begins with two states of 4 words, each followed by 4 words for
 * the columns of the next state.
 */

/** XORed to a block before the cipher: OCB's offset, the chaining block or, for CTR, the counter. */
export const MASK = 16;
/** Round keys: 4 · (Nr + 1) ≤ 60 words. */
export const KEYS = MASK + 4;
/** Number of blocks that OCB has processed. */
export const INDEX = KEYS + 60;
/** CTR: the part of rounds 1 and 2 that 256 successive counters share. */
export const COMMON = INDEX + 1;
/** The active tables (tables.ts), at the next cache line. rounds.ts repeats this number. */
export const TABLES = 96;
/** L_0 … L_31 of OCB. */
export const OFFSETS = TABLES + 2048;
/**
 * A chunk of blocks. It fits into the first-level cache, and callers' views are copied here for alignment.
 */
export const CHUNK = OFFSETS + 128;
/** 256 blocks: the values of a counter's last byte, for which common work is done once. */
export const CHUNK_BYTES = 16 * 256;

/** The memory as words and as bytes. */
export interface Registers {
  readonly w: Int32Array;
  readonly b: Uint8Array;
}

function layOut(): Registers {
  const memory = new ArrayBuffer(4 * CHUNK + CHUNK_BYTES);
  const views = { w: new Int32Array(memory), b: new Uint8Array(memory) };
  views.w[0] = 1;
  if (!views.b[0]) throw new Error('big-endian');
  return Object.create(views) as Registers;
}

/** The one set of registers, over shared memory. Wiped after every use. */
export const registers = layOut();
