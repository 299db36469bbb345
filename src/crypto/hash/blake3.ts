import type { Hash, HashAlgorithm } from '../contracts.ts';
import { utf8, wipe } from '../bytes.ts';
import { checkBytes, checkInteger } from '../errors.ts';
import { load32le, rotateRight32, store32le } from '../words.ts';
import { firstPrimes, highHalves, rootFraction } from './sha-constants.ts';

/*
 * BLAKE3 (O'Connor, Aumasson, Neves, Wilcox-O'Hearn: "BLAKE3: one function, fast everywhere", version
 * 20211102; section numbers below are that paper's). A message is cut into chunks of 1,024 bytes, the leaves
 * of a binary tree. A node's output to its parent is its chaining value.
 */

export const BLAKE3_BLOCK_BYTES = 64;
/** Bytes of a chunk, the leaf of the tree. */
export const BLAKE3_CHUNK_BYTES = 1024;
/** Default length of the digest in bytes. */
export const BLAKE3_DIGEST_BYTES = 32;
const BLOCKS_PER_CHUNK = BLAKE3_CHUNK_BYTES / BLAKE3_BLOCK_BYTES;
/** 2^53 bytes have 2^43 chunks: the greatest depth of a tree. */
export const BLAKE3_MAX_DEPTH = 43;

/** Table 3: the purpose of a compression. */
export const FLAGS = {
  CHUNK_START: 1,
  CHUNK_END: 2,
  PARENT: 4,
  ROOT: 8,
  KEYED_HASH: 16,
  DERIVE_KEY_CONTEXT: 32,
  DERIVE_KEY_MATERIAL: 64,
} as const;

/** Table 1: the IV of SHA-256, from the square roots of the first eight primes */
export const BLAKE3_IV: Readonly<Int32Array> = /* @__PURE__ */ initialValue();

function initialValue(): Int32Array {
  return highHalves(firstPrimes(8).map((prime) => rootFraction(prime, 2)));
}

/** Table 2: the order of message words in the next round */
export const BLAKE3_PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8] as const;

/** BLAKE3 as a hash function, with its default length of 32 bytes. */
export const BLAKE3: HashAlgorithm<'BLAKE3'> = {
  name: 'BLAKE3',
  blockBytes: BLAKE3_BLOCK_BYTES,
  digestBytes: BLAKE3_DIGEST_BYTES,
  create: () => new Blake3(),
};

/** @returns 32 bytes: the digest of all parts, one after the other */
export function blake3(...parts: readonly Uint8Array[]): Uint8Array {
  return digestOf(new Blake3(), parts);
}

/**
 * The keyed hash: a MAC and a pseudo-random function.
 *
 * @param key 32 bytes
 * @returns 32 bytes; compare tags with `equal` of bytes.ts only
 */
export function blake3Keyed(key: Uint8Array, ...parts: readonly Uint8Array[]): Uint8Array {
  return digestOf(Blake3.keyed(key), parts);
}

/**
 * Key derivation.
 *
 * @param context a text that is fixed in the program, unique to it and to this use of the key
 * @param material the secret, any length
 * @param lengthBytes any number
 * @returns lengthBytes bytes
 */
export function blake3DeriveKey(
  context: string,
  material: Uint8Array,
  lengthBytes: number = BLAKE3_DIGEST_BYTES,
): Uint8Array {
  return digestOf(Blake3.deriveKey(context), [material], lengthBytes);
}

function digestOf(hash: Blake3, parts: readonly Uint8Array[], lengthBytes?: number): Uint8Array {
  for (const part of parts) hash.update(part);
  const digest = hash.digest(lengthBytes);
  hash.wipe();
  return digest;
}

/** The input of a node's last compression, before it is known whether the node is the root (section 2.6). */
interface Node {
  readonly chainingValue: Int32Array;
  readonly block: Int32Array;
  readonly counter: number;
  readonly length: number;
  readonly flags: number;
}

