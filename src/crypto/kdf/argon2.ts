import { concat, wipe } from '../bytes.ts';
import { checkBytes, checkInteger } from '../errors.ts';
import { Blake2b } from '../hash/blake2b.ts';
import { load32le, store32le } from '../words.ts';
import { BLOCK_WORDS, mixBlocks, multiplyHigh, wipeScratch } from './argon2-block.ts';

/** The types of Argon2, in the order of their numbers (RFC 9106, section 3.2). */
export const ARGON2_NAMES = ['Argon2d', 'Argon2i', 'Argon2id'] as const;
/** A type of Argon2. */
export type Argon2Name = (typeof ARGON2_NAMES)[number];

/** RFC 9106, section 3.1 */
export interface Argon2Options {
  /** S, any length here; 16 bytes are recommended */
  readonly nonce: Uint8Array;
  /** m in KiB: at least 8 per lane */
  readonly memoryKiB: number;
  /** t, at least 1 */
  readonly passes: number;
  /** p: lanes, processed one after the other; 1 … 2^24 - 1 */
  readonly parallelism: number;
  /** K, any length; none by default */
  readonly secret?: Uint8Array;
  /** X, any length; none by default */
  readonly associatedData?: Uint8Array;
}

const VERSION = 0x13;
/** SL: slices per pass */
export const ARGON2_SLICES = 4;
const BLOCK_BYTES = 1024;
const MAX_LANES = 0xff_ffff;
/** H_0 contains the lengths as 32 bits. */
const MAX_U32 = 0xffff_ffff;
const EMPTY = /* @__PURE__ */ new Uint8Array(0);

/** The position of a segment in the computation. */
export interface Segment {
  readonly pass: number;
  /** 0 … 3 */
  readonly slice: number;
  readonly lane: number;
}

/** The form of the matrix B of a derivation. */
export interface Argon2Matrix {
  readonly name: Argon2Name;
  /** p: rows */
  readonly lanes: number;
  /** Blocks of a segment, a quarter of a lane. */
  readonly segmentLength: number;
  /** q: blocks of a lane. p q = m', m rounded down to a multiple of 4 p. */
  readonly laneLength: number;
  /** t */
  readonly passes: number;
}

/**
 * Argon2d, Argon2i or Argon2id (RFC 9106), version 0x13. The addresses of Argon2d depend on the password, those of
 * Argon2id from the third slice on: an attacker who can observe the cache learns about it. This is a property of both.
 *
 * @param name its position in ARGON2_NAMES is y
 * @param password P, any length
 * @param lengthBytes T, 4 … 2^32 - 1
 * @returns lengthBytes bytes
 * @throws TypeError or RangeError for parameters that section 3.1 does not allow, and if there is not enough
 * memory
 */
export function argon2(
  name: Argon2Name,
  password: Uint8Array,
  options: Argon2Options,
  lengthBytes: number,
): Uint8Array {
  checkArgon2(password, options, lengthBytes);
  const seed = initialHash(name, password, options, lengthBytes);
  const memory = new Memory(matrixOf(name, options));
  try {
    memory.begin(seed);
    for (let pass = 0; pass < options.passes; pass++) memory.pass(pass);
    return memory.finish(lengthBytes);
  } finally {
    wipe(seed);
    memory.wipe();
  }
}

/** @throws TypeError or RangeError for parameters that section 3.1 does not allow */
export function checkArgon2(
  password: Uint8Array,
  options: Argon2Options,
  lengthBytes: number,
): void {
  const { nonce, memoryKiB, passes, parallelism, secret, associatedData } = options;
  checkBytes('password', password, { min: 0, max: MAX_U32 });
  checkBytes('nonce', nonce, { min: 0, max: MAX_U32 });
  checkInteger('parallelism', parallelism, 1, MAX_LANES);
  checkInteger('memoryKiB', memoryKiB, 8 * parallelism, MAX_U32);
  checkInteger('passes', passes, 1, MAX_U32);
  checkInteger('lengthBytes', lengthBytes, 4, MAX_U32);
  if (secret !== undefined) checkBytes('secret', secret, { min: 0, max: MAX_U32 });
  if (associatedData !== undefined) {
    checkBytes('associatedData', associatedData, { min: 0, max: MAX_U32 });
  }
}

