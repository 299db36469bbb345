/** What a worker does to the slices of a message, over the modules of `wasm-simd`. */
import { copyOf, wipe } from '../../crypto/bytes.ts';
import { store32be } from '../../crypto/words.ts';
import { AesKey, AesModule, countBuffer, STANDARD } from '../wasm/aes/aes.ts';
import { WasmAesKey } from '../wasm/aes/block-cipher.ts';
import { wasmCtr } from '../wasm/aes/ctr.ts';
import { hashBlocks, needHash } from '../wasm/aes/ghash.ts';
import { WasmOcb } from '../wasm/aes/ocb.ts';
import { ArxAead } from '../wasm/arx/aead.ts';
import { ArxModule } from '../wasm/arx/arx.ts';
import {
  BUFFER as AES_BUFFER,
  BUFFER_BYTES,
  COUNTER,
  HASH,
  MASK,
  OFFSET,
  OFFSET_MASKS,
  OFFSETS,
  PAIR_BYTES,
  SUBKEY,
  SUM as CHECKSUM,
} from '../wasm/generator/aes/layout.ts';
import {
  BUFFER as ARX_BUFFER,
  GROUP_BYTES,
  LENGTHS,
  R,
  STATE,
  STATE_COUNTER,
  SUM,
  TAG,
} from '../wasm/generator/arx/layout.ts';
import type { Variant } from '../wasm/generator/dsl/lookup.ts';
import { loadBlake } from '../wasm/hash/blake.ts';
import type { Blake3Algorithm } from '../wasm/hash/blake3.ts';
import { fillWhole, placeOf, type Argon2Functions } from '../wasm/hash/argon2.ts';
import type { LoadWasm } from '../wasm/loader.ts';
import { clear, copyIn, copyOut } from '../wasm/memory.ts';
import type { Task } from './protocol.ts';

const EMPTY = new Uint8Array(0);
const BLOCK = 16;
const CHACHA_BLOCK = 64;
const CHUNK = 1024;
const SUM_BYTES = 40;

/** One message in a worker. */
export interface SliceWork {
  /**
   * @param data processed in place
   * @param from its position in the message, in bytes
   * @returns what the caller combines; no bytes where there is nothing
   */
  slice(data: Uint8Array, from: number): Uint8Array;
  /** Wipes the key, and what the module's memory has of it. */
  wipe(): void;
}

/** The modules, each loaded at its first use. */
export class SliceModules {
  private readonly loadWasm: LoadWasm;
  private readonly variant: Variant | undefined;
  private aesModule: Promise<AesModule> | undefined;
  private arxModule: Promise<ArxModule> | undefined;
  private blakeModule: Promise<Blake3Algorithm> | undefined;
  private argon2Module: Promise<WebAssembly.Module> | undefined;

  constructor(loadWasm: LoadWasm, variant?: Variant) {
    this.loadWasm = loadWasm;
    this.variant = variant;
  }

  aes(): Promise<AesModule> {
    return (this.aesModule ??= AesModule.load(this.loadWasm, this.variant));
  }

  arx(): Promise<ArxModule> {
    return (this.arxModule ??= ArxModule.load(this.loadWasm, this.variant));
  }

  blake3(): Promise<Blake3Algorithm> {
    this.blakeModule ??= loadBlake(this.loadWasm, this.variant).then(({ hashes }) => hashes.BLAKE3);
    return this.blakeModule;
  }

  /** The module whose memory is imported. */
  argon2(): Promise<WebAssembly.Module> {
    this.argon2Module ??= this.loadWasm('argon2.shared').then((bytes) =>
      WebAssembly.compile(bytes),
    );
    return this.argon2Module;
  }
}

/** @param task its key is copied */
export async function workOf(task: Task, modules: SliceModules): Promise<SliceWork> {
  switch (task.kind) {
    case 'ctr': {
      const { counter, counterBits } = task;
      const key = new WasmAesKey(await modules.aes(), task.key);
      return {
        slice: (data, from) => {
          wasmCtr(key, counterAfter(counter, counterBits, from / BLOCK), counterBits, data, data);
          return EMPTY;
        },
        wipe: () => key.wipe(),
      };
    }
    case 'gcm': {
      const slices = new GcmSlices(await modules.aes(), task.key);
      return {
        slice: (data, from) => slices.slice(task.nonce, data, from / BLOCK, task.encrypts),
        wipe: () => slices.wipe(),
      };
    }
    case 'ocb': {
      const { nonce, encrypts } = task;
      const slices = new OcbSlices(new AesKey(await modules.aes(), task.key), task);
      return {
        slice: (data, from) => slices.slice(nonce, data, from / BLOCK, encrypts),
        wipe: () => slices.wipe(),
      };
    }
    case 'chacha20-poly1305': {
      const { nonce, encrypts } = task;
      const slices = new ArxSlices(await modules.arx(), task.key, nonce.length === 24 ? 24 : 12);
      return {
        slice: (data, from) => slices.slice(nonce, data, from / CHACHA_BLOCK, encrypts),
        wipe: () => slices.wipe(),
      };
    }
    case 'blake3': {
      const blake3 = await modules.blake3();
      return {
        slice: (data, from) => blake3.subtree(data, from / CHUNK),
        wipe: () => undefined,
      };
    }
    case 'argon2': {
      const functions = argon2Over(await modules.argon2(), task.memory);
      return {
        slice: (data, from) => fillLanes(functions, task, from, data.length),
        wipe: () => undefined,
      };
    }
  }
}

