/**
 * Hashes whose kernel compresses whole blocks into one state: the common code of streaming and one-shot
 * hashes. They differ in their `BlockKernel`.
 *
 * A module has one state, that of the hash that was used last. The other hashes keep theirs outside. A change
 * copies some dozens of bytes twice.
 */
import { wipe } from '../../../crypto/bytes.ts';
import type { Hash, HashAlgorithm, HashName } from '../../../crypto/contracts.ts';
import { checkBytes } from '../../../crypto/errors.ts';

/** A module's functions for one hash. Offsets refer to its memory. */
export interface BlockKernel {
  readonly blockBytes: number;
  readonly digestBytes: number;
  /** The initial state, in the module's form. */
  readonly initial: Uint8Array;
  /** True if `finish` compresses the last block even if it is full. */
  readonly keepsLastBlock: boolean;
  /** Compresses blocks. @param before bytes of the message before them */
  absorb(pointer: number, blocks: number, before: number): void;
  /**
   * Compresses the end of the message and replaces the state by the digest.
   *
   * @param pointer start of the end; may be overwritten up to two blocks further
   * @param length of the end: less than a block, or up to a block if `keepsLastBlock`
   * @param messageBytes of the whole message
   */
  finish(pointer: number, length: number, messageBytes: number): void;
  /** The digest after `finish`, of a hash whose digest may be longer than its state. Absent: it is in the state. */
  output?(): Uint8Array;
}

/** The memory that the kernels of one module share, and the hash whose state it contains. */
export interface HashInstance {
  readonly memory: Uint8Array;
  readonly state: number;
  readonly buffer: number;
  /** Maximum bytes of data in the buffer in addition to two blocks. */
  readonly bufferBytes: number;
  /** Overwrites everything that depends on data. @param bufferBytes of the buffer that were used */
  wipe(bufferBytes: number): void;
  /** Bytes at the beginning of the buffer that may contain the owner's data. */
  touched: number;
  owner: BlockHash | undefined;
}

/** A hash function of a module, with the interface of src/crypto and a fast method for whole messages. */
export class BlockHashAlgorithm<N extends HashName = HashName> implements HashAlgorithm<N> {
  readonly name: N;
  readonly blockBytes: number;
  readonly digestBytes: number;
  readonly #kernel: BlockKernel;
  readonly #instance: HashInstance;

  constructor(kernel: BlockKernel & { readonly name: N }, instance: HashInstance) {
    this.name = kernel.name;
    this.blockBytes = kernel.blockBytes;
    this.digestBytes = kernel.digestBytes;
    this.#kernel = kernel;
    this.#instance = instance;
  }