/** The matrix for parameters that `checkArgon2` accepts. */
export function matrixOf(
  name: Argon2Name,
  { memoryKiB, parallelism, passes }: Argon2Options,
): Argon2Matrix {
  const segmentLength = Math.floor(memoryKiB / (ARGON2_SLICES * parallelism));
  const laneLength = ARGON2_SLICES * segmentLength;
  return { name, lanes: parallelism, segmentLength, laneLength, passes };
}

/** H_0, section 3.2, step 1. @returns 64 bytes */
export function initialHash(
  name: Argon2Name,
  password: Uint8Array,
  options: Argon2Options,
  lengthBytes: number,
): Uint8Array {
  const { nonce, memoryKiB, passes, parallelism } = options;
  const hash = new Blake2b();
  const type = ARGON2_NAMES.indexOf(name);
  for (const number of [parallelism, lengthBytes, memoryKiB, passes, VERSION, type]) {
    hash.update(le32(number));
  }
  for (const part of [password, nonce, options.secret ?? EMPTY, options.associatedData ?? EMPTY]) {
    hash.update(le32(part.length)).update(part);
  }
  const digest = hash.digest();
  hash.wipe();
  return digest;
}

/**
 * B[i][0] and B[i][1], section 3.2, steps 3 and 4.
 *
 * @param seed H_0
 * @param column 0 or 1
 * @returns 1,024 bytes
 */
export function firstBlock(seed: Uint8Array, lane: number, column: number): Uint8Array {
  return longHash(concat(seed, le32(column), le32(lane)), BLOCK_BYTES);
}

/**
 * Whether the addresses of a segment depend on the position and not on the password: always for Argon2i, in the first
 * two slices for Argon2id (section 3.4.1.3), never for Argon2d.
 */
export function isIndependent(name: Argon2Name, { pass, slice }: Segment): boolean {
  return name === 'Argon2i' || (name === 'Argon2id' && pass === 0 && slice < 2);
}

/** Z without its counter, section 3.4.1.2. @returns six numbers of 64 bits, below 2^32 */
export function addressInput(
  { name, lanes, laneLength, passes }: Argon2Matrix,
  { pass, slice, lane }: Segment,
): readonly number[] {
  return [pass, lane, slice, lanes * laneLength, passes, ARGON2_NAMES.indexOf(name)];
}

/**
 * The part of each lane that blocks of a segment may refer to (section 3.4.2), but for the finished blocks of the
 * segment itself.
 *
 * @returns its length in blocks, and the column where it begins, modulo the length of a lane
 */
export function referenceWindow(
  { segmentLength }: Argon2Matrix,
  { pass, slice }: Segment,
): { readonly finished: number; readonly first: number } {
  return pass === 0
    ? { finished: slice * segmentLength, first: 0 }
    : {
        finished: (ARGON2_SLICES - 1) * segmentLength,
        first: ((slice + 1) % ARGON2_SLICES) * segmentLength,
      };
}

/** The variable-length hash H', section 3.3 */
export function longHash(input: Uint8Array, lengthBytes: number): Uint8Array {
  const prefixed = concat(le32(lengthBytes), input);
  if (lengthBytes <= 64) return blake2b(prefixed, lengthBytes);
  // H'^T(A) = W_1 || W_2 || ... || W_r || V_{r+1}, where W_i is the first half of V_i
  const output = new Uint8Array(lengthBytes);
  let v = blake2b(prefixed, 64);
  let done = 0;
  for (; lengthBytes - done > 64; done += 32) {
    output.set(v.subarray(0, 32), done);
    v = blake2b(v, Math.min(64, lengthBytes - done - 32));
  }
  output.set(v, done);
  wipe(prefixed, v);
  return output;
}

function blake2b(input: Uint8Array, digestBytes: number): Uint8Array {
  const hash = new Blake2b({ digestBytes }).update(input);
  const digest = hash.digest();
  hash.wipe();
  return digest;
}

/** The matrix B of blocks: one row per lane, cut into four slices. */
class Memory {
  readonly #matrix: Argon2Matrix;
  readonly #blocks: Int32Array;

  constructor(matrix: Argon2Matrix) {
    this.#matrix = matrix;
    this.#blocks = new Int32Array(matrix.lanes * matrix.laneLength * BLOCK_WORDS);
  }

  /** Section 3.2, steps 3 and 4: the first two columns */
  begin(seed: Uint8Array): void {
    for (let lane = 0; lane < this.#matrix.lanes; lane++) {
      for (const column of [0, 1]) {
        const bytes = firstBlock(seed, lane, column);
        const block = this.#place(lane, column);
        for (let i = 0; i < BLOCK_WORDS; i++) this.#blocks[block + i] = load32le(bytes, 4 * i);
        wipe(bytes);
      }
    }
  }

