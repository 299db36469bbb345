import type { Hash, HashAlgorithm, Sha3Name } from '../contracts.ts';
import { wipe } from '../bytes.ts';
import { checkBytes } from '../errors.ts';
import { load32le, store32le } from '../words.ts';

/*
 * SHA-3 (FIPS 202). The state is 25 lanes of 64 bits, lane (x, y) at 5y + x. JavaScript has no fast 64-bit
 * integers. Each lane is two adjacent 32-bit halves, the low one first (in the order of the bytes).
 */

/** b / 8 */
export const KECCAK_STATE_BYTES = 200;
const LANES = 25;
const ROUNDS = 24;
/** The suffix 01 of SHA-3 and the first 1 of pad10*1 (section 6.1, algorithm 9; B.2) */
export const SHA3_SUFFIX = 0x06;
/** The last 1 of pad10*1 */
export const SHA3_LAST_BIT = 0x80;

/** SHA3-256 (FIPS 202): 136-byte blocks, 32-byte digest. */
export const SHA3_256: HashAlgorithm<'SHA3-256'> = /* @__PURE__ */ sha3('SHA3-256', 32);
/** SHA3-384 (FIPS 202): 104-byte blocks, 48-byte digest. */
export const SHA3_384: HashAlgorithm<'SHA3-384'> = /* @__PURE__ */ sha3('SHA3-384', 48);
/** SHA3-512 (FIPS 202): 72-byte blocks, 64-byte digest. */
export const SHA3_512: HashAlgorithm<'SHA3-512'> = /* @__PURE__ */ sha3('SHA3-512', 64);

/** Section 6.1: the capacity is twice the digest; HMAC's block is the rate (section 7). */
function sha3<N extends Sha3Name>(name: N, digestBytes: number): HashAlgorithm<N> {
  const blockBytes = KECCAK_STATE_BYTES - 2 * digestBytes;
  return { name, blockBytes, digestBytes, create: () => new Sha3(blockBytes, digestBytes) };
}

/** The sponge (section 4) of one message. */
class Sha3 implements Hash {
  readonly blockBytes: number;
  readonly digestBytes: number;
  readonly #state = new Int32Array(2 * LANES);
  readonly #block: Uint8Array;
  #used = 0;
  #ended = false;

  constructor(blockBytes: number, digestBytes: number) {
    this.blockBytes = blockBytes;
    this.digestBytes = digestBytes;
    this.#block = new Uint8Array(blockBytes);
  }

