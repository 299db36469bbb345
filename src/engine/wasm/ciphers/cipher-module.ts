/**
 * A module of one of the old block ciphers: its memory holds the round keys of one key at a time, which are
 * copied in when that key is used.
 */
import { sumOf } from '../../../crypto/aead/ocb.ts';
import { xorInto } from '../../../crypto/bytes.ts';
import type { BlockBytes, BlockCipher, OffsetRun } from '../../../crypto/contracts.ts';
import {
  CHAIN,
  COUNTER,
  GROUP_BYTES,
  KEYS,
  MASK,
  OFFSET,
  OFFSETS,
  SECRETS,
  SUM,
  TABLES,
  TEXT,
  TEXT_BYTES,
} from '../generator/ciphers/layout.ts';
import { loadCommonModule } from '../loader.ts';
import type { CommonModule, LoadWasm } from '../loader.ts';
import { copyIn, copyOut } from '../memory.ts';

/** Exports of the modules; see src/engine/wasm/generator/ciphers. Arguments are offsets and counts. */
export interface CipherFunctions {
  encrypt(at: number, groups: number): void;
  decrypt(at: number, groups: number): void;
  encryptFew(at: number, blocks: number): void;
  cbcEncrypt(at: number, blocks: number): void;
  counters(at: number, vectors: number): void;
  offsets(text: number, mask: number, blocks: number, index: number): void;
  offsetEncrypt(at: number, groups: number, index: number): void;
  offsetDecrypt(at: number, groups: number, index: number): void;
  add(text: number, mask: number, vectors: number): void;
  wipe(offset: number, length: number): void;
}

/** Up to so many blocks one after the other take less time than a group. */
const FEW_BLOCKS = 2;
/** The same for every number, for measurement. */
export const ALWAYS_SINGLE = Number.MAX_SAFE_INTEGER;

/** What the kernels of a module process at once, and the tables that they read. */
export interface CipherSizes<B extends BlockBytes> {
  readonly blockBytes: B;
  readonly groupBytes: number;
  readonly tables?: Int32Array | undefined;
}

/** One instance of a module. */
export class CipherModule<B extends BlockBytes = BlockBytes> {
  readonly blockBytes: B;
  /** Bytes that `encrypt` and `decrypt` process at once. */
  readonly groupBytes: number;
  readonly functions: CipherFunctions;
  readonly bytes: Uint8Array<ArrayBuffer>;
  private readonly words: Int32Array<ArrayBuffer>;
  private active: Int32Array | undefined;

  /** @param module one whose cipher has these blocks and groups */
  constructor(
    { functions, bytes }: CommonModule<CipherFunctions>,
    { blockBytes, groupBytes, tables }: CipherSizes<B>,
  ) {
    this.groupBytes = groupBytes;
    this.functions = functions;
    this.bytes = bytes;
    this.words = new Int32Array(bytes.buffer);
    this.blockBytes = blockBytes;
    if (tables) this.words.set(tables, TABLES / 4);
  }

  /** @param name of the module, such as `idea` */
  static async load<B extends BlockBytes>(
    loadWasm: LoadWasm,
    name: string,
    sizes: CipherSizes<B>,
  ): Promise<CipherModule<B>> {
    return new CipherModule(await loadCommonModule<CipherFunctions>(loadWasm, name), sizes);
  }

  /** Copies round keys to the memory, unless they are there. */
  use(keys: Int32Array): void {
    if (this.active === keys) return;
    this.words.set(keys, KEYS / 4);
    this.active = keys;
  }

  /** Wipes round keys if they are in the memory. */
  forget(keys: Int32Array): void {
    if (this.active !== keys) return;
    this.active = undefined;
    this.functions.wipe(SECRETS, TEXT - SECRETS);
  }

  /**
   * Sets the counters of the first vector.
   *
   * @param counter one block, whose last 32 bits count
   * @param first their value
   */
  setCounter(counter: Uint8Array, first: number): void {
    const { bytes, blockBytes, words } = this;
    for (let at = 0; at < 16; at += blockBytes) {
      bytes.set(counter, COUNTER + at);
      words[(COUNTER + at + blockBytes) / 4 - 1] = first + at / blockBytes;
    }
  }
}

/** A cipher under one key, in the memory of a module. */
export class WasmBlockCipher<B extends BlockBytes = BlockBytes> implements BlockCipher<B> {
  readonly blockBytes: B;
  readonly sumsPlaintext = true;
  private readonly module: CipherModule<B>;
  private readonly keys: Int32Array;
  private readonly fewBlocks: number;

  /**
   * @param module of this cipher
   * @param keys what the module has at KEYS; owned by this object
   * @param fewBlocks up to so many blocks are encrypted one after the other
   */
  constructor(module: CipherModule<B>, keys: Int32Array, fewBlocks = FEW_BLOCKS) {
    this.module = module;
    this.fewBlocks = fewBlocks;
    this.blockBytes = module.blockBytes;
    this.keys = keys;
  }

  wipe(): void {
    this.module.forget(this.keys);
    this.keys.fill(0);
  }

  encryptBlocks(source: Uint8Array, target: Uint8Array): void {
    this.each(source, target, (length) => this.encryptAt(TEXT, length));
  }