  /** Steps 5 and 6: slices are synchronized; the lanes within one are independent. */
  pass(pass: number): void {
    for (let slice = 0; slice < ARGON2_SLICES; slice++) {
      for (let lane = 0; lane < this.#matrix.lanes; lane++) this.#fill({ pass, slice, lane });
    }
  }

  /** Steps 7 and 8: the XOR of the last column, hashed */
  finish(lengthBytes: number): Uint8Array {
    const sum = new Int32Array(BLOCK_WORDS);
    const { lanes, laneLength } = this.#matrix;
    for (let lane = 0; lane < lanes; lane++) {
      const last = this.#place(lane, laneLength - 1);
      for (let i = 0; i < BLOCK_WORDS; i++) sum[i] ^= this.#blocks[last + i];
    }
    const bytes = new Uint8Array(BLOCK_BYTES);
    sum.forEach((word, i) => store32le(bytes, 4 * i, word));
    const tag = longHash(bytes, lengthBytes);
    wipe(sum, bytes);
    return tag;
  }

  wipe(): void {
    wipe(this.#blocks);
    wipeScratch();
  }

  /** Where the words of a block begin. */
  #place(lane: number, column: number): number {
    return (lane * this.#matrix.laneLength + column) * BLOCK_WORDS;
  }

  /** B[i][j] = G(B[i][j-1], B[l][z]), from the second pass on XORed to the previous block */
  #fill(segment: Segment): void {
    const { pass, slice, lane } = segment;
    const { name, segmentLength, laneLength } = this.#matrix;
    const blocks = this.#blocks;
    const addresses = isIndependent(name, segment) ? this.#addresses(segment) : undefined;
    const skipped = pass === 0 && slice === 0 ? 2 : 0;
    for (let index = skipped; index < segmentLength; index++) {
      const column = slice * segmentLength + index;
      const previous = this.#place(lane, (column + laneLength - 1) % laneLength);
      const [from, at] = addresses ? [addresses(index), 2 * (index % 128)] : [blocks, previous];
      const reference = this.#reference(segment, index, from[at] >>> 0, from[at + 1] >>> 0);
      mixBlocks(blocks, previous, reference, this.#place(lane, column), pass > 0);
    }
  }

  /** Section 3.4.1.2: J_1 and J_2 of 128 indexes, that of `index` among them: a block G(0, G(0, Z)) */
  #addresses(segment: Segment): (index: number) => Int32Array {
    // Three blocks: the result, Z, and one of zeros
    const memory = new Int32Array(3 * BLOCK_WORDS);
    const [z, zero] = [BLOCK_WORDS, 2 * BLOCK_WORDS];
    const input = addressInput(this.#matrix, segment);
    input.forEach((word, i) => (memory[z + 2 * i] = word));
    const counterAt = z + 2 * input.length;
    return (index) => {
      const counter = Math.floor(index / 128) + 1;
      if (memory[counterAt] !== counter) {
        memory[counterAt] = counter;
        mixBlocks(memory, zero, z, 0, false);
        mixBlocks(memory, zero, 0, 0, false);
      }
      return memory;
    };
  }

  /** Section 3.4.2: the block that J_1 and J_2 point to */
  #reference(segment: Segment, index: number, j1: number, j2: number): number {
    const { pass, slice, lane } = segment;
    const { lanes, laneLength } = this.#matrix;
    const isFirstSlice = pass === 0 && slice === 0;
    const l = isFirstSlice ? lane : j2 % lanes;
    // W: the finished slices, and the blocks of this segment so far for the same lane; never B[i][j-1]
    const { finished, first } = referenceWindow(this.#matrix, segment);
    const size = finished + (l === lane ? index - 1 : index === 0 ? -1 : 0);
    const x = upperHalf(j1, j1);
    const position = size - 1 - upperHalf(size, x);
    return this.#place(l, (first + position) % laneLength);
  }
}

/** The upper 32 bits of the product of two numbers of 32 bits, unsigned. */
const upperHalf = (x: number, y: number): number => multiplyHigh(x, y, Math.imul(x, y)) >>> 0;

function le32(number: number): Uint8Array {
  const bytes = new Uint8Array(4);
  store32le(bytes, 0, number);
  return bytes;
}