  update(data: Uint8Array): this {
    checkBytes('data', data);
    this.#checkOpen();
    for (let offset = 0; offset < data.length;) {
      const taken = Math.min(this.blockBytes - this.#used, data.length - offset);
      this.#block.set(data.subarray(offset, offset + taken), this.#used);
      this.#used += taken;
      offset += taken;
      if (this.#used === this.blockBytes) this.#absorb();
    }
    return this;
  }

  digest(): Uint8Array {
    this.#checkOpen();
    this.#ended = true;
    this.#block.fill(0, this.#used);
    this.#block[this.#used] = SHA3_SUFFIX;
    this.#block[this.blockBytes - 1] |= SHA3_LAST_BIT;
    this.#absorb();
    // A digest is shorter than the rate: one squeeze is enough.
    const digest = new Uint8Array(this.digestBytes);
    for (let i = 0; 4 * i < digest.length; i++) store32le(digest, 4 * i, this.#state[i]);
    return digest;
  }

  clone(): Sha3 {
    const copy = new Sha3(this.blockBytes, this.digestBytes);
    copy.#state.set(this.#state);
    copy.#block.set(this.#block);
    copy.#used = this.#used;
    copy.#ended = this.#ended;
    return copy;
  }

  wipe(): void {
    wipe(this.#state, this.#block);
  }

  #absorb(): void {
    for (let i = 0; 4 * i < this.blockBytes; i++) this.#state[i] ^= load32le(this.#block, 4 * i);
    keccakF(this.#state);
    this.#used = 0;
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error('the message has ended: digest() was called');
  }
}

/** Rnd(A, i) = ι(χ(π(ρ(θ(A)))), i) for i = 0 … 23 (section 3.3) */
function keccakF(a: Int32Array): void {
  for (let i = 0; i < ROUNDS; i++) {
    theta(a);
    chi(a, rhoPi(a));
    a[0] ^= ROUND_CONSTANTS[2 * i];
    a[1] ^= ROUND_CONSTANTS[2 * i + 1];
  }
}

/** θ: each lane ⊕ the adjacent columns (section 3.2.1) */
function theta(a: Int32Array): void {
  const c = new Int32Array(10);
  for (let i = 0; i < 10; i++) c[i] = a[i] ^ a[i + 10] ^ a[i + 20] ^ a[i + 30] ^ a[i + 40];
  for (let x = 0; x < 5; x++) {
    const before = 2 * ((x + 4) % 5);
    const after = 2 * ((x + 1) % 5);
    const low = c[before] ^ (c[after] << 1) ^ (c[after + 1] >>> 31);
    const high = c[before + 1] ^ (c[after + 1] << 1) ^ (c[after] >>> 31);
    for (let y = 0; y < 50; y += 10) {
      a[y + 2 * x] ^= low;
      a[y + 2 * x + 1] ^= high;
    }
  }
}

/** ρ rotates lane (x, y), π moves it to (y, 2x + 3y) (sections 3.2.2 and 3.2.3). */
function rhoPi(a: Int32Array): Int32Array {
  const b = new Int32Array(2 * LANES);
  for (let x = 0; x < 5; x++) {
    for (let y = 0; y < 5; y++) {
      const from = 2 * (5 * y + x);
      const to = 2 * (5 * ((2 * x + 3 * y) % 5) + y);
      const count = ROTATIONS[5 * y + x];
      const [near, far] = count < 32 ? [a[from], a[from + 1]] : [a[from + 1], a[from]];
      const rest = count % 32;
      b[to] = rest === 0 ? near : (near << rest) | (far >>> (32 - rest));
      b[to + 1] = rest === 0 ? far : (far << rest) | (near >>> (32 - rest));
    }
  }
  return b;
}

/** χ: A(x) = B(x) ⊕ (¬B(x + 1) ∧ B(x + 2)) in each row (section 3.2.4) */
function chi(a: Int32Array, b: Int32Array): void {
  for (let y = 0; y < 50; y += 10) {
    for (let i = 0; i < 10; i++) {
      a[y + i] = b[y + i] ^ (~b[y + ((i + 2) % 10)] & b[y + ((i + 4) % 10)]);
    }
  }
}

/**
 * The left rotation of ρ for the lane at 5y + x: (t + 1)(t + 2) / 2 for the t-th lane of a walk that starts
 * at (1, 0) and goes from (x, y) to (y, 2x + 3y) (section 3.2.2, algorithm 2)
 */
export const ROTATIONS: readonly number[] = /* @__PURE__ */ rotations();

function rotations(): number[] {
  const counts = new Array<number>(LANES).fill(0);
  let [x, y] = [1, 0];
  for (let t = 0; t < 24; t++) {
    counts[5 * y + x] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return counts;
}

/** RC of each round, low half first: bit 2^j - 1 is rc(j + 7 · round) (section 3.2.5) */
export const ROUND_CONSTANTS: Readonly<Int32Array> = /* @__PURE__ */ roundConstants();

function roundConstants(): Int32Array {
  const constants = new Int32Array(2 * ROUNDS);
  // Algorithm 5: a linear feedback shift register over x^8 + x^6 + x^5 + x^4 + 1
  let register = 1;
  for (let i = 0; i < ROUNDS; i++) {
    for (let j = 0; j < 7; j++) {
      const bit = 2 ** j - 1;
      if (register & 1) constants[2 * i + (bit >> 5)] |= 1 << (bit & 31);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
  }
  return constants;
}
