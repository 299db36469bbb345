import type { Hash, HashAlgorithm } from '../contracts.ts';
import { wipe } from '../bytes.ts';
import { checkBytes, checkInteger } from '../errors.ts';
import { load32le, store32le } from '../words.ts';
import { firstPrimes, halves, rootFraction } from './sha-constants.ts';

/*
 * BLAKE2b (RFC 7693). JavaScript has no fast 64-bit integers. Each 64-bit word is two adjacent 32-bit halves
 * in every array, the low one first (in the order of the bytes).
 */

export const BLAKE2B_BLOCK_BYTES = 128;
/** Longest digest in bytes. */
export const BLAKE2B_MAX_DIGEST_BYTES = 64;
/** Longest key in bytes. */
export const BLAKE2B_MAX_KEY_BYTES = 64;

/** Section 2.6: from the square roots of the first eight primes; low halves first */
export const BLAKE2B_IV: Readonly<Int32Array> = /* @__PURE__ */ initialValue();

function initialValue(): Int32Array {
  return halves(firstPrimes(8).map((prime) => exchangeHalves(rootFraction(prime, 2))));
}

/** Section 2.7. Rounds 10 and 11 repeat rounds 0 and 1. */
export const BLAKE2B_SIGMA: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/** BLAKE2b-512, without a key. */
export const BLAKE2B: HashAlgorithm<'BLAKE2b'> = {
  name: 'BLAKE2b',
  blockBytes: BLAKE2B_BLOCK_BYTES,
  digestBytes: BLAKE2B_MAX_DIGEST_BYTES,
  create: () => new Blake2b(),
};

/** @returns 64 bytes: the digest of all parts, one after the other */
export function blake2b(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = new Blake2b();
  for (const part of parts) hash.update(part);
  const digest = hash.digest();
  hash.wipe();
  return digest;
}

/** Parameters of BLAKE2b (RFC 7693, section 2.5). */
export interface Blake2bOptions {
  /** 1 … 64; default 64. Digests of different lengths are unrelated. */
  readonly digestBytes?: number;
  /** 0 … 64 bytes: with a key, the digest is a MAC. */
  readonly key?: Uint8Array;
}

/**
 * h of the empty message (section 3.3): the IV with the parameter block, in which only the lengths of digest
 * and key, and fan-out and depth (1) are not 0.
 *
 * @returns 64 bytes: eight little-endian words
 */
export function blake2bInitial(digestBytes: number, keyBytes: number): Uint8Array {
  const h = Int32Array.from(BLAKE2B_IV);
  h[0] ^= 0x0101_0000 ^ (keyBytes << 8) ^ digestBytes;
  const bytes = new Uint8Array(64);
  h.forEach((word, i) => store32le(bytes, 4 * i, word));
  return bytes;
}

/** @throws TypeError or RangeError with the name of the invalid option */
export function checkBlake2bOptions({ digestBytes, key }: Blake2bOptions): void {
  if (digestBytes !== undefined) {
    checkInteger('digestBytes', digestBytes, 1, BLAKE2B_MAX_DIGEST_BYTES);
  }
  if (key !== undefined) checkBytes('key', key, { min: 0, max: BLAKE2B_MAX_KEY_BYTES });
}

/** The hash of one message, computed incrementally. */
export class Blake2b implements Hash {
  readonly blockBytes = BLAKE2B_BLOCK_BYTES;
  readonly digestBytes: number;
  readonly #h: Int32Array;
  readonly #block = new Uint8Array(BLAKE2B_BLOCK_BYTES);
  #used = 0;
  /** Bytes compressed, and bytes of the block that is being compressed. */
  #counted = 0;
  #ended = false;

  /** @throws TypeError or RangeError for lengths that the standard does not allow */
  constructor(options: Blake2bOptions = {}) {
    checkBlake2bOptions(options);
    const { digestBytes = BLAKE2B_MAX_DIGEST_BYTES, key } = options;
    this.digestBytes = digestBytes;
    const initial = blake2bInitial(digestBytes, key?.length ?? 0);
    this.#h = Int32Array.from({ length: 16 }, (_, i) => load32le(initial, 4 * i));
    if (key === undefined || key.length === 0) return;
    // The key, padded with zeros, is the first block.
    this.#block.set(key);
    this.#used = BLAKE2B_BLOCK_BYTES;
  }

