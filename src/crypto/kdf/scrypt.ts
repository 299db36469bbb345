import { wipe } from '../bytes.ts';
import { checkBytes, checkInteger } from '../errors.ts';
import { SHA256 } from '../hash/sha256.ts';
import { salsaBlock } from '../stream/salsa20.ts';
import { load32le, store32le } from '../words.ts';
import { pbkdf2 } from './pbkdf2.ts';

/** The cost of scrypt (RFC 7914, section 2): it takes 128 · N · r bytes of memory. */
export interface ScryptCost {
  /** CPU and memory: a power of two, 2 … 2^31, below 2^(16 r) */
  readonly N: number;
  /** Block size: 128 · r bytes; r · p below 2^30 */
  readonly r: number;
  /** Number of blocks that are mixed, one after the other. */
  readonly p: number;
}

/** 32-bit words of a Salsa20 block. */
const BLOCK_WORDS = 16;
/** Steps of ROMix between two progress reports, times r: some milliseconds. */
const STEP = 4096;

/**
 * scrypt (RFC 7914, section 6). The addresses depend on the password: an attacker who can observe the cache
 * learns about it. This is a property of scrypt.
 *
 * @param password any length
 * @param salt any length
 * @param lengthBytes 1 … (2^32 - 1) · 32
 * @returns lengthBytes bytes
 * @throws TypeError or RangeError for anything else: there are no defaults
 */
export function scrypt(
  password: Uint8Array,
  salt: Uint8Array,
  cost: ScryptCost,
  lengthBytes: number,
): Uint8Array {
  const steps = scryptSteps(password, salt, cost, lengthBytes);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * scrypt in steps, for a caller that shows progress, yields to other work or stops early (by leaving the
 * loop, which wipes the state).
 *
 * @returns a generator that yields the share done, 0 … 1, and returns the derived key. Arguments are checked
 * in this call, not at the generator's first step.
 */
export function scryptSteps(
  password: Uint8Array,
  salt: Uint8Array,
  cost: ScryptCost,
  lengthBytes: number,
): Generator<number, Uint8Array, void> {
  checkScrypt(password, salt, cost, lengthBytes);
  return derive(password, salt, cost, lengthBytes);
}

/** @throws TypeError or RangeError with the name of the invalid parameter */
export function checkScrypt(
  password: Uint8Array,
  salt: Uint8Array,
  { N, r, p }: ScryptCost,
  lengthBytes: number,
): void {
  checkBytes('password', password);
  checkBytes('salt', salt);
  checkInteger('r', r, 1, 2 ** 30 - 1);
  checkInteger('p', p, 1, Math.floor((2 ** 30 - 1) / r));
  checkInteger('N', N, 2, Math.min(2 ** 31, 2 ** (16 * r) - 1));
  if (!Number.isInteger(Math.log2(N))) throw new RangeError(`N must be a power of two, got ${N}`);
  checkInteger('lengthBytes', lengthBytes, 1, 0xffff_ffff * 32);
}

function* derive(
  password: Uint8Array,
  salt: Uint8Array,
  { N, r, p }: ScryptCost,
  lengthBytes: number,
): Generator<number, Uint8Array, void> {
  // 1. Initialize an array B of p blocks
  const b = pbkdf2(SHA256, password, salt, 1, p * 128 * r);
  const v = new Int32Array(32 * r * N);
  try {
    // 2. B_i = scryptROMix(r, B_i, N)
    for (let i = 0; i < p; i++) {
      const block = b.subarray(i * 128 * r, (i + 1) * 128 * r);
      for (const done of roMix(block, v, N, r)) yield (i + done / (2 * N)) / p;
    }
    // 3. DK = PBKDF2-HMAC-SHA256(P, B_0 ‖ … ‖ B_{p-1}, 1, dkLen)
    return pbkdf2(SHA256, password, b, 1, lengthBytes);
  } finally {
    wipe(b, v);
  }
}

/** scryptROMix (section 5). @param v memory for N blocks; changed @returns steps done, of 2 N */
function* roMix(
  block: Uint8Array,
  v: Int32Array,
  N: number,
  r: number,
): Generator<number, void, void> {
  const words = 32 * r;
  const pause = Math.max(1, Math.floor(STEP / r));
  const x = Int32Array.from({ length: words }, (_, i) => load32le(block, 4 * i));
  const t = new Int32Array(words);
  try {
    // V_0 = X, V_i = scryptBlockMix(V_(i-1)): each block is computed where it belongs
    v.set(x);
    for (let i = 1; i < N; i++) {
      blockMix(v, (i - 1) * words, v, i * words, r);
      if (i % pause === 0) yield i;
    }
    blockMix(v, (N - 1) * words, x, 0, r);
    for (let i = 0; i < N; i++) {
      // j = Integerify(X) mod N: the last block as a little-endian integer. N divides 2^32.
      const j = (x[words - BLOCK_WORDS] & (N - 1)) >>> 0;
      // T = X xor V_j, X = scryptBlockMix(T)
      for (let k = 0; k < words; k++) t[k] = x[k] ^ v[j * words + k];
      blockMix(t, 0, x, 0, r);
      if ((i + 1) % pause === 0 || i + 1 === N) yield N + i + 1;
    }
    x.forEach((word, i) => store32le(block, 4 * i, word));
  } finally {
    wipe(x, t);
  }
}

/**
 * scryptBlockMix (section 4) of the 2 r blocks from `at` on: even results to the first half of what begins at
 * `targetAt`, odd ones to the second.
 *
 * @param target may be the same array in another place
 */
function blockMix(
  source: Int32Array,
  at: number,
  target: Int32Array,
  targetAt: number,
  r: number,
): void {
  // X: the last block, then the result before
  let x = source;
  let xAt = at + (2 * r - 1) * BLOCK_WORDS;
  for (let i = 0; i < 2 * r; i++) {
    const resultAt = targetAt + BLOCK_WORDS * ((i >> 1) + (i & 1) * r);
    // T = X xor B_i, X = Salsa20/8 of T (section 3)
    salsaBlock(x, xAt, 4, target, resultAt, source, at + BLOCK_WORDS * i);
    x = target;
    xAt = resultAt;
  }
}
