import type { Hash, HashAlgorithm } from '../contracts.ts';
import { checkBytes } from '../errors.ts';
import { wipe } from '../bytes.ts';
import { load32be, store32be, store64be } from '../words.ts';

/**
 * The common part of SHA-1 and SHA-2 (FIPS 180-4, sections 5.1, 5.2 and 6): a message is cut into blocks,
 * each block is compressed into a chaining state, and the last block contains padding and the length. The
 * hash functions differ in their `Compression`.
 */
export interface Compression {
  readonly name: HashAlgorithm['name'];
  /** 64 or 128: bytes compressed at once */
  readonly blockBytes: number;
  /** 8 or 16: bytes at the end of the last block that hold the message's length in bits */
  readonly lengthBytes: number;
  readonly digestBytes: number;
  /** H(0), as 32-bit words; a 64-bit word is two of them, high half first */
  readonly initial: Int32Array;
  /** 32-bit words of the message schedule W that are kept; at least one block */
  readonly scheduleWords: number;
  /**
   * Compresses one block into `state`.
   *
   * @param state as long as `initial`; changed
   * @param w the schedule, which begins with the block as big-endian 32-bit words; changed
   */
  readonly compress: (state: Int32Array, w: Int32Array) => void;
}

/** A hash that can be reused without a new object, for HMAC. */
export interface ResumableHash extends Hash {
  /** Drops its own message and continues from the state of `from`, which does not change. */
  resume?(from: Hash): this;
}

/**
 * @returns the algorithm of the contract for a compression function. Its hashes share one schedule: scratch
 * memory that is filled and used within one call and wiped with the hash.
 */
export function hashAlgorithm(compression: Compression): HashAlgorithm {
  const { name, blockBytes, digestBytes } = compression;
  const schedule = new Int32Array(compression.scheduleWords);
  const create = (): MerkleDamgard => new MerkleDamgard(compression, schedule);
  return { name, blockBytes, digestBytes, create };
}

/** @returns the digest of all parts, one after the other */
export function hashOf(
  algorithm: Pick<HashAlgorithm, 'create'>,
  parts: readonly Uint8Array[],
): Uint8Array {
  const hash = algorithm.create();
  for (const part of parts) hash.update(part);
  const digest = hash.digest();
  hash.wipe();
  return digest;
}

/**
 * Writes the length of a message, in bits and big-endian, at the end of its last block (FIPS 180-4, section
 * 5.1). Does not change the bytes before it.
 *
 * @param block the last block; its last 8 bytes are written, which is enough for 2^61 bytes
 * @param messageBytes length of the message in bytes, up to 2^53 - 1
 */
export function writeBitLength(block: Uint8Array, messageBytes: number): void {
  // messageBytes · 8 may exceed 2^53, but multiplication by a power of two stays exact.
  store64be(block, block.length - 8, messageBytes * 8);
}

/** From this many bytes on, reading words through a DataView saves more than creating it costs. */
const VIEW_BYTES = 512;

class MerkleDamgard implements ResumableHash {
  readonly blockBytes: number;
  readonly digestBytes: number;
  readonly #compression: Compression;
  readonly #schedule: Int32Array;
  readonly #state: Int32Array;
  readonly #block: Uint8Array;
  #messageBytes = 0;
  #ended = false;

  constructor(compression: Compression, schedule: Int32Array) {
    this.blockBytes = compression.blockBytes;
    this.digestBytes = compression.digestBytes;
    this.#compression = compression;
    this.#schedule = schedule;
    this.#state = new Int32Array(compression.initial);
    this.#block = new Uint8Array(compression.blockBytes);
  }

  update(data: Uint8Array): this {
    // The check is cheap and nearly always true; PBKDF2 makes millions of these calls
    if (!(data instanceof Uint8Array) || data.length === 0) checkBytes('data', data);
    this.#checkOpen();
    let used = this.#messageBytes % this.blockBytes;
    this.#messageBytes += data.length;
    for (let offset = 0; offset < data.length;) {
      if (used === 0 && data.length - offset >= VIEW_BYTES) {
        offset = this.#compressRun(data, offset);
        continue;
      }
      const taken = Math.min(this.blockBytes - used, data.length - offset);
      const part = taken === data.length ? data : data.subarray(offset, offset + taken);
      this.#block.set(part, used);
      offset += taken;
      used = (used + taken) % this.blockBytes;
      if (used === 0) this.#compressBlock();
    }
    return this;
  }

  digest(): Uint8Array {
    this.#checkOpen();
    this.#ended = true;
    this.#pad();
    const digest = new Uint8Array(this.digestBytes);
    for (let i = 0; 4 * i < digest.length; i++) store32be(digest, 4 * i, this.#state[i]);
    return digest;
  }

  clone(): MerkleDamgard {
    return new MerkleDamgard(this.#compression, this.#schedule).resume(this);
  }

  resume(from: Hash): this {
    if (!(from instanceof MerkleDamgard) || from.#compression !== this.#compression) {
      throw new TypeError('from must be a hash of the same algorithm');
    }
    this.#state.set(from.#state);
    if (from.#messageBytes % this.blockBytes > 0) this.#block.set(from.#block);
    this.#messageBytes = from.#messageBytes;
    this.#ended = from.#ended;
    return this;
  }

  wipe(): void {
    wipe(this.#state, this.#block, this.#schedule);
  }

  /** A 1 bit, zeros, and the length in bits at the end of a block (FIPS 180-4, section 5.1). */
  #pad(): void {
    const block = this.#block;
    const used = this.#messageBytes % this.blockBytes;
    block[used] = 0x80;
    block.fill(0, used + 1);
    if (used + 1 + this.#compression.lengthBytes > this.blockBytes) {
      this.#compressBlock();
      block.fill(0);
    }
    writeBitLength(block, this.#messageBytes);
    this.#compressBlock();
  }

  #compressBlock(): void {
    const w = this.#schedule;
    for (let i = 0; 4 * i < this.blockBytes; i++) w[i] = load32be(this.#block, 4 * i);
    this.#compression.compress(this.#state, w);
  }

  /** Compresses the whole blocks from `start` on without copying them. @returns their end */
  #compressRun(data: Uint8Array, start: number): number {
    const w = this.#schedule;
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    let offset = start;
    for (; offset + this.blockBytes <= data.length; offset += this.blockBytes) {
      for (let i = 0; 4 * i < this.blockBytes; i++) w[i] = view.getInt32(offset + 4 * i);
      this.#compression.compress(this.#state, w);
    }
    return offset;
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error('the message has ended: digest() was called');
  }
}