/** The hash of one message, computed incrementally. */
export class Blake3 implements Hash {
  readonly blockBytes = BLAKE3_BLOCK_BYTES;
  readonly digestBytes = BLAKE3_DIGEST_BYTES;
  readonly #key: Int32Array;
  readonly #flags: number;
  /** Chaining values of complete subtrees, largest first: one for each bit of the chunk count. */
  #stack: Int32Array[] = [];
  #chunks = 0;
  /** The current chunk: its chaining value, the number of whole blocks so far, and the current block. */
  #chainingValue: Int32Array;
  #blocks = 0;
  readonly #block = new Uint8Array(BLAKE3_BLOCK_BYTES);
  #used = 0;
  #ended = false;

  /** A hash without a key; see also `keyed` and `deriveKey`. */
  constructor(key: Readonly<Int32Array> = BLAKE3_IV, flags = 0) {
    this.#key = Int32Array.from(key);
    this.#flags = flags;
    this.#chainingValue = this.#key.slice();
  }

  /** @param key 32 bytes */
  static keyed(key: Uint8Array): Blake3 {
    checkBytes('key', key, BLAKE3_DIGEST_BYTES);
    return new Blake3(wordsOf(key), FLAGS.KEYED_HASH);
  }

  /** A hash whose message is key material and whose digest is the derived key (section 2.3). */
  static deriveKey(context: string): Blake3 {
    const contextKey = new Blake3(BLAKE3_IV, FLAGS.DERIVE_KEY_CONTEXT)
      .update(utf8(context))
      .digest();
    return new Blake3(wordsOf(contextKey), FLAGS.DERIVE_KEY_MATERIAL);
  }

