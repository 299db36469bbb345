/** Argon2 (RFC 9106) on the Argon2 module, with BLAKE2b of src/crypto for its first and its last blocks. */
import { wipe, xorInto } from '../../../crypto/bytes.ts';
import {
  addressInput,
  ARGON2_SLICES,
  checkArgon2,
  firstBlock,
  initialHash,
  isIndependent,
  longHash,
  matrixOf,
  referenceWindow,
} from '../../../crypto/kdf/argon2.ts';
import type {
  Argon2Matrix,
  Argon2Name,
  Argon2Options,
  Segment,
} from '../../../crypto/kdf/argon2.ts';
import { store32le } from '../../../crypto/words.ts';
import { EngineError } from '../../contract.ts';
import {
  ADDRESSES_PER_BLOCK,
  ARGON2_BLOCK_BYTES,
  BLOCKS,
  COUNTER,
  INPUT,
  scratchOf,
} from '../generator/hash/argon2-layout.ts';
import type { LoadWasm } from '../loader.ts';

/** Functions of the module; the kernels document the arguments. */
export interface Argon2Functions {
  readonly wipe: (offset: number, length: number) => void;
  readonly addresses: (scratch: number) => void;
  readonly fillByPosition: Fill;
  readonly fillByContent: Fill;
}
interface Argon2Exports extends Argon2Functions {
  readonly memory: WebAssembly.Memory;
}
type Fill = (
  scratch: number,
  lanes: number,
  lane: number,
  laneLength: number,
  column: number,
  index: number,
  count: number,
  finished: number,
  first: number,
  own: number,
  again: number,
) => void;

const PAGE_BYTES = 65_536;
/** The address space of WebAssembly, without a page. */
const MOST_BYTES = 0xffff_0000;
/** Blocks filled per call of the module: 1 to 4 ms. A multiple of 128. */
const STEP_BLOCKS = 4096;
/** Where the room of threads begins, and what is wiped from. */
const SCRATCH = /* @__PURE__ */ scratchOf(0);

/**
 * Memory up to this size, for 64 MiB of blocks, is wiped and kept for the next derivation, because the system takes
 * longer to provide cleared pages than a third of a derivation.
 */
export const KEPT_BYTES = 0x401_0000;
const KEPT_MS = 10_000;

