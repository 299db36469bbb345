/**
 * The memory that AES works in: states, round keys, the tables of one direction and a chunk of
 * blocks, side by side in one piece. There is one for all keys. It is filled before a run of blocks
 * and wiped, but for the tables, after it (run.ts): between two runs it holds no secret.
 *
 * Its views lie on the prototype of `registers`. What V8 finds there it takes for constant and
 * writes addresses and lengths into the machine code: 1.4 times as fast as the same arrays in
 * locals, fields or module scope.
 */

/*
 * Where the parts begin, in words. From 0 on there are two states of 4 words, each followed by 4
 * for the columns of the next one.
 */

/** Added to a block on its way in: OCB's offset, the chaining block or, for CTR, the counter. */
export const MASK = 16;
/** Round keys: 4 · (Nr + 1) ≤ 60 words. */
export const KEYS = MASK + 4;
/** How many blocks OCB has seen. */
export const INDEX = KEYS + 60;
/** CTR: what rounds 1 and 2 of 256 successive counters have in common. */
export const COMMON = INDEX + 1;
/** The active tables (tables.ts), from the next line of the cache on. rounds.ts knows the number. */
export const TABLES = 96;
/** L_0 … L_31 of OCB. */
export const OFFSETS = TABLES + 2048;
/** A chunk of blocks, which stays in the first cache and where callers' views become aligned. */
export const CHUNK = OFFSETS + 128;
/** As many blocks as a counter's last byte counts: what these have in common is computed once. */
export const CHUNK_BYTES = 16 * 256;

/** That memory in words and in bytes. */
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

/** The one set of registers, laid out over shared memory. Wiped after every use. */
export const registers = layOut();