  update(data: Uint8Array): this {
    checkBytes('data', data);
    this.#checkOpen();
    for (let offset = 0; offset < data.length;) {
      // Compresses a block only if more data follows, because the last block of a chunk has another flag.
      if (this.#used === BLAKE3_BLOCK_BYTES) this.#endBlock();
      const taken = Math.min(BLAKE3_BLOCK_BYTES - this.#used, data.length - offset);
      this.#block.set(data.subarray(offset, offset + taken), this.#used);
      this.#used += taken;
      offset += taken;
    }
    return this;
  }

  /** @param lengthBytes any number: the first bytes of an unlimited output (section 2.6) */
  digest(lengthBytes: number = BLAKE3_DIGEST_BYTES): Uint8Array {
    checkInteger('lengthBytes', lengthBytes, 0, Number.MAX_SAFE_INTEGER);
    this.#checkOpen();
    this.#ended = true;
    let node = this.#chunkNode();
    for (let i = this.#stack.length - 1; i >= 0; i--) {
      node = this.#parentNode(this.#stack[i], chainingValueOf(node));
    }
    return output(node, lengthBytes);
  }

  clone(): Blake3 {
    const copy = new Blake3(this.#key, this.#flags);
    copy.#stack = this.#stack.map((value) => value.slice());
    copy.#chunks = this.#chunks;
    copy.#chainingValue = this.#chainingValue.slice();
    copy.#blocks = this.#blocks;
    copy.#block.set(this.#block);
    copy.#used = this.#used;
    copy.#ended = this.#ended;
    return copy;
  }

  wipe(): void {
    wipe(this.#key, this.#chainingValue, this.#block, ...this.#stack);
  }

  /** More data follows the current block, and so the current chunk if this was its last block. */
  #endBlock(): void {
    if (this.#blocks === BLOCKS_PER_CHUNK - 1) {
      this.#endChunk();
      return;
    }
    this.#chainingValue = chainingValueOf(this.#blockNode(0));
    this.#blocks++;
    this.#used = 0;
  }

  /** Merges one subtree for each carry of the chunk count in binary (section 5.1.2). */
  #endChunk(): void {
    let value = chainingValueOf(this.#chunkNode());
    this.#chunks++;
    for (let total = this.#chunks; total % 2 === 0; total /= 2) {
      value = chainingValueOf(this.#parentNode(this.#stack.pop()!, value));
    }
    this.#stack.push(value);
    this.#chainingValue = this.#key.slice();
    this.#blocks = 0;
    this.#used = 0;
  }

  #chunkNode(): Node {
    return this.#blockNode(FLAGS.CHUNK_END);
  }

  /** Section 2.4 */
  #blockNode(flags: number): Node {
    this.#block.fill(0, this.#used);
    const start = this.#blocks === 0 ? FLAGS.CHUNK_START : 0;
    return {
      chainingValue: this.#chainingValue,
      block: wordsOf(this.#block),
      counter: this.#chunks,
      length: this.#used,
      flags: this.#flags | start | flags,
    };
  }

  /** Section 2.5 */
  #parentNode(left: Int32Array, right: Int32Array): Node {
    return {
      chainingValue: this.#key,
      block: Int32Array.of(...left, ...right),
      counter: 0,
      length: BLAKE3_BLOCK_BYTES,
      flags: this.#flags | FLAGS.PARENT,
    };
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error('the message has ended: digest() was called');
  }
}

function chainingValueOf(node: Node): Int32Array {
  return compress(node, node.counter, node.flags).subarray(0, 8);
}

/** Section 2.6: the root is compressed again, with another counter for each 64 bytes. */
function output(root: Node, lengthBytes: number): Uint8Array {
  const bytes = new Uint8Array(lengthBytes);
  const block = new Uint8Array(BLAKE3_BLOCK_BYTES);
  for (let i = 0; i * BLAKE3_BLOCK_BYTES < lengthBytes; i++) {
    const words = compress(root, i, root.flags | FLAGS.ROOT);
    words.forEach((word, j) => store32le(block, 4 * j, word));
    const part = bytes.subarray(i * BLAKE3_BLOCK_BYTES, (i + 1) * BLAKE3_BLOCK_BYTES);
    part.set(block.subarray(0, part.length));
  }
  return bytes;
}

/** The compression function (section 2.2). @returns 16 words; the first 8 are the chaining value */
function compress(node: Node, counter: number, flags: number): Int32Array {
  const { chainingValue, length } = node;
  const v = new Int32Array(16);
  v.set(chainingValue);
  v.set(BLAKE3_IV.subarray(0, 4), 8);
  v[12] = counter;
  v[13] = Math.floor(counter / 0x1_0000_0000);
  v[14] = length;
  v[15] = flags;
  let m = node.block;
  for (let r = 0; r < 7; r++) {
    round(v, m);
    m = Int32Array.from(BLAKE3_PERMUTATION, (i) => m[i]);
  }
  for (let i = 0; i < 8; i++) {
    v[i] ^= v[i + 8];
    v[i + 8] ^= chainingValue[i];
  }
  return v;
}

/** Columns, then diagonals. */
function round(v: Int32Array, m: Int32Array): void {
  for (let i = 0; i < 4; i++) {
    mix(v, i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1]);
  }
  for (let i = 0; i < 4; i++) {
    const [b, c, d] = [4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4)];
    mix(v, i, b, c, d, m[8 + 2 * i], m[9 + 2 * i]);
  }
}

/** G */
function mix(
  v: Int32Array,
  a: number,
  b: number,
  c: number,
  d: number,
  x: number,
  y: number,
): void {
  v[a] += v[b] + x;
  v[d] = rotateRight32(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = rotateRight32(v[b] ^ v[c], 12);
  v[a] += v[b] + y;
  v[d] = rotateRight32(v[d] ^ v[a], 8);
  v[c] += v[d];
  v[b] = rotateRight32(v[b] ^ v[c], 7);
}

function wordsOf(bytes: Uint8Array): Int32Array {
  return Int32Array.from({ length: bytes.length / 4 }, (_, i) => load32le(bytes, 4 * i));
}