  create(): Hash {
    return new BlockHash(this.#kernel, this.#instance);
  }

  /**
   * A hash that continues from a state after whole blocks, as HMAC's after the key.
   *
   * @param state in the module's form; copied
   * @param messageBytes that were compressed: a multiple of blockBytes
   */
  createFrom(state: Uint8Array, messageBytes: number): Hash {
    return new BlockHash(this.#kernel, this.#instance, state, messageBytes);
  }

  /**
   * The digest of a whole message.
   *
   * @param into at least digestBytes long
   * @returns digestBytes bytes, a view of `into` if given
   */
  digest(data: Uint8Array, into?: Uint8Array): Uint8Array {
    checkBytes('data', data);
    if (into !== undefined) checkBytes('into', into, { min: this.digestBytes });
    const instance = this.#instance;
    const { memory, buffer, bufferBytes, state } = instance;
    const { blockBytes, initial } = this.#kernel;
    instance.owner?.leave();
    memory.set(initial, state);
    // The buffer is a whole number of blocks for every hash but SHA-3.
    const whole = bufferBytes - (bufferBytes % blockBytes);
    let offset = 0;
    for (; data.length - offset > whole; offset += whole) {
      memory.set(data.subarray(offset, offset + whole), buffer);
      this.#kernel.absorb(buffer, whole / blockBytes, offset);
    }
    memory.set(offset === 0 ? data : data.subarray(offset), buffer);
    absorbEnd(this.#kernel, buffer, data.length - offset, data.length);
    const digest = take(memory, state, this.digestBytes, into);
    instance.wipe(Math.max(instance.touched, Math.min(data.length, bufferBytes)));
    instance.touched = 0;
    return digest;
  }
}

/** Hashes the last bytes of a message, any number up to the size of the buffer. */
function absorbEnd(kernel: BlockKernel, pointer: number, length: number, total: number): void {
  const { blockBytes } = kernel;
  const kept = kernel.keepsLastBlock && length > 0 ? 1 : 0;
  const blocks = Math.floor((length - kept) / blockBytes);
  if (blocks > 0) kernel.absorb(pointer, blocks, total - length);
  kernel.finish(pointer + blocks * blockBytes, length - blocks * blockBytes, total);
}

function take(
  memory: Uint8Array,
  offset: number,
  length: number,
  into: Uint8Array | undefined,
): Uint8Array {
  if (into === undefined) return memory.slice(offset, offset + length);
  into.set(memory.subarray(offset, offset + length));
  return into.subarray(0, length);
}

/** A hash of a module, computed incrementally. */
export class BlockHash implements Hash {
  readonly blockBytes: number;
  readonly digestBytes: number;
  readonly #kernel: BlockKernel;
  readonly #instance: HashInstance;
  /** Current while another hash owns the module. */
  readonly #state: Uint8Array;
  readonly #pending: Uint8Array;
  #used = 0;
  #messageBytes = 0;
  #ended = false;

  constructor(
    kernel: BlockKernel,
    instance: HashInstance,
    state = kernel.initial,
    messageBytes = 0,
  ) {
    this.blockBytes = kernel.blockBytes;
    this.digestBytes = kernel.digestBytes;
    this.#kernel = kernel;
    this.#instance = instance;
    this.#state = state.slice();
    this.#messageBytes = messageBytes;
    this.#pending = new Uint8Array(kernel.blockBytes);
  }

  update(data: Uint8Array): this {
    checkBytes('data', data);
    this.#checkOpen();
    const room = this.blockBytes - this.#used - (this.#kernel.keepsLastBlock ? 0 : 1);
    if (data.length <= room) {
      this.#pending.set(data, this.#used);
      this.#used += data.length;
    } else {
      this.#enter();
      const { bufferBytes } = this.#instance;
      for (let offset = 0; offset < data.length; offset += bufferBytes) {
        this.#absorb(data.subarray(offset, offset + bufferBytes), offset);
      }
    }
    this.#messageBytes += data.length;
    return this;
  }

  digest(): Uint8Array {
    this.#checkOpen();
    this.#ended = true;
    this.#enter();
    const { memory, buffer, state } = this.#instance;
    memory.set(this.#pending.subarray(0, this.#used), buffer);
    this.#kernel.finish(buffer, this.#used, this.#messageBytes);
    const digest = this.#kernel.output?.() ?? memory.slice(state, state + this.digestBytes);
    this.wipe();
    return digest;
  }

  clone(): BlockHash {
    return new BlockHash(this.#kernel, this.#instance).resume(this);
  }

  /** Drops its own message and continues from the state of `from`, which does not change. */
  resume(from: Hash): this {
    if (!(from instanceof BlockHash) || from.#kernel !== this.#kernel) {
      throw new TypeError('from must be a hash of the same algorithm');
    }
    if (from !== this) {
      if (this.#instance.owner === this) this.#instance.owner = undefined;
      if (this.#instance.owner === from) from.leave();
      this.#state.set(from.#state);
      this.#pending.set(from.#pending);
    }
    this.#used = from.#used;
    this.#messageBytes = from.#messageBytes;
    this.#ended = from.#ended;
    return this;
  }

  wipe(): void {
    if (this.#instance.owner === this) {
      this.#instance.owner = undefined;
      this.#instance.wipe(this.#instance.touched);
      this.#instance.touched = 0;
    }
    wipe(this.#state, this.#pending);
  }

  /** Saves the state, because another hash takes the module. */
  leave(): void {
    const { memory, state } = this.#instance;
    this.#state.set(memory.subarray(state, state + this.#state.length));
    this.#instance.owner = undefined;
  }

  #enter(): void {
    const instance = this.#instance;
    if (instance.owner === this) return;
    instance.owner?.leave();
    instance.memory.set(this.#state, instance.state);
    instance.owner = this;
  }

  /** Compresses pending and new data, except a partial block at the end. */
  #absorb(data: Uint8Array, offset: number): void {
    const { memory, buffer } = this.#instance;
    const { blockBytes, keepsLastBlock } = this.#kernel;
    memory.set(this.#pending.subarray(0, this.#used), buffer);
    memory.set(data, buffer + this.#used);
    const length = this.#used + data.length;
    const blocks = Math.floor((length - (keepsLastBlock ? 1 : 0)) / blockBytes);
    this.#instance.touched = Math.max(this.#instance.touched, length);
    this.#kernel.absorb(buffer, blocks, this.#messageBytes + offset - this.#used);
    const end = buffer + blocks * blockBytes;
    this.#pending.set(memory.subarray(end, buffer + length));
    this.#used = length - blocks * blockBytes;
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error('the message has ended: digest() was called');
  }
}
