/** scrypt (RFC 7914) on the scrypt module, with PBKDF2 of the SHA module. */
import { wipe } from '../../../crypto/bytes.ts';
import { checkScrypt } from '../../../crypto/kdf/scrypt.ts';
import type { ScryptCost } from '../../../crypto/kdf/scrypt.ts';
import { EngineError } from '../../contract.ts';
import { SCRYPT_V } from '../generator/arx/scrypt-layout.ts';
import type { LoadWasm } from '../loader.ts';
import { pbkdf2 } from './pbkdf2.ts';
import type { ShaModule } from './sha.ts';

/** Exports of the module; the kernels document the arguments. */
interface ScryptExports {
  readonly memory: WebAssembly.Memory;
  readonly wipe: (offset: number, length: number) => void;
  readonly fill: (pointer: number, r: number, count: number) => void;
  readonly mix: (x: number, y: number, mask: number, r: number, count: number) => void;
}

const PAGE_BYTES = 65536;
/** The address space of WebAssembly, without a page. */
const MOST_BYTES = 0xffff_0000;
/** Blocks of 64 bytes mixed per call of the module: 1 to 4 ms. An even number of steps. */
const STEP_BLOCKS = 32768;

/**
 * Memory up to this size is wiped and kept for the next derivation, because getting cleared pages from the
 * system takes a third of the time of the derivation itself.
 */
const KEPT_BYTES = 0x200_0000;

/** scrypt (RFC 7914) as a function of its parameters. */
export class Scrypt {
  readonly #module: WebAssembly.Module;
  readonly #sha: ShaModule;
  /** An instance that is not in use. */
  #idle: ScryptExports | undefined;

  constructor(module: WebAssembly.Module, sha: ShaModule) {
    this.#module = module;
    this.#sha = sha;
  }

  /**
   * @param password any length
   * @param salt any length
   * @param lengthBytes 1 … (2^32 - 1) · 32
   * @returns lengthBytes bytes
   * @throws TypeError or RangeError for arguments that the standard does not allow
   * @throws EngineError if there is not enough memory
   */
  derive(
    password: Uint8Array,
    salt: Uint8Array,
    cost: ScryptCost,
    lengthBytes: number,
  ): Uint8Array {
    const steps = this.steps(password, salt, cost, lengthBytes);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  /**
   * scrypt in steps, for a caller that shows progress, yields to other work or stops early (by leaving the
   * loop, which wipes the state). Each derivation has its own memory, which is wiped at its end.
   *
   * @returns a generator that yields the share done, 0 … 1, and returns the derived key. Arguments are
   * checked in this call, not at the generator's first step.
   */
  steps(
    password: Uint8Array,
    salt: Uint8Array,
    cost: ScryptCost,
    lengthBytes: number,
  ): Generator<number, Uint8Array, void> {
    checkScrypt(password, salt, cost, lengthBytes);
    return this.#derive(password, salt, cost, lengthBytes);
  }

  *#derive(
    password: Uint8Array,
    salt: Uint8Array,
    { N, r, p }: ScryptCost,
    lengthBytes: number,
  ): Generator<number, Uint8Array, void> {
    const size = 128 * r;
    const memoryBytes = SCRYPT_V + (N + 2) * size;
    const exports = this.#instance(memoryBytes);
    const bytes = new Uint8Array(exports.memory.buffer);
    const blocks = pbkdf2(this.#sha, 'SHA-256', password, salt, 1, p * size);
    try {
      for (let i = 0; i < p; i++) {
        const block = blocks.subarray(i * size, (i + 1) * size);
        bytes.set(block, SCRYPT_V);
        for (const done of roMix(exports, N, r)) yield (i + done / (2 * N)) / p;
        const x = SCRYPT_V + N * size;
        block.set(bytes.subarray(x, x + size));
      }
      return pbkdf2(this.#sha, 'SHA-256', password, blocks, 1, lengthBytes);
    } finally {
      wipe(blocks);
      exports.wipe(SCRYPT_V, memoryBytes - SCRYPT_V);
      if (bytes.length <= KEPT_BYTES) this.#idle = exports;
    }
  }

  /** Releases the memory that is kept between derivations. */
  release(): void {
    this.#idle = undefined;
  }

  /** An instance with enough memory, for one derivation. */
  #instance(memoryBytes: number): ScryptExports {
    if (memoryBytes > MOST_BYTES) throw new EngineError('scrypt: too much memory for WebAssembly');
    const exports = this.#idle ?? this.#fresh();
    this.#idle = undefined;
    const missing = memoryBytes - exports.memory.buffer.byteLength;
    try {
      if (missing > 0) exports.memory.grow(Math.ceil(missing / PAGE_BYTES));
    } catch (cause) {
      throw new EngineError('scrypt: there is not so much memory', { cause });
    }
    return exports;
  }

  #fresh(): ScryptExports {
    return new WebAssembly.Instance(this.#module).exports as unknown as ScryptExports;
  }
}

/**
 * scryptROMix (section 5) of the block at V_0; the result follows V_{N-1}.
 *
 * @returns steps done, of 2 N
 */
function* roMix(exports: ScryptExports, N: number, r: number): Generator<number, void, void> {
  const size = 128 * r;
  const [x, y] = [SCRYPT_V + N * size, SCRYPT_V + (N + 1) * size];
  const most = Math.max(2, 2 * Math.floor(STEP_BLOCKS / (4 * r)));
  for (let i = 0; i < N; i += most) {
    const count = Math.min(most, N - i);
    exports.fill(SCRYPT_V + i * size, r, count);
    yield i + count;
  }
  for (let i = 0; i < N; i += most) {
    const count = Math.min(most, N - i);
    exports.mix(x, y, N - 1, r, count);
    yield N + i + count;
  }
}

/** @throws errors of the loader and of WebAssembly */
export async function loadScrypt(loadWasm: LoadWasm, sha: ShaModule): Promise<Scrypt> {
  return new Scrypt(await WebAssembly.compile(await loadWasm('scrypt')), sha);
}