/** An instance over a memory that other threads have too. */
export function argon2Over(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Argon2Functions {
  return new WebAssembly.Instance(module, { env: { memory } })
    .exports as unknown as Argon2Functions;
}

/**
 * Fills a slice of some lanes. Each lane has the room of a thread.
 *
 * @param lane the first
 * @returns the first words of the last block of each, by which a worker is proved
 */
function fillLanes(
  functions: Argon2Functions,
  { memory, matrix, pass, slice }: Task & { readonly kind: 'argon2' },
  lane: number,
  count: number,
): Uint8Array {
  const bytes = new Uint8Array(memory.buffer);
  const last = (slice + 1) * matrix.segmentLength - 1;
  const part = new Uint8Array(count * BLOCK);
  for (let i = 0; i < count; i++) {
    fillWhole(functions, bytes, matrix, { pass, slice, lane: lane + i }, lane + i);
    const at = placeOf(matrix, lane + i, last);
    part.set(bytes.subarray(at, at + BLOCK), i * BLOCK);
  }
  return part;
}

/** The counter block after `blocks` blocks: its low `counterBits` bits count modulo their power of two. */
function counterAfter(
  counter: Uint8Array,
  counterBits: number,
  blocks: number,
): Uint8Array<ArrayBuffer> {
  const result = copyOf(counter);
  let carry = blocks;
  for (let i = 15, bits = counterBits; i >= 0 && bits > 0; i--, bits -= 8) {
    const mask = bits >= 8 ? 0xff : (1 << bits) - 1;
    const sum = (result[i]! & mask) + carry;
    result[i] = (result[i]! & ~mask) | (sum & mask);
    carry = Math.floor(sum / (mask + 1));
  }
  return result;
}

/** GCM (SP 800-38D) of slices, with nonces of 12 bytes. */
export class GcmSlices {
  private readonly key: AesKey;

  /** @param key 16, 24 or 32 bytes; copied */
  constructor(module: AesModule, key: Uint8Array) {
    this.key = new AesKey(module, key);
  }

  /**
   * @param data in place
   * @param block number of the first block in the message
   * @returns GHASH of the ciphertext alone, 16 bytes: padded with zeros to whole blocks, without lengths
   */
  slice(nonce: Uint8Array, data: Uint8Array, block: number, encrypts: boolean): Uint8Array {
    const { module } = this.key;
    const { bytes } = module;
    this.enter();
    // inc_32^{block + 1}(J_0), where J_0 = IV ‖ 0^31 ‖ 1
    copyIn(bytes, COUNTER, nonce, 0, 12);
    store32be(bytes, COUNTER + 12, 2 + block);
    for (let done = 0; done < data.length;) {
      const at = AES_BUFFER + BLOCK * (bytes[COUNTER + 15]! & 15);
      const part = Math.min(data.length - done, AES_BUFFER + BUFFER_BYTES - at);
      const blocks = (part + 15) >> 4;
      copyIn(bytes, at, data, done, part);
      if (!encrypts) this.absorb(at, part);
      countBuffer(module, at, blocks, STANDARD);
      copyOut(bytes, at, data, done, part);
      if (encrypts) this.absorb(at, part);
      this.key.clear(at, part + 32);
      done += part;
    }
    return this.leave();
  }

  /** @returns GHASH of data alone, 16 bytes: padded with zeros to whole blocks, without lengths */
  hash(data: Uint8Array): Uint8Array {
    this.enter();
    for (let done = 0; done < data.length; done += BUFFER_BYTES) {
      const part = Math.min(data.length - done, BUFFER_BYTES);
      copyIn(this.key.module.bytes, AES_BUFFER, data, done, part);
      this.absorb(AES_BUFFER, part);
      this.key.clear(AES_BUFFER, part + 32);
    }
    return this.leave();
  }

  /** @returns H and E(J_0), 16 bytes each */
  secrets(nonce: Uint8Array): { readonly h: Uint8Array; readonly mask: Uint8Array } {
    const { module } = this.key;
    const { bytes } = module;
    this.key.use();
    module.needSubkey();
    module.clearBlock(MASK);
    copyIn(bytes, MASK, nonce, 0, 12);
    bytes[MASK + 15] = 1;
    module.functions.encryptFew(MASK, 1);
    const mask = bytes.slice(MASK, MASK + BLOCK);
    module.clearBlock(MASK);
    return { h: bytes.slice(SUBKEY, SUBKEY + BLOCK), mask };
  }

  wipe(): void {
    this.key.wipe();
  }

  private enter(): void {
    const { module } = this.key;
    this.key.use();
    module.needSubkey();
    needHash(module, STANDARD);
    module.clearBlock(HASH);
  }

  private absorb(at: number, length: number): void {
    const { module } = this.key;
    const padded = (length + 15) & ~15;
    clear(module.bytes, at + length, padded - length);
    hashBlocks(module, at, padded >> 4, STANDARD);
  }

  private leave(): Uint8Array {
    const { module } = this.key;
    const hash = module.bytes.slice(HASH, HASH + BLOCK);
    module.clearBlock(HASH);
    return hash;
  }
}

/** OCB (RFC 7253) of slices. */
export class OcbSlices extends WasmOcb {
  /**
   * @param data whole blocks, in place
   * @param index number of blocks before them: a multiple of 8, unless there are fewer than 16
   * @returns the sum of the plaintext's blocks, 16 bytes
   */
  slice(nonce: Uint8Array, data: Uint8Array, index: number, encrypts: boolean): Uint8Array {
    const { module } = this.key;
    this.begin(nonce, EMPTY);
    this.skip(index);
    this.wholeBlocks(data, data, data.length, index, encrypts);
    const sum = module.bytes.slice(CHECKSUM, CHECKSUM + BLOCK);
    for (const secret of [CHECKSUM, OFFSET]) module.clearBlock(secret);
    module.functions.wipe(OFFSETS, PAIR_BYTES);
    return sum;
  }

  /**
   * The incomplete block, from `source` to `target`, and the tag.
   *
   * @param sums of all whole blocks, which are done
   * @param length of the message
   * @returns 16 bytes, of which the tag is the beginning
   */
  finish(
    nonce: Uint8Array,
    associatedData: Uint8Array,
    sums: readonly Uint8Array[],
    [source, target]: readonly [Uint8Array, Uint8Array],
    length: number,
    encrypts: boolean,
  ): Uint8Array {
    const { module } = this.key;
    this.begin(nonce, associatedData);
    const whole = length & ~15;
    this.skip(whole / BLOCK);
    for (const sum of sums) for (let i = 0; i < BLOCK; i++) module.bytes[CHECKSUM + i]! ^= sum[i]!;
    if (whole < length) this.lastBlock(source, target, whole, length - whole, encrypts);
    this.tag();
    const tag = module.bytes.slice(CHECKSUM, CHECKSUM + BLOCK);
    module.clearBlock(CHECKSUM);
    return tag;
  }

  /** OFFSET := Offset_index: L_j for each bit j of the Gray code of the index (`offsetAt` of crypto/aead/ocb.ts). */
  private skip(index: number): void {
    const { module } = this.key;
    let gray = index ^ (index >>> 1);
    for (let at = OFFSET_MASKS; gray !== 0; at += BLOCK, gray >>>= 1) {
      if ((gray & 1) === 1) module.addBlock(OFFSET, at);
    }
  }
}

/** ChaCha20-Poly1305 (RFC 8439) and XChaCha20-Poly1305 of slices. */
export class ArxSlices extends ArxAead {
  /**
   * @param data in place
   * @param block number of the first block of 64 bytes in the message
   * @returns Poly1305's sum of the ciphertext alone, padded: five limbs of 32 bits in 8 bytes each
   */
  slice(nonce: Uint8Array, data: Uint8Array, block: number, encrypts: boolean): Uint8Array {
    const { bytes, functions, view } = this.module;
    this.begin(nonce, EMPTY);
    // Block 0 made Poly1305's key (section 2.6).
    view.setUint32(STATE_COUNTER, 1 + block, true);
    for (let done = 0; done < data.length;) {
      const part = Math.min(data.length - done, BUFFER_BYTES);
      copyIn(bytes, ARX_BUFFER, data, done, part);
      if (encrypts) functions.seal(ARX_BUFFER, part);
      else functions.open(ARX_BUFFER, part);
      copyOut(bytes, ARX_BUFFER, data, done, part);
      done += part;
    }
    const sum = bytes.slice(SUM, SUM + SUM_BYTES);
    clear(bytes, STATE, LENGTHS - STATE);
    clear(bytes, ARX_BUFFER, Math.min(data.length, BUFFER_BYTES) + GROUP_BYTES);
    return sum;
  }

  /**
   * @param combine gives the sum of all ciphertext from that of the associated data and from r
   * @param length of the message
   * @returns the tag, 16 bytes
   */
  finish(
    nonce: Uint8Array,
    associatedData: Uint8Array,
    length: number,
    combine: (sum: Uint8Array, r: Uint8Array) => Uint8Array,
  ): Uint8Array {
    const { bytes } = this.module;
    this.begin(nonce, associatedData);
    const secrets = [bytes.slice(SUM, SUM + SUM_BYTES), bytes.slice(R, R + BLOCK)] as const;
    const sum = combine(...secrets);
    bytes.set(sum, SUM);
    wipe(...secrets, sum);
    this.end(associatedData.length, length);
    return bytes.slice(TAG, TAG + BLOCK);
  }
}
