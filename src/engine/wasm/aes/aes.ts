/**
 * The AES module: one instance, its keys, and block functions. What only some modes need is a function, not a method, or in
 * another file (block-cipher.ts): bundlers leave out functions that are not used, but never methods.
 *
 * The module's memory contains one key at a time. A key is copied in and expanded when it is used
 * (`AesKey.use`), which is faster than keeping its expanded form in another array. Further values that a
 * mode needs (subkeys, bit planes, tables of the hash key) are computed at their first use and stay until
 * another key is copied in.
 */
import { checkBytes } from '../../../crypto/errors.ts';
import type { Variant } from '../generator/dsl/lookup.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  COUNTER,
  PAIR_BYTES,
  KEY,
  SECRETS,
  SUBKEY,
} from '../generator/aes/layout.ts';
import { copyIn } from '../memory.ts';
import { loadModule } from '../loader.ts';
import type { LoadWasm, WasmModule } from '../loader.ts';

/** Exports of the module; see src/engine/wasm/kernels. Arguments are offsets and counts, never secrets. */
export interface AesFunctions {
  expandKey(words: number): void;
  sliceKeys(): void;
  encryptFew(offset: number, blocks: number): void;
  encryptMany(offset: number, pairs: number): void;
  decryptMany(offset: number, pairs: number): void;
  prepareCounter(kind: number): void;
  counterFew(offset: number, blocks: number, kind: number): void;
  counterMany(offset: number, pairs: number, kind: number): void;
  cbcEncrypt(offset: number, blocks: number): void;
  cbcMac(offset: number, blocks: number): void;
  cbcEncryptLanes(offset: number, steps: number): void;
  cbcDecryptMany(offset: number, pairs: number): void;
  ccmBlocks(offset: number, blocks: number, opening: number): void;
  prepareOffsets(): void;
  offsetEncryptMany(offset: number, pairs: number, index: number): void;
  offsetDecryptMany(offset: number, pairs: number, index: number): void;
  maskBlocks(offset: number, blocks: number, index: number): void;
  unmaskBlocks(offset: number, blocks: number): void;
  sumBlocks(offset: number, blocks: number): void;
  prepareHash(kind: number): void;
  prepareHashMany(): void;
  hashFew(offset: number, blocks: number, kind: number): void;
  hashMany(offset: number, groups: number, kind: number): void;
  wipe(offset: number, length: number): void;
}

/** Conventions of counter blocks and of the byte order of hashes: GCM and the others, or GCM-SIV. */
export const STANDARD = 0;
/** Counter in the first four bytes, little-endian; hashes by POLYVAL (RFC 8452). */
export const GCM_SIV = 1;
/** The convention of a mode. */
export type Kind = typeof STANDARD | typeof GCM_SIV;

/** Fewer blocks than this use vector permutation, which needs no preparation. */
const MANY_BLOCKS = 32;

/** One instance of the module. */
export class AesModule {
  readonly functions: AesFunctions;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly variant: Variant;
  /** The memory as little-endian words of 32 bits, for blocks, which are at multiples of 16. */
  readonly words: Int32Array<ArrayBuffer>;
  /** The key in the memory. */
  private active: AesKey | undefined;
  private hasSubkey = false;
  private sliced = false;
  /** The values that the functions of the modes have prepared for this key: of counter mode, … */
  counterKind: Kind | undefined;
  /** … of hashes under a key, … */
  hashKind: Kind | undefined;
  hashesMany = false;
  /** … and of OCB. */
  offsets = false;

  constructor(module: WasmModule<AesFunctions>) {
    this.functions = module.functions;
    this.bytes = module.bytes;
    this.variant = module.variant;
    this.words = new Int32Array(module.bytes.buffer);
  }

  /** @param variant for tests; default: the best one that the platform supports */
  static async load(loadWasm: LoadWasm, variant?: Variant): Promise<AesModule> {
    return new AesModule(await loadModule<AesFunctions>(loadWasm, 'aes', variant));
  }

  /** Drops the key in the memory and the values prepared for it. */
  forget(): void {
    this.active = undefined;
    // The buffer is cleared by the functions that fill it.
    this.bytes.fill(0, SECRETS, BUFFER);
    this.reset();
  }

  isActive(key: AesKey): boolean {
    return this.active === key;
  }

  /** Expands a key in place of the current one. @param bytes 16, 24 or 32 */
  enter(key: AesKey, bytes: Uint8Array): void {
    copyIn(this.bytes, KEY, bytes, 0, bytes.length);
    this.functions.expandKey(bytes.length >> 2);
    this.reset();
    this.active = key;
  }