  update(data: Uint8Array): this {
    checkBytes('data', data);
    this.#checkOpen();
    for (let offset = 0; offset < data.length;) {
      // Compresses a full block only if more data follows, because the last block is compressed differently.
      if (this.#used === BLAKE2B_BLOCK_BYTES) this.#compressBlock(false);
      const taken = Math.min(BLAKE2B_BLOCK_BYTES - this.#used, data.length - offset);
      this.#block.set(data.subarray(offset, offset + taken), this.#used);
      this.#used += taken;
      offset += taken;
    }
    return this;
  }

  digest(): Uint8Array {
    this.#checkOpen();
    this.#ended = true;
    this.#block.fill(0, this.#used);
    this.#compressBlock(true);
    const bytes = new Uint8Array(BLAKE2B_MAX_DIGEST_BYTES);
    this.#h.forEach((word, i) => store32le(bytes, 4 * i, word));
    return bytes.slice(0, this.digestBytes);
  }

  clone(): Blake2b {
    const copy = new Blake2b({ digestBytes: this.digestBytes });
    copy.#h.set(this.#h);
    copy.#block.set(this.#block);
    copy.#used = this.#used;
    copy.#counted = this.#counted;
    copy.#ended = this.#ended;
    return copy;
  }

  wipe(): void {
    wipe(this.#h, this.#block);
  }

  #compressBlock(last: boolean): void {
    this.#counted += this.#used;
    compress(this.#h, this.#block, this.#counted, last);
    this.#used = 0;
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error('the message has ended: digest() was called');
  }
}

/** F of section 3.2. @param counted t: bytes of the message up to the end of this block */
function compress(h: Int32Array, block: Uint8Array, counted: number, last: boolean): void {
  const m = Int32Array.from({ length: 32 }, (_, i) => load32le(block, 4 * i));
  const v = new Int32Array(32);
  v.set(h);
  v.set(BLAKE2B_IV, 16);
  v[24] ^= counted;
  v[25] ^= Math.floor(counted / 0x1_0000_0000);
  if (last) {
    v[28] ^= -1;
    v[29] ^= -1;
  }
  for (let i = 0; i < 12; i++) round(v, m, BLAKE2B_SIGMA[i % 10]);
  for (let i = 0; i < 16; i++) h[i] ^= v[i] ^ v[i + 16];
}

/** Columns, then diagonals. */
function round(v: Int32Array, m: Int32Array, s: readonly number[]): void {
  for (let i = 0; i < 4; i++) {
    mix(v, i, 4 + i, 8 + i, 12 + i, m, s[2 * i], s[2 * i + 1]);
  }
  for (let i = 0; i < 4; i++) {
    const [b, c, d] = [4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4)];
    mix(v, i, b, c, d, m, s[8 + 2 * i], s[9 + 2 * i]);
  }
}

/** G of section 3.1; words are named by their number, 0 … 15 */
function mix(
  v: Int32Array,
  a: number,
  b: number,
  c: number,
  d: number,
  m: Int32Array,
  x: number,
  y: number,
): void {
  add(v, a, v[2 * b], v[2 * b + 1]);
  add(v, a, m[2 * x], m[2 * x + 1]);
  xorAndRotateRight(v, d, a, 32);
  add(v, c, v[2 * d], v[2 * d + 1]);
  xorAndRotateRight(v, b, c, 24);
  add(v, a, v[2 * b], v[2 * b + 1]);
  add(v, a, m[2 * y], m[2 * y + 1]);
  xorAndRotateRight(v, d, a, 16);
  add(v, c, v[2 * d], v[2 * d + 1]);
  xorAndRotateRight(v, b, c, 63);
}

/** v_i = v_i + the 64-bit word of these halves */
function add(v: Int32Array, i: number, low: number, high: number): void {
  const sum = (v[2 * i] + low) | 0;
  // The low halves carry if their unsigned sum is less than one of them.
  v[2 * i + 1] += high + Number(sum >>> 0 < low >>> 0);
  v[2 * i] = sum;
}

/** v_i = (v_i ⊕ v_j) >>> count */
function xorAndRotateRight(v: Int32Array, i: number, j: number, count: 16 | 24 | 32 | 63): void {
  const low = v[2 * i] ^ v[2 * j];
  const high = v[2 * i + 1] ^ v[2 * j + 1];
  // A rotation by 32 exchanges the halves; one by 63 is 32 and 31.
  const [near, far] = count >= 32 ? [high, low] : [low, high];
  const rest = count % 32;
  v[2 * i] = rest === 0 ? near : (near >>> rest) | (far << (32 - rest));
  v[2 * i + 1] = rest === 0 ? far : (far >>> rest) | (near << (32 - rest));
}

function exchangeHalves(word: bigint): bigint {
  return BigInt.asUintN(64, word << 32n) | (word >> 32n);
}
