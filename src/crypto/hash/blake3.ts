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

const ROUNDS = 7;
/** Which word of the block each G of each round takes: the permutation applied again after every round. */
const MESSAGE_ORDER: Readonly<Uint8Array> = /* @__PURE__ */ messageOrder();

function messageOrder(): Uint8Array {
  const order = Uint8Array.from({ length: 16 * ROUNDS }, (_, i) => i);
  for (let i = 16; i < order.length; i++) {
    order[i] = order[i - (i % 16) - 16 + BLAKE3_PERMUTATION[i % 16]];
  }
  return order;
}

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
  readonly #chainingValue: Int32Array;
  #blocks = 0;
  readonly #block = new Uint8Array(BLAKE3_BLOCK_BYTES);
  #used = 0;
  #ended = false;
  /** The words of the block that is compressed, and the state of the compression. */
  readonly #m = new Int32Array(16);
  readonly #v = new Int32Array(16);

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
      node = this.#parentNode(this.#stack[i], this.#chainingValueOf(node));
    }
    return this.#output(node, lengthBytes);
  }

  clone(): Blake3 {
    const copy = new Blake3(this.#key, this.#flags);
    copy.#stack = this.#stack.map((value) => value.slice());
    copy.#chunks = this.#chunks;
    copy.#chainingValue.set(this.#chainingValue);
    copy.#blocks = this.#blocks;
    copy.#block.set(this.#block);
    copy.#used = this.#used;
    copy.#ended = this.#ended;
    return copy;
  }

  wipe(): void {
    wipe(this.#key, this.#chainingValue, this.#block, this.#m, this.#v, ...this.#stack);
  }

  /** More data follows the current block, and so the current chunk if this was its last block. */
  #endBlock(): void {
    if (this.#blocks === BLOCKS_PER_CHUNK - 1) {
      this.#endChunk();
      return;
    }
    const node = this.#blockNode(0);
    compress(this.#v, node, node.counter, node.flags);
    for (let i = 0; i < 8; i++) this.#chainingValue[i] = this.#v[i];
    this.#blocks++;
    this.#used = 0;
  }

  /** Merges one subtree for each carry of the chunk count in binary (section 5.1.2). */
  #endChunk(): void {
    let value = this.#chainingValueOf(this.#chunkNode());
    this.#chunks++;
    for (let total = this.#chunks; total % 2 === 0; total /= 2) {
      value = this.#chainingValueOf(this.#parentNode(this.#stack.pop()!, value));
    }
    this.#stack.push(value);
    this.#chainingValue.set(this.#key);
    this.#blocks = 0;
    this.#used = 0;
  }

  #chunkNode(): Node {
    return this.#blockNode(FLAGS.CHUNK_END);
  }

  /** Section 2.4. Its block is overwritten by the next one. */
  #blockNode(flags: number): Node {
    this.#block.fill(0, this.#used);
    for (let i = 0; i < 16; i++) this.#m[i] = load32le(this.#block, 4 * i);
    const start = this.#blocks === 0 ? FLAGS.CHUNK_START : 0;
    return {
      chainingValue: this.#chainingValue,
      block: this.#m,
      counter: this.#chunks,
      length: this.#used,
      flags: this.#flags | start | flags,
    };
  }

  /** Section 2.5 */
  #parentNode(left: Int32Array, right: Int32Array): Node {
    const block = new Int32Array(16);
    block.set(left);
    block.set(right, 8);
    return {
      chainingValue: this.#key,
      block,
      counter: 0,
      length: BLAKE3_BLOCK_BYTES,
      flags: this.#flags | FLAGS.PARENT,
    };
  }

  #chainingValueOf(node: Node): Int32Array {
    compress(this.#v, node, node.counter, node.flags);
    return this.#v.slice(0, 8);
  }

  /** Section 2.6: the root is compressed again, with another counter for each 64 bytes. */
  #output(root: Node, lengthBytes: number): Uint8Array {
    const bytes = new Uint8Array(lengthBytes);
    const block = new Uint8Array(BLAKE3_BLOCK_BYTES);
    for (let i = 0; i * BLAKE3_BLOCK_BYTES < lengthBytes; i++) {
      compress(this.#v, root, i, root.flags | FLAGS.ROOT);
      for (let j = 0; j < 16; j++) store32le(block, 4 * j, this.#v[j]);
      const part = bytes.subarray(i * BLAKE3_BLOCK_BYTES, (i + 1) * BLAKE3_BLOCK_BYTES);
      part.set(block.subarray(0, part.length));
    }
    return bytes;
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error('the message has ended: digest() was called');
  }
}

/** The compression function (section 2.2). @param v receives 16 words; the first 8 are the chaining value */
function compress(v: Int32Array, node: Node, counter: number, flags: number): void {
  const { chainingValue, block: m, length } = node;
  const s = MESSAGE_ORDER;
  v.set(chainingValue);
  for (let i = 0; i < 4; i++) v[8 + i] = BLAKE3_IV[i];
  v[12] = counter;
  v[13] = Math.floor(counter / 0x1_0000_0000);
  v[14] = length;
  v[15] = flags;
  for (let i = 0; i < 16 * ROUNDS; i += 16) {
    // Columns, then diagonals
    mix(v, 0, 4, 8, 12, m[s[i]], m[s[i + 1]]);
    mix(v, 1, 5, 9, 13, m[s[i + 2]], m[s[i + 3]]);
    mix(v, 2, 6, 10, 14, m[s[i + 4]], m[s[i + 5]]);
    mix(v, 3, 7, 11, 15, m[s[i + 6]], m[s[i + 7]]);
    mix(v, 0, 5, 10, 15, m[s[i + 8]], m[s[i + 9]]);
    mix(v, 1, 6, 11, 12, m[s[i + 10]], m[s[i + 11]]);
    mix(v, 2, 7, 8, 13, m[s[i + 12]], m[s[i + 13]]);
    mix(v, 3, 4, 9, 14, m[s[i + 14]], m[s[i + 15]]);
  }
  for (let i = 0; i < 8; i++) {
    v[i] ^= v[i + 8];
    v[i + 8] ^= chainingValue[i];
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
  const a1 = (v[a] + v[b] + x) | 0;
  const d1 = rotateRight32(v[d] ^ a1, 16);
  const c1 = (v[c] + d1) | 0;
  const b1 = rotateRight32(v[b] ^ c1, 12);
  v[a] = a1 + b1 + y;
  v[d] = rotateRight32(d1 ^ v[a], 8);
  v[c] = c1 + v[d];
  v[b] = rotateRight32(b1 ^ v[c], 7);
}

function wordsOf(bytes: Uint8Array): Int32Array {
  return Int32Array.from({ length: bytes.length / 4 }, (_, i) => load32le(bytes, 4 * i));
}