  decryptBlocks(source: Uint8Array, target: Uint8Array): void {
    this.each(source, target, (length) => this.decryptText(length));
  }

  ctrBlocks(counter: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    const { module, blockBytes } = this;
    const { functions } = module;
    const low = new DataView(counter.buffer, counter.byteOffset + blockBytes - 4);
    module.setCounter(counter, low.getInt32(0));
    this.each(source, target, (length) => {
      functions.counters(MASK, vectorsOf(length));
      this.encryptAt(MASK, length);
      functions.add(TEXT, MASK, vectorsOf(length));
    });
    low.setInt32(0, low.getInt32(0) + source.length / blockBytes);
    functions.wipe(COUNTER, 16);
  }

  cbcEncryptBlocks(chain: Uint8Array, source: Uint8Array, target?: Uint8Array): void {
    const { bytes, functions } = this.module;
    const { blockBytes } = this;
    copyIn(bytes, CHAIN, chain, 0, blockBytes);
    this.each(source, target, (length) => functions.cbcEncrypt(TEXT, length / blockBytes));
    copyOut(bytes, CHAIN, chain, 0, blockBytes);
    functions.wipe(CHAIN, blockBytes);
  }

  cbcDecryptBlocks(chain: Uint8Array, source: Uint8Array, target: Uint8Array): void {
    const { bytes, functions } = this.module;
    const { blockBytes } = this;
    this.each(source, target, (length) => {
      // C_0 ‖ C_1 ‖ …: what is XORed to each block
      copyIn(bytes, MASK, chain, 0, blockBytes);
      bytes.copyWithin(MASK + blockBytes, TEXT, TEXT + length);
      copyOut(bytes, MASK + length, chain, 0, blockBytes);
      this.decryptText(length);
      functions.add(TEXT, MASK, vectorsOf(length));
    });
  }

  offsetBlocks(run: OffsetRun, source: Uint8Array, target: Uint8Array, inverse: boolean): void {
    const { bytes, functions } = this.module;
    const { blockBytes } = this;
    const { offset, masks, sum } = run;
    bytes.set(masks, OFFSETS);
    copyIn(bytes, OFFSET, offset, 0, blockBytes);
    copyIn(bytes, SUM, sum, 0, blockBytes);
    const groupBytes = Math.max(GROUP_BYTES, this.module.groupBytes);
    this.each(source, target, (length) => {
      const groups = run.index % (groupBytes / blockBytes) === 0 ? (length / groupBytes) | 0 : 0;
      if (inverse) functions.offsetDecrypt(TEXT, groups, run.index);
      else functions.offsetEncrypt(TEXT, groups, run.index);
      run.index += (groups * groupBytes) / blockBytes;
      this.offsetRest(run, groups * groupBytes, length, inverse);
    });
    copyOut(bytes, OFFSET, offset, 0, blockBytes);
    sum.set(sumOf(bytes.subarray(SUM, SUM + 16), blockBytes));
    functions.wipe(OFFSET, KEYS - OFFSET);
  }

  /** The blocks of TEXT that are not in a whole group. Only the mask is wiped. */
  private offsetRest(run: OffsetRun, from: number, to: number, inverse: boolean): void {
    if (from === to) return;
    const { bytes, functions } = this.module;
    const { blockBytes } = this;
    const at = TEXT + from;
    const length = to - from;
    const addPlaintext = (): void => {
      const sum = sumOf(bytes.subarray(at, TEXT + to), blockBytes);
      xorInto(bytes.subarray(SUM, SUM + blockBytes), sum);
      sum.fill(0);
    };
    if (!inverse) addPlaintext();
    functions.offsets(at, MASK, length / blockBytes, run.index);
    run.index += length / blockBytes;
    if (inverse) functions.decrypt(at, this.groupsOf(length));
    else this.encryptAt(at, length);
    functions.add(at, MASK, vectorsOf(length));
    if (inverse) addPlaintext();
  }

  /** Encrypts the blocks at an address, and others after them up to a whole group. */
  private encryptAt(at: number, length: number): void {
    const { functions } = this.module;
    const blocks = length / this.blockBytes;
    if (blocks <= this.fewBlocks) functions.encryptFew(at, blocks);
    else functions.encrypt(at, this.groupsOf(length));
  }

  private decryptText(length: number): void {
    this.module.functions.decrypt(TEXT, this.groupsOf(length));
  }

  private groupsOf(bytes: number): number {
    return Math.ceil(bytes / this.module.groupBytes);
  }

  /** Processes whole blocks through TEXT, piece by piece, and wipes what it used. */
  private each(
    source: Uint8Array,
    target: Uint8Array | undefined,
    work: (length: number) => void,
  ): void {
    const { module } = this;
    const { bytes, functions } = module;
    module.use(this.keys);
    for (let done = 0; done < source.length; done += TEXT_BYTES) {
      const length = Math.min(source.length - done, TEXT_BYTES);
      copyIn(bytes, TEXT, source, done, length);
      work(length);
      if (target !== undefined) copyOut(bytes, TEXT, target, done, length);
    }
    const used = module.groupBytes * this.groupsOf(Math.min(source.length, TEXT_BYTES));
    functions.wipe(TEXT, used);
    functions.wipe(MASK, used + module.groupBytes);
  }
}

const vectorsOf = (bytes: number): number => (bytes + 15) >> 4;