/** One memory that is not in use, wiped: kept for ten seconds. */
export class KeptMemory<T> {
  #memory: T | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** What is kept; it is no longer kept then. */
  take(): T | undefined {
    clearTimeout(this.#timer);
    const memory = this.#memory;
    this.#memory = undefined;
    return memory;
  }

  /** Takes the place of what was kept. */
  keep(memory: T): void {
    this.take();
    this.#memory = memory;
    this.#timer = setTimeout(() => this.take(), KEPT_MS);
    // Only Node's timers keep a process alive.
    (this.#timer as { unref?: () => void }).unref?.();
  }
}

/** Argon2 (RFC 9106) as a function of its parameters. */
export class Argon2 {
  readonly #module: WebAssembly.Module;
  readonly #idle = new KeptMemory<Argon2Exports>();

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /**
   * @param password P, any length
   * @param lengthBytes T, 4 … 2^32 - 1
   * @returns lengthBytes bytes
   * @throws TypeError or RangeError for parameters that section 3.1 does not allow
   * @throws EngineError if there is not enough memory
   */
  derive(
    name: Argon2Name,
    password: Uint8Array,
    options: Argon2Options,
    lengthBytes: number,
  ): Uint8Array {
    const steps = this.steps(name, password, options, lengthBytes);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /**
   * Argon2 in steps, for a caller that shows progress, yields to other work or stops early (by leaving the
   * loop, which wipes the state). Each derivation has its own memory, which is wiped at its end.
   *
   * @returns a generator that yields the share done, 0 … 1, and returns the derived key. Arguments are
   * checked in this call, not at the generator's first step.
   */
  steps(
    name: Argon2Name,
    password: Uint8Array,
    options: Argon2Options,
    lengthBytes: number,
  ): Generator<number, Uint8Array, void> {
    checkArgon2(password, options, lengthBytes);
    return this.#derive(name, password, options, lengthBytes);
  }

  *#derive(
    name: Argon2Name,
    password: Uint8Array,
    options: Argon2Options,
    lengthBytes: number,
  ): Generator<number, Uint8Array, void> {
    const matrix = matrixOf(name, options);
    const blocks = matrix.lanes * matrix.laneLength;
    const memoryBytes = matrixBytes(matrix);
    const exports = this.#instance(memoryBytes);
    const bytes = new Uint8Array(exports.memory.buffer);
    const seed = initialHash(name, password, options, lengthBytes);
    try {
      beginMatrix(bytes, matrix, seed);
      let done = 0;
      for (const segment of segmentsOf(matrix)) {
        for (const count of fillSegment(exports, bytes, matrix, segment)) {
          done += count;
          yield done / (blocks * matrix.passes);
        }
      }
      return finishMatrix(bytes, matrix, lengthBytes);
    } finally {
      wipe(seed);
      wipeMatrix(exports, matrix);
      if (bytes.length <= KEPT_BYTES) this.#idle.keep(exports);
    }
  }

  /** Releases the memory that is kept between derivations. */
  release(): void {
    this.#idle.take();
  }

  /** An instance with enough memory, for one derivation. */
  #instance(memoryBytes: number): Argon2Exports {
    if (memoryBytes > MOST_BYTES) throw new EngineError('Argon2: too much memory for WebAssembly');
    const exports = this.#idle.take() ?? this.#fresh();
    const missing = memoryBytes - exports.memory.buffer.byteLength;
    try {
      if (missing > 0) exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
    } catch (cause) {
      throw new EngineError('Argon2: there is not so much memory', { cause });
    }
    return exports;
  }

  #fresh(): Argon2Exports {
    return new WebAssembly.Instance(this.#module).exports as unknown as Argon2Exports;
  }
}

/** Of the memory that a matrix needs. */
export const matrixBytes = ({ lanes, laneLength }: Argon2Matrix): number =>
  BLOCKS + lanes * laneLength * ARGON2_BLOCK_BYTES;

/** Wipes the matrix, and the room of threads. */
export function wipeMatrix(functions: Argon2Functions, matrix: Argon2Matrix): void {
  functions.wipe(SCRATCH, matrixBytes(matrix) - SCRATCH);
}

/** Section 3.2, steps 3 and 4: the first two columns. @param bytes the memory */
export function beginMatrix(bytes: Uint8Array, matrix: Argon2Matrix, seed: Uint8Array): void {
  for (let lane = 0; lane < matrix.lanes; lane++) {
    for (const column of [0, 1]) {
      const block = firstBlock(seed, lane, column);
      bytes.set(block, placeOf(matrix, lane, column));
      wipe(block);
    }
  }
}

/** Every segment, in an order in which what a segment refers to is filled before it. */
export function* segmentsOf({ passes, lanes }: Argon2Matrix): Generator<Segment, void, void> {
  for (let pass = 0; pass < passes; pass++) {
    for (let slice = 0; slice < ARGON2_SLICES; slice++) {
      for (let lane = 0; lane < lanes; lane++) yield { pass, slice, lane };
    }
  }
}

/**
 * Steps 5 and 6 for one segment.
 *
 * @param bytes the memory of the functions
 * @param thread whose room is used: below 16, and no other thread's at the time
 * @returns the numbers of blocks filled, one after the other
 */
export function* fillSegment(
  functions: Argon2Functions,
  bytes: Uint8Array,
  matrix: Argon2Matrix,
  segment: Segment,
  thread = 0,
): Generator<number, void, void> {
  const { lanes, segmentLength, laneLength } = matrix;
  const { pass, slice, lane } = segment;
  const { finished, first } = referenceWindow(matrix, segment);
  const independent = isIndependent(matrix.name, segment);
  const most = independent ? ADDRESSES_PER_BLOCK : STEP_BLOCKS;
  const isFirst = pass === 0 && slice === 0;
  const scratch = scratchOf(thread);
  let reported = 0;
  if (independent) writeInput(bytes, scratch, addressInput(matrix, segment));
  for (let start = 0; start < segmentLength; start += most) {
    // The first two columns are filled.
    const index = Math.max(start, isFirst ? 2 : 0);
    const end = Math.min(start + most, segmentLength);
    if (independent) functions.addresses(scratch);
    const run = independent ? functions.fillByPosition : functions.fillByContent;
    const column = slice * segmentLength + index;
    run(
      ...([scratch, lanes, lane, laneLength, column, index, end - index] as const),
      ...([finished, first, Number(isFirst), Number(pass > 0)] as const),
    );
    if (end % STEP_BLOCKS === 0 || end === segmentLength) {
      yield end - reported;
      reported = end;
    }
  }
}

/** The same at once. */
export function fillWhole(...args: Parameters<typeof fillSegment>): void {
  const steps = fillSegment(...args);
  while (steps.next().done !== true);
}

/** Z, with its counter 0. */
function writeInput(bytes: Uint8Array, scratch: number, input: readonly number[]): void {
  input.forEach((word, i) => store32le(bytes, scratch + INPUT + 8 * i, word));
  store32le(bytes, scratch + COUNTER, 0);
}

/** Steps 7 and 8: the XOR of the last column, hashed. */
export function finishMatrix(
  bytes: Uint8Array,
  matrix: Argon2Matrix,
  lengthBytes: number,
): Uint8Array {
  const sum = new Uint8Array(ARGON2_BLOCK_BYTES);
  for (let lane = 0; lane < matrix.lanes; lane++) {
    const last = placeOf(matrix, lane, matrix.laneLength - 1);
    xorInto(sum, bytes.subarray(last, last + ARGON2_BLOCK_BYTES));
  }
  const tag = longHash(sum, lengthBytes);
  wipe(sum);
  return tag;
}

/** Where a block begins. */
export const placeOf = ({ laneLength }: Argon2Matrix, lane: number, column: number): number =>
  BLOCKS + (lane * laneLength + column) * ARGON2_BLOCK_BYTES;

/** @throws errors of the loader and of WebAssembly */
export async function loadArgon2(loadWasm: LoadWasm): Promise<Argon2> {
  return new Argon2(await WebAssembly.compile(await loadWasm('argon2')));
}
