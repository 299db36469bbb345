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

const ROUNDS = 12;
/** The same for all rounds, as places of low halves. */
const MESSAGE_ORDER: Readonly<Uint8Array> = /* @__PURE__ */ messageOrder();

function messageOrder(): Uint8Array {
  const places = Array.from({ length: ROUNDS }, (_, round) => BLAKE2B_SIGMA[round % 10]);
  return Uint8Array.from(places.flat(), (word) => 2 * word);
}

/** The work vector v and the words m of the block that is being compressed: two arrays cost as much as a block. */
const WORK = {
  v: /* @__PURE__ */ new Int32Array(32),
  m: /* @__PURE__ */ new Int32Array(32),
} as const;

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
  const bytes = new Uint8Array(64);
  initialWords(digestBytes, keyBytes).forEach((word, i) => store32le(bytes, 4 * i, word));
  return bytes;
}

function initialWords(digestBytes: number, keyBytes: number): Int32Array {
  const h = BLAKE2B_IV.slice();
  h[0] ^= 0x0101_0000 ^ (keyBytes << 8) ^ digestBytes;
  return h;
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
    this.#h = initialWords(digestBytes, key?.length ?? 0);
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
      this.#block.set(
        taken === data.length ? data : data.subarray(offset, offset + taken),
        this.#used,
      );
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
    const bytes = new Uint8Array(this.digestBytes);
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.#h[i >> 2] >>> (8 * (i & 3));
    return bytes;
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

  /** F of section 3.2 */
  #compressBlock(last: boolean): void {
    const h = this.#h;
    const { v, m } = WORK;
    for (let i = 0; i < 32; i++) m[i] = load32le(this.#block, 4 * i);
    v.set(h);
    v.set(BLAKE2B_IV, 16);
    // t: bytes of the message up to the end of this block
    this.#counted += this.#used;
    v[24] ^= this.#counted;
    v[25] ^= Math.floor(this.#counted / 0x1_0000_0000);
    if (last) {
      v[28] ^= -1;
      v[29] ^= -1;
    }
    for (let i = 0; i < 16 * ROUNDS; i += 16) round(v, m, i);
    for (let i = 0; i < 16; i++) h[i] ^= v[i] ^ v[i + 16];
    wipe(v, m);
    this.#used = 0;
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error('the message has ended: digest() was called');
  }
}

/** Columns, then diagonals. @param i where the round begins in MESSAGE_ORDER */
function round(v: Int32Array, m: Int32Array, i: number): void {
  const s = MESSAGE_ORDER;
  mix(v, 0, 8, 16, 24, m, s[i], s[i + 1]);
  mix(v, 2, 10, 18, 26, m, s[i + 2], s[i + 3]);
  mix(v, 4, 12, 20, 28, m, s[i + 4], s[i + 5]);
  mix(v, 6, 14, 22, 30, m, s[i + 6], s[i + 7]);
  mix(v, 0, 10, 20, 30, m, s[i + 8], s[i + 9]);
  mix(v, 2, 12, 22, 24, m, s[i + 10], s[i + 11]);
  mix(v, 4, 14, 16, 26, m, s[i + 12], s[i + 13]);
  mix(v, 6, 8, 18, 28, m, s[i + 14], s[i + 15]);
}

/** v_a, v_b, v_c, v_d = G(v_a, v_b, v_c, v_d, m_x, m_y) (section 3.1); a … y are the places of low halves. */
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
  // a = a + b + x
  const bl = v[b];
  const bh = v[b + 1];
  const a0 = (v[a] + bl) | 0;
  const a1 = (a0 + m[x]) | 0;
  const a1h = (v[a + 1] + bh + carry(v[a], bl, a0) + m[x + 1] + carry(a0, m[x], a1)) | 0;
  // d = (d ⊕ a) >>> 32, which exchanges the halves
  const d1 = v[d + 1] ^ a1h;
  const d1h = v[d] ^ a1;
  // c = c + d
  const c1 = (v[c] + d1) | 0;
  const c1h = (v[c + 1] + d1h + carry(v[c], d1, c1)) | 0;
  // b = (b ⊕ c) >>> 24
  let low = bl ^ c1;
  let high = bh ^ c1h;
  const b1 = (low >>> 24) | (high << 8);
  const b1h = (high >>> 24) | (low << 8);
  // a = a + b + y
  const a2 = (a1 + b1) | 0;
  const a3 = (a2 + m[y]) | 0;
  const a3h = (a1h + b1h + carry(a1, b1, a2) + m[y + 1] + carry(a2, m[y], a3)) | 0;
  v[a] = a3;
  v[a + 1] = a3h;
  // d = (d ⊕ a) >>> 16
  low = d1 ^ a3;
  high = d1h ^ a3h;
  const d2 = (low >>> 16) | (high << 16);
  const d2h = (high >>> 16) | (low << 16);
  v[d] = d2;
  v[d + 1] = d2h;
  // c = c + d
  const c2 = (c1 + d2) | 0;
  const c2h = (c1h + d2h + carry(c1, d2, c2)) | 0;
  v[c] = c2;
  v[c + 1] = c2h;
  // b = (b ⊕ c) >>> 63, which is 1 to the left
  low = b1 ^ c2;
  high = b1h ^ c2h;
  v[b] = (low << 1) | (high >>> 31);
  v[b + 1] = (high << 1) | (low >>> 31);
}

/** The carry out of the sum of two low halves, without a comparison. */
function carry(x: number, y: number, sum: number): number {
  return ((x & y) | ((x | y) & ~sum)) >>> 31;
}

function exchangeHalves(word: bigint): bigint {
  return BigInt.asUintN(64, word << 32n) | (word >> 32n);
}
