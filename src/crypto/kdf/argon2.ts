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
/** y: positions in ARGON2_NAMES */
const ARGON2I = 1;
const ARGON2ID = 2;
/** SL: slices per pass */
const SLICES = 4;
const BLOCK_BYTES = 4 * BLOCK_WORDS;
const MAX_LANES = 2 ** 24 - 1;
/** H_0 contains the lengths as 32 bits. */
const MAX_U32 = 2 ** 32 - 1;
const EMPTY = new Uint8Array(0);

/** The position of a segment in the computation. */
interface Segment {
  readonly pass: number;
  readonly slice: number;
  readonly lane: number;
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
  check(password, options, lengthBytes);
  const type = ARGON2_NAMES.indexOf(name);
  const seed = initialHash(type, password, options, lengthBytes);
  const memory = new Memory(type, options);
  try {
    memory.begin(seed);
    for (let pass = 0; pass < options.passes; pass++) memory.pass(pass);
    return memory.finish(lengthBytes);
  } finally {
    wipe(seed);
    memory.wipe();
  }
}

function check(password: Uint8Array, options: Argon2Options, lengthBytes: number): void {
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

/** H_0, section 3.2, step 1 */
function initialHash(
  type: number,
  password: Uint8Array,
  options: Argon2Options,
  lengthBytes: number,
): Uint8Array {
  const { nonce, memoryKiB, passes, parallelism } = options;
  const hash = new Blake2b();
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

/** The variable-length hash H', section 3.3 */
function longHash(input: Uint8Array, lengthBytes: number): Uint8Array {
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
  readonly #type: number;
  readonly #lanes: number;
  readonly #segmentLength: number;
  readonly #laneLength: number;
  readonly #passes: number;
  readonly #blocks: Int32Array;

  /** m' blocks: m rounded down to a multiple of 4 p */
  constructor(type: number, { memoryKiB, parallelism, passes }: Argon2Options) {
    this.#type = type;
    this.#lanes = parallelism;
    this.#segmentLength = Math.floor(memoryKiB / (SLICES * parallelism));
    this.#laneLength = SLICES * this.#segmentLength;
    this.#passes = passes;
    this.#blocks = new Int32Array(parallelism * this.#laneLength * BLOCK_WORDS);
  }

  /** Section 3.2, steps 3 and 4: the first two columns */
  begin(seed: Uint8Array): void {
    for (let lane = 0; lane < this.#lanes; lane++) {
      for (const column of [0, 1]) {
        const bytes = longHash(concat(seed, le32(column), le32(lane)), BLOCK_BYTES);
        const block = this.#place(lane, column);
        for (let i = 0; i < BLOCK_WORDS; i++) this.#blocks[block + i] = load32le(bytes, 4 * i);
        wipe(bytes);
      }
    }
  }

  /** Steps 5 and 6: slices are synchronized; the lanes within one are independent. */
  pass(pass: number): void {
    for (let slice = 0; slice < SLICES; slice++) {
      for (let lane = 0; lane < this.#lanes; lane++) this.#fill({ pass, slice, lane });
    }
  }

  /** Steps 7 and 8: the XOR of the last column, hashed */
  finish(lengthBytes: number): Uint8Array {
    const sum = new Int32Array(BLOCK_WORDS);
    for (let lane = 0; lane < this.#lanes; lane++) {
      const last = this.#place(lane, this.#laneLength - 1);
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
    return (lane * this.#laneLength + column) * BLOCK_WORDS;
  }

  /** B[i][j] = G(B[i][j-1], B[l][z]), from the second pass on XORed to the previous block */
  #fill(segment: Segment): void {
    const { pass, slice, lane } = segment;
    const blocks = this.#blocks;
    const addresses = this.#isIndependent(segment) ? this.#addresses(segment) : undefined;
    const skipped = pass === 0 && slice === 0 ? 2 : 0;
    for (let index = skipped; index < this.#segmentLength; index++) {
      const column = slice * this.#segmentLength + index;
      const previous = this.#place(lane, (column + this.#laneLength - 1) % this.#laneLength);
      const [from, at] = addresses ? [addresses(index), 2 * (index % 128)] : [blocks, previous];
      const reference = this.#reference(segment, index, from[at] >>> 0, from[at + 1] >>> 0);
      mixBlocks(blocks, previous, reference, this.#place(lane, column), pass > 0);
    }
  }

  /**
   * Whether the addresses of a segment depend on the position and not on the password: always for Argon2i, in the first
   * two slices for Argon2id (section 3.4.1.3), never for Argon2d.
   */
  #isIndependent({ pass, slice }: Segment): boolean {
    const isFirstHalf = pass === 0 && slice < 2;
    return this.#type === ARGON2I || (this.#type === ARGON2ID && isFirstHalf);
  }

  /** Section 3.4.1.2: J_1 and J_2 of 128 indexes, that of `index` among them: a block G(0, G(0, Z)) */
  #addresses({ pass, slice, lane }: Segment): (index: number) => Int32Array {
    const blockCount = this.#lanes * this.#laneLength;
    // Three blocks: the result, Z, and one of zeros
    const memory = new Int32Array(3 * BLOCK_WORDS);
    const [z, zero] = [BLOCK_WORDS, 2 * BLOCK_WORDS];
    const input = [pass, lane, slice, blockCount, this.#passes, this.#type];
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
  #reference({ pass, slice, lane }: Segment, index: number, j1: number, j2: number): number {
    const isFirstSlice = pass === 0 && slice === 0;
    const l = isFirstSlice ? lane : j2 % this.#lanes;
    // W: the finished slices, and the blocks of this segment so far for the same lane; never B[i][j-1]
    const finished = (pass === 0 ? slice : SLICES - 1) * this.#segmentLength;
    const size = finished + (l === lane ? index - 1 : index === 0 ? -1 : 0);
    const x = upperHalf(j1, j1);
    const position = size - 1 - upperHalf(size, x);
    const first = pass === 0 ? 0 : (slice + 1) * this.#segmentLength;
    return this.#place(l, (first + position) % this.#laneLength);
  }
}

/** The upper 32 bits of the product of two numbers of 32 bits, unsigned. */
const upperHalf = (x: number, y: number): number => multiplyHigh(x, y, Math.imul(x, y)) >>> 0;

function le32(number: number): Uint8Array {
  const bytes = new Uint8Array(4);
  store32le(bytes, 0, number);
  return bytes;
}
