import { ForwardAes } from '../crypto/aes/forward.ts';
import type { BlockCipher } from '../crypto/contracts.ts';
import { wipe } from '../crypto/bytes.ts';
import { checkBytes, checkInteger } from '../crypto/errors.ts';
import { NotSeededError } from './contract.ts';
import { beginShaD, endShaD, type ShaDVariant } from './sha-d.ts';

const KEY_BYTES = 32;
const BLOCK_BYTES = 16;

/**
 * The longest request: 2^16 blocks. Counter mode does not repeat blocks as random data would, so the
 * book limits the output of one key ("Cryptography Engineering", section 9.4.4).
 */
export const MAX_REQUEST_BYTES = 2 ** 20;

/** The forward cipher function of AES-256 under one key. */
export type ForwardCipher = Pick<BlockCipher, 'encryptBlocks' | 'wipe'>;

/** Makes the cipher under a key of 32 bytes, which it copies. */
export type MakeForwardCipher = (key: Uint8Array) => ForwardCipher;

/**
 * Fortuna's generator ("Cryptography Engineering", section 9.4): AES-256 in counter mode, with a
 * new key after every request: earlier output cannot be computed from the present state.
 */
export class FortunaGenerator {
  readonly #shaD: ShaDVariant;
  /** K, zeros at first */
  #key = new Uint8Array(KEY_BYTES);
  /** C, little-endian; zero before the first seed */
  readonly #counter = new Uint8Array(BLOCK_BYTES);
  #makeCipher: MakeForwardCipher = (key) => new ForwardAes(key);

  constructor(options: { readonly shaD?: ShaDVariant } = {}) {
    this.#shaD = options.shaD ?? '2010';
  }

  get seeded(): boolean {
    return this.#counter.some((byte) => byte !== 0);
  }

  /** Uses another implementation of AES from now on: one that is safe against side channels. */
  useCipher(make: MakeForwardCipher): void {
    this.#makeCipher = make;
  }

  /**
   * Section 9.4.2: K ← SHAd-256(K ‖ s); C ← C + 1.
   *
   * @param seed 1 byte or more; mixed into the state, which it does not replace. The output of a generator is
   *   as hard to guess as all its seeds together: give 32 bytes of the platform's generator or more.
   * @throws RangeError for an empty seed, after which the generator would count as seeded
   */
  reseed(seed: Uint8Array): void {
    checkBytes('seed', seed, { min: 1 });
    const key = endShaD(beginShaD(this.#shaD).update(this.#key).update(seed));
    this.#key.set(key);
    wipe(key);
    increment(this.#counter);
  }

  /**
   * Section 9.4.4: r ← the first n bytes of the blocks; K ← two more blocks.
   *
   * @param lengthBytes 0 … 2^20
   * @throws RangeError above that
   * @throws NotSeededError before the first `reseed`
   */
  generate(lengthBytes: number): Uint8Array<ArrayBuffer> {
    checkInteger('lengthBytes', lengthBytes, 0, MAX_REQUEST_BYTES);
    if (!this.seeded) throw new NotSeededError();
    const cipher = this.#makeCipher(this.#key);
    const bytes = generateBlocks(cipher, this.#counter, lengthBytes);
    const nextKey = generateBlocks(cipher, this.#counter, KEY_BYTES);
    cipher.wipe();
    wipe(this.#key);
    this.#key = nextKey;
    return bytes;
  }
}

/**
 * Section 9.4.3: E(K, C) ‖ E(K, C + 1) ‖ …
 *
 * @param cipher under K, 32 bytes
 * @param counter 16 bytes, little-endian; left at the value after the last block
 * @param lengthBytes length of the result; the rest of the last block is dropped
 */
export function generateBlocks(
  cipher: ForwardCipher,
  counter: Uint8Array,
  lengthBytes: number,
): Uint8Array<ArrayBuffer> {
  const blocks = new Uint8Array(Math.ceil(lengthBytes / BLOCK_BYTES) * BLOCK_BYTES);
  for (let offset = 0; offset < blocks.length; offset += BLOCK_BYTES) {
    blocks.set(counter, offset);
    increment(counter);
  }
  cipher.encryptBlocks(blocks, blocks);
  if (blocks.length === lengthBytes) return blocks;
  const bytes = blocks.slice(0, lengthBytes);
  wipe(blocks);
  return bytes;
}

/** C ← C + 1 modulo 2^128, the first byte lowest. */
function increment(counter: Uint8Array): void {
  for (let i = 0; i < counter.length; i++) {
    const sum = counter[i]! + 1;
    counter[i] = sum;
    if (sum < 0x100) return; // no carry
  }
}
