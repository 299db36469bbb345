/**
 * Argon2id (RFC 9106), version 0x13, by the npm package `argon2id` (OpenPGP.js project). Its WebAssembly is
 * shipped as files; the loader decides where they come from.
 *
 * Each derivation gets new WebAssembly memory, which is overwritten and released afterwards. The package
 * itself clears only its small working buffers, and would keep the largest memory ever used.
 */
import setupWasm from 'argon2id/lib/setup.js';
import { wipe } from '../../crypto/bytes.ts';
import { checkBytes, checkInteger } from '../../crypto/errors.ts';

/** The cost of a derivation (RFC 9106, section 3.1). */
export interface Argon2idParams {
  /** P: any length, 0 included. */
  readonly password: Uint8Array;
  /** S: 8 bytes or more (RFC 9106, section 3.1). */
  readonly salt: Uint8Array;
  /** m in KiB: 8 · parallelism … 2^20 (1 GiB). */
  readonly memoryKiB: number;
  /** t: 1 … 16. */
  readonly passes: number;
  /** p: 1 … 16 lanes, one after the other. */
  readonly parallelism: number;
  /** T: 4 … 1,024 bytes. */
  readonly tagBytes: number;
  /** K: any length. */
  readonly secret?: Uint8Array;
  /** X: any length. */
  readonly associatedData?: Uint8Array;
}

/** Instantiates one of the package's builds with its imports. */
export type WasmLoader = (
  imports: WebAssembly.Imports,
) => Promise<WebAssembly.WebAssemblyInstantiatedSource>;

/** The two builds. `simd` rejects where the platform has no WebAssembly SIMD. */
export interface Argon2idWasm {
  readonly simd: WasmLoader;
  readonly noSimd: WasmLoader;
}

/** The cost of a passphrase, as src/keys passes it. */
export interface Argon2idCost {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** Derives 32 bytes from a passphrase. */
export type PassphraseKdf = (
  passphrase: Uint8Array,
  salt: Uint8Array,
  cost: Argon2idCost,
) => Promise<Uint8Array>;

/** The key of a passphrase slot has 256 bits. */
const PASSPHRASE_KEY_BYTES = 32;

/** RFC 9106, section 3.1: at least 8 p. */
const MIN_MEMORY_PER_LANE_KIB = 8;

/** Our limits of the work that a stored value may cause (security.md, section 5.3). */
const MAX_MEMORY_KIB = 1_048_576;
const MAX_PASSES = 16;
const MAX_PARALLELISM = 16;
/** The longest key that an algorithm of `subtle` asks for is that of HMAC with SHA-384 or SHA-512: 128. */
const MAX_TAG_BYTES = 1024;

/** RFC 9106, section 3.1 allows salts of any length; the reference implementation requires 8 bytes. */
const MIN_SALT_BYTES = 8;

const PAGE_BYTES = 65_536;

/** Memory of the package beside the blocks (its lib/argon2id.js), rounded up generously. */
const WORKING_BYTES = PAGE_BYTES;

/** Both builds keep their stack below this address (the first result of their `stackSave`). */
const STACK_END = 5_243_920;

/** @returns the derivation of 32-byte keys from passphrases, for src/keys */
export function argon2id(wasm: Argon2idWasm): PassphraseKdf {
  return (password, salt, cost) =>
    deriveArgon2id({ password, salt, ...cost, tagBytes: PASSPHRASE_KEY_BYTES }, wasm);
}

/**
 * Blocks its thread: call it in a worker.
 *
 * @param params copied at once
 * @param wasm called once for each derivation
 * @returns params.tagBytes bytes
 * @throws TypeError or RangeError that names the argument, before any work
 */
export async function deriveArgon2id(
  params: Argon2idParams,
  wasm: Argon2idWasm,
): Promise<Uint8Array> {
  checkParams(params);
  const { password, salt, secret, associatedData } = params;
  const input = {
    password: measurable(password),
    salt: measurable(salt),
    memorySize: params.memoryKiB,
    passes: params.passes,
    parallelism: params.parallelism,
    tagLength: params.tagBytes,
    ...(secret && { secret: measurable(secret) }),
    ...(associatedData && { ad: measurable(associatedData) }),
  };
  const memories: WebAssembly.Memory[] = [];
  const usedBytes = 1024 * params.memoryKiB + WORKING_BYTES;
  try {
    const compute = await setup(wasm, memories);
    for (const memory of memories) grow(memory, usedBytes);
    return compute(input);
  } finally {
    wipe(input.password, input.secret ?? new Uint8Array(0));
    // Only a part: the package begins with 65 MiB, and first access to these pages would take 0.1 s.
    const dirty = Math.max(usedBytes, STACK_END);
    wipe(...memories.map((memory) => new Uint8Array(memory.buffer).subarray(0, dirty)));
  }
}

/** Whether `deriveArgon2id` accepts the parameters, whose types are right. */
export function withinBounds(params: Argon2idParams): boolean {
  try {
    checkParams(params);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * @throws TypeError or RangeError that names the argument
 */
function checkParams(params: Argon2idParams): void {
  const { password, salt, memoryKiB, passes, parallelism, tagBytes, secret, associatedData } =
    params;
  checkBytes('password', password);
  checkBytes('salt', salt, { min: MIN_SALT_BYTES });
  checkInteger('parallelism', parallelism, 1, MAX_PARALLELISM);
  checkInteger('memoryKiB', memoryKiB, MIN_MEMORY_PER_LANE_KIB * parallelism, MAX_MEMORY_KIB);
  checkInteger('passes', passes, 1, MAX_PASSES);
  checkInteger('tagBytes', tagBytes, 4, MAX_TAG_BYTES);
  if (secret !== undefined) checkBytes('secret', secret);
  if (associatedData !== undefined) checkBytes('associatedData', associatedData);
}

/** The package's set-up. Adds each memory that it creates to `memories`. */
function setup(wasm: Argon2idWasm, memories: WebAssembly.Memory[]) {
  const watched = (load: WasmLoader) => (imports: WebAssembly.Imports) => {
    const memory = memoryOf(imports);
    if (!memories.includes(memory)) memories.push(memory);
    return load(imports);
  };
  return setupWasm(watched(wasm.simd), watched(wasm.noSimd));
}

function memoryOf(imports: WebAssembly.Imports): WebAssembly.Memory {
  const memory = imports['env']?.['memory'];
  if (memory instanceof WebAssembly.Memory) return memory;
  throw new Error('argon2id no longer hands its memory to the loader');
}

/**
 * The package allocates m', which is m rounded down to a multiple of 4 p, but creates a view of m: with many
 * lanes that is out of bounds.
 */
function grow(memory: WebAssembly.Memory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
  if (missing > 0) memory.grow(missing);
}

/**
 * The package checks lengths by comparing the arrays themselves with numbers, which compares their text: "7"
 * of a one-byte password [7], and 0 of an empty one, are refused as too short. This copy compares as NaN,
 * which passes; the lengths were checked above.
 */
function measurable(bytes: Uint8Array): Uint8Array {
  return Object.defineProperty(bytes.slice(), Symbol.toPrimitive, { value: () => Number.NaN });
}