  /** E(0^128) at SUBKEY: H of GCM, L_* of OCB. */
  needSubkey(): void {
    if (this.hasSubkey) return;
    this.clearBlock(SUBKEY);
    this.functions.encryptFew(SUBKEY, 1);
    this.hasSubkey = true;
  }

  /** Round keys as bit planes. */
  needSliced(): void {
    if (this.sliced) return;
    this.functions.sliceKeys();
    this.sliced = true;
  }

  /** Zeroes the block at `at`. */
  clearBlock(at: number): void {
    for (let i = at >> 2, end = i + 4; i < end; i++) this.words[i] = 0;
  }

  /** Copies the block at `from` to `to`. */
  copyBlock(to: number, from: number): void {
    const { words } = this;
    for (let i = 0; i < 4; i++) words[(to >> 2) + i] = words[(from >> 2) + i]!;
  }

  /** XORs the block at `from` to that at `to`. */
  addBlock(to: number, from: number): void {
    const { words } = this;
    for (let i = 0; i < 4; i++) words[(to >> 2) + i]! ^= words[(from >> 2) + i]!;
  }

  private reset(): void {
    this.hasSubkey = false;
    this.sliced = false;
    this.counterKind = undefined;
    this.hashKind = undefined;
    this.hashesMany = false;
    this.offsets = false;
  }
}

/** A key of the module. */
export class AesKey {
  readonly module: AesModule;
  private key: Uint8Array | undefined;

  /** @param key 16, 24 or 32 bytes; copied */
  constructor(module: AesModule, key: Uint8Array) {
    checkBytes('key', key, [16, 24, 32]);
    this.module = module;
    this.key = new Uint8Array(key);
    module.enter(this, this.key);
  }

  /** Copies the key to the memory, unless it is there. */
  use(): void {
    if (this.module.isActive(this)) return;
    if (this.key === undefined) throw new Error('the key has been wiped');
    this.module.enter(this, this.key);
  }

  wipe(): void {
    this.key?.fill(0);
    this.key = undefined;
    if (this.module.isActive(this)) this.module.forget();
  }

  /** Zeroes data in the buffer, and the bytes around them that functions for whole pairs wrote. */
  clear(at: number, length: number): void {
    const { functions } = this.module;
    if (length <= 64) {
      functions.wipe(at, (length + 15) & ~15);
      return;
    }
    const start = Math.max(BUFFER, at - PAIR_BYTES);
    functions.wipe(start, at - start + length + PAIR_BYTES);
  }
}

/** Encrypts blocks at BUFFER, in place. The key must be in use. */
export function encryptBuffer(module: AesModule, blocks: number): void {
  if (blocks < MANY_BLOCKS) {
    module.functions.encryptFew(BUFFER, blocks);
    return;
  }
  module.needSliced();
  module.functions.encryptMany(BUFFER, (blocks + 15) >> 4);
}

/**
 * CTR over whole blocks in the buffer. COUNTER is the first block's counter, and is updated.
 *
 * @param offset BUFFER and 16 bytes for each of the counter's steps since a multiple of 16
 */
export function countBuffer(module: AesModule, offset: number, blocks: number, kind: Kind): void {
  const { bytes, functions } = module;
  if (blocks < MANY_BLOCKS) {
    functions.counterFew(offset, blocks, kind);
    return;
  }
  needCounter(module, kind);
  // Pairs begin where the counter is a multiple of 16. Blocks before `offset` are computed and not used.
  const low = kind === STANDARD ? COUNTER + 15 : COUNTER;
  const before = bytes[low]! & 15;
  bytes[low]! -= before;
  functions.counterMany(offset - 16 * before, (blocks + before + 15) >> 4, kind);
}

/** The table of `counterMany`. */
function needCounter(module: AesModule, kind: Kind): void {
  module.needSliced();
  if (module.counterKind === kind) return;
  module.functions.prepareCounter(kind);
  module.counterKind = kind;
}

/** A key whose forward cipher function (SP 800-38A, section 5.1) is used by itself. */
export class ForwardKey extends AesKey {
  encryptBlocks(source: Uint8Array, target: Uint8Array): void {
    this.use();
    this.each(source, target, (bytes) => encryptBuffer(this.module, bytes >> 4));
  }

  /** Processes whole blocks through the buffer, piece by piece. */
  protected each(
    source: Uint8Array,
    target: Uint8Array | undefined,
    work: (bytes: number) => void,
  ) {
    const { bytes } = this.module;
    for (let done = 0; done < source.length; done += BUFFER_BYTES) {
      const length = Math.min(source.length - done, BUFFER_BYTES);
      bytes.set(source.subarray(done, done + length), BUFFER);
      work(length);
      target?.set(bytes.subarray(BUFFER, BUFFER + length), done);
      this.clear(BUFFER, Math.max(length, PAIR_BYTES));
    }
  }
}
