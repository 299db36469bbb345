import type { Hash } from '../contracts.ts';
import { wipe } from '../bytes.ts';
import { checkBytes } from '../errors.ts';
import { load32le, store32le } from '../words.ts';

/*
 * The sponge of Keccak (FIPS 202, sections 3 and 4; RFC 9861, section 2): SHA-3, cSHAKE, KMAC, TurboSHAKE and
 * KangarooTwelve differ in rounds, rate and padding, and in what they hash. The state is 25 lanes of 64 bits, lane
 * (x, y) at 5y + x. JavaScript has no fast 64-bit integers. Each lane is two adjacent 32-bit halves, the low one first
 * (in the order of the bytes).
 */

/** b / 8 */
export const KECCAK_STATE_BYTES = 200;
const LANES = 25;
/** The rounds of FIPS 202; RFC 9861 takes the last twelve of them. */
export const KECCAK_ROUNDS = 24;
/** The last 1 of pad10*1 (section 5.1) */
export const LAST_PADDING_BIT = 0x80;

/** The parameters of a sponge. */
export interface SpongeParams {
  readonly rounds: 12 | 24;
  /** r / 8, what is absorbed or squeezed between two permutations: a multiple of 8, below 200 */
  readonly rateBytes: number;
  /** The bits that follow the message and the first 1 of the padding, the lowest bit first: 0x01 … 0x7f */
  readonly suffix: number;
  /** d / 8, any length */
  readonly outputBytes: number;
}

/** Begins a sponge: src/crypto's own, or that of an engine's module. */
export type CreateSponge = (params: SpongeParams) => Hash;

/** The sponge of src/crypto. */
export const keccakSponge: CreateSponge = (params) => new Sponge(params);

/** @returns r / 8 of a function of so many bits of security, whose capacity is twice that: 168 or 136 bytes */
export function rateOf(strength: 128 | 256): number {
  return KECCAK_STATE_BYTES - strength / 4;
}

/** The sponge (section 4) of one message. */
class Sponge implements Hash {
  readonly blockBytes: number;
  readonly digestBytes: number;
  readonly #params: SpongeParams;
  readonly #state = new Int32Array(2 * LANES);
  /** The state after every other round. */
  readonly #next = new Int32Array(2 * LANES);
  readonly #block: Uint8Array;
  #used = 0;
  #ended = false;

  constructor(params: SpongeParams) {
    this.blockBytes = params.rateBytes;
    this.digestBytes = params.outputBytes;
    this.#params = params;
    this.#block = new Uint8Array(params.rateBytes);
  }

  update(data: Uint8Array): this {
    checkBytes('data', data);
    this.#checkOpen();
    const { blockBytes } = this;
    let offset = 0;
    if (this.#used > 0) {
      offset = Math.min(blockBytes - this.#used, data.length);
      this.#block.set(data.subarray(0, offset), this.#used);
      this.#used += offset;
      if (this.#used < blockBytes) return this;
      this.#absorb(this.#block, 0);
    }
    for (; data.length - offset >= blockBytes; offset += blockBytes) this.#absorb(data, offset);
    this.#block.set(data.subarray(offset));
    this.#used = data.length - offset;
    return this;
  }

  digest(): Uint8Array {
    this.#checkOpen();
    this.#ended = true;
    this.#block.fill(0, this.#used);
    this.#block[this.#used] = this.#params.suffix;
    this.#block[this.blockBytes - 1] |= LAST_PADDING_BIT;
    this.#absorb(this.#block, 0);
    return this.#squeeze();
  }

  clone(): Sponge {
    const copy = new Sponge(this.#params);
    copy.#state.set(this.#state);
    copy.#block.set(this.#block);
    copy.#used = this.#used;
    copy.#ended = this.#ended;
    return copy;
  }

  wipe(): void {
    wipe(this.#state, this.#next, this.#block);
  }

  #absorb(data: Uint8Array, offset: number): void {
    for (let i = 0; 4 * i < this.blockBytes; i++) this.#state[i] ^= load32le(data, offset + 4 * i);
    this.#permute();
  }

  /** Section 4, algorithm 8, steps 8 to 10 */
  #squeeze(): Uint8Array {
    const { blockBytes, digestBytes } = this;
    const output = new Uint8Array(digestBytes);
    for (let done = 0; done < digestBytes; done += blockBytes) {
      if (done > 0) this.#permute();
      // The block's bytes are no longer needed.
      for (let i = 0; 4 * i < blockBytes; i++) store32le(this.#block, 4 * i, this.#state[i]);
      output.set(this.#block.subarray(0, digestBytes - done), done);
    }
    return output;
  }

  #permute(): void {
    permute(this.#state, this.#next, this.#params.rounds);
  }

  #checkOpen(): void {
    if (this.#ended) throw new Error('the message has ended: digest() was called');
  }
}

/** Keccak-p[1600, rounds]: the last rounds of the permutation (section 3.3). @param b as long, overwritten */
function permute(a: Int32Array, b: Int32Array, rounds: number): void {
  for (let i = KECCAK_ROUNDS - rounds; i < KECCAK_ROUNDS; i += 2) {
    round(a, b, i);
    round(b, a, i + 1);
  }
}

/**
 * Rnd(A, i) = ι(χ(π(ρ(θ(A)))), i) (section 3.3), written out for every lane: loops with tables of the rotations took
 * five times as long.
 *
 * @param a the state A
 * @param b receives the next state
 * @param i the number of the round
 */
function round(a: Int32Array, b: Int32Array, i: number): void {
  // θ (section 3.2.1): C[x] is the parity of a column, D[x] = C[x - 1] ⊕ (C[x + 1] <<< 1).
  const c0l = a[0] ^ a[10] ^ a[20] ^ a[30] ^ a[40];
  const c0h = a[1] ^ a[11] ^ a[21] ^ a[31] ^ a[41];
  const c1l = a[2] ^ a[12] ^ a[22] ^ a[32] ^ a[42];
  const c1h = a[3] ^ a[13] ^ a[23] ^ a[33] ^ a[43];
  const c2l = a[4] ^ a[14] ^ a[24] ^ a[34] ^ a[44];
  const c2h = a[5] ^ a[15] ^ a[25] ^ a[35] ^ a[45];
  const c3l = a[6] ^ a[16] ^ a[26] ^ a[36] ^ a[46];
  const c3h = a[7] ^ a[17] ^ a[27] ^ a[37] ^ a[47];
  const c4l = a[8] ^ a[18] ^ a[28] ^ a[38] ^ a[48];
  const c4h = a[9] ^ a[19] ^ a[29] ^ a[39] ^ a[49];
  const d0l = c4l ^ ((c1l << 1) | (c1h >>> 31));
  const d0h = c4h ^ ((c1h << 1) | (c1l >>> 31));
  const d1l = c0l ^ ((c2l << 1) | (c2h >>> 31));
  const d1h = c0h ^ ((c2h << 1) | (c2l >>> 31));
  const d2l = c1l ^ ((c3l << 1) | (c3h >>> 31));
  const d2h = c1h ^ ((c3h << 1) | (c3l >>> 31));
  const d3l = c2l ^ ((c4l << 1) | (c4h >>> 31));
  const d3h = c2h ^ ((c4h << 1) | (c4l >>> 31));
  const d4l = c3l ^ ((c0l << 1) | (c0h >>> 31));
  const d4h = c3h ^ ((c0h << 1) | (c0l >>> 31));

  let l: number;
  let h: number;
  // ρ and π (sections 3.2.2 and 3.2.3) take the lanes of each row Y from A[x, X], x = X + 3Y, where they are rotated.
  // χ (section 3.2.4): B(X) ⊕ (¬B(X + 1) ∧ B(X + 2)). ι adds the constant of the round to the first lane.
  let b0l = a[0] ^ d0l;
  let b0h = a[1] ^ d0h;
  l = a[12] ^ d1l;
  h = a[13] ^ d1h;
  let b1l = (h << 12) | (l >>> 20);
  let b1h = (l << 12) | (h >>> 20);
  l = a[24] ^ d2l;
  h = a[25] ^ d2h;
  let b2l = (h << 11) | (l >>> 21);
  let b2h = (l << 11) | (h >>> 21);
  l = a[36] ^ d3l;
  h = a[37] ^ d3h;
  let b3l = (l << 21) | (h >>> 11);
  let b3h = (h << 21) | (l >>> 11);
  l = a[48] ^ d4l;
  h = a[49] ^ d4h;
  let b4l = (l << 14) | (h >>> 18);
  let b4h = (h << 14) | (l >>> 18);
  b[0] = b0l ^ (~b1l & b2l) ^ ROUND_CONSTANTS[2 * i];
  b[1] = b0h ^ (~b1h & b2h) ^ ROUND_CONSTANTS[2 * i + 1];
  b[2] = b1l ^ (~b2l & b3l);
  b[3] = b1h ^ (~b2h & b3h);
  b[4] = b2l ^ (~b3l & b4l);
  b[5] = b2h ^ (~b3h & b4h);
  b[6] = b3l ^ (~b4l & b0l);
  b[7] = b3h ^ (~b4h & b0h);
  b[8] = b4l ^ (~b0l & b1l);
  b[9] = b4h ^ (~b0h & b1h);

  l = a[6] ^ d3l;
  h = a[7] ^ d3h;
  b0l = (l << 28) | (h >>> 4);
  b0h = (h << 28) | (l >>> 4);
  l = a[18] ^ d4l;
  h = a[19] ^ d4h;
  b1l = (l << 20) | (h >>> 12);
  b1h = (h << 20) | (l >>> 12);
  l = a[20] ^ d0l;
  h = a[21] ^ d0h;
  b2l = (l << 3) | (h >>> 29);
  b2h = (h << 3) | (l >>> 29);
  l = a[32] ^ d1l;
  h = a[33] ^ d1h;
  b3l = (h << 13) | (l >>> 19);
  b3h = (l << 13) | (h >>> 19);
  l = a[44] ^ d2l;
  h = a[45] ^ d2h;
  b4l = (h << 29) | (l >>> 3);
  b4h = (l << 29) | (h >>> 3);
  b[10] = b0l ^ (~b1l & b2l);
  b[11] = b0h ^ (~b1h & b2h);
  b[12] = b1l ^ (~b2l & b3l);
  b[13] = b1h ^ (~b2h & b3h);
  b[14] = b2l ^ (~b3l & b4l);
  b[15] = b2h ^ (~b3h & b4h);
  b[16] = b3l ^ (~b4l & b0l);
  b[17] = b3h ^ (~b4h & b0h);
  b[18] = b4l ^ (~b0l & b1l);
  b[19] = b4h ^ (~b0h & b1h);

  l = a[2] ^ d1l;
  h = a[3] ^ d1h;
  b0l = (l << 1) | (h >>> 31);
  b0h = (h << 1) | (l >>> 31);
  l = a[14] ^ d2l;
  h = a[15] ^ d2h;
  b1l = (l << 6) | (h >>> 26);
  b1h = (h << 6) | (l >>> 26);
  l = a[26] ^ d3l;
  h = a[27] ^ d3h;
  b2l = (l << 25) | (h >>> 7);
  b2h = (h << 25) | (l >>> 7);
  l = a[38] ^ d4l;
  h = a[39] ^ d4h;
  b3l = (l << 8) | (h >>> 24);
  b3h = (h << 8) | (l >>> 24);
  l = a[40] ^ d0l;
  h = a[41] ^ d0h;
  b4l = (l << 18) | (h >>> 14);
  b4h = (h << 18) | (l >>> 14);
  b[20] = b0l ^ (~b1l & b2l);
  b[21] = b0h ^ (~b1h & b2h);
  b[22] = b1l ^ (~b2l & b3l);
  b[23] = b1h ^ (~b2h & b3h);
  b[24] = b2l ^ (~b3l & b4l);
  b[25] = b2h ^ (~b3h & b4h);
  b[26] = b3l ^ (~b4l & b0l);
  b[27] = b3h ^ (~b4h & b0h);
  b[28] = b4l ^ (~b0l & b1l);
  b[29] = b4h ^ (~b0h & b1h);

  l = a[8] ^ d4l;
  h = a[9] ^ d4h;
  b0l = (l << 27) | (h >>> 5);
  b0h = (h << 27) | (l >>> 5);
  l = a[10] ^ d0l;
  h = a[11] ^ d0h;
  b1l = (h << 4) | (l >>> 28);
  b1h = (l << 4) | (h >>> 28);
  l = a[22] ^ d1l;
  h = a[23] ^ d1h;
  b2l = (l << 10) | (h >>> 22);
  b2h = (h << 10) | (l >>> 22);
  l = a[34] ^ d2l;
  h = a[35] ^ d2h;
  b3l = (l << 15) | (h >>> 17);
  b3h = (h << 15) | (l >>> 17);
  l = a[46] ^ d3l;
  h = a[47] ^ d3h;
  b4l = (h << 24) | (l >>> 8);
  b4h = (l << 24) | (h >>> 8);
  b[30] = b0l ^ (~b1l & b2l);
  b[31] = b0h ^ (~b1h & b2h);
  b[32] = b1l ^ (~b2l & b3l);
  b[33] = b1h ^ (~b2h & b3h);
  b[34] = b2l ^ (~b3l & b4l);
  b[35] = b2h ^ (~b3h & b4h);
  b[36] = b3l ^ (~b4l & b0l);
  b[37] = b3h ^ (~b4h & b0h);
  b[38] = b4l ^ (~b0l & b1l);
  b[39] = b4h ^ (~b0h & b1h);

  l = a[4] ^ d2l;
  h = a[5] ^ d2h;
  b0l = (h << 30) | (l >>> 2);
  b0h = (l << 30) | (h >>> 2);
  l = a[16] ^ d3l;
  h = a[17] ^ d3h;
  b1l = (h << 23) | (l >>> 9);
  b1h = (l << 23) | (h >>> 9);
  l = a[28] ^ d4l;
  h = a[29] ^ d4h;
  b2l = (h << 7) | (l >>> 25);
  b2h = (l << 7) | (h >>> 25);
  l = a[30] ^ d0l;
  h = a[31] ^ d0h;
  b3l = (h << 9) | (l >>> 23);
  b3h = (l << 9) | (h >>> 23);
  l = a[42] ^ d1l;
  h = a[43] ^ d1h;
  b4l = (l << 2) | (h >>> 30);
  b4h = (h << 2) | (l >>> 30);
  b[40] = b0l ^ (~b1l & b2l);
  b[41] = b0h ^ (~b1h & b2h);
  b[42] = b1l ^ (~b2l & b3l);
  b[43] = b1h ^ (~b2h & b3h);
  b[44] = b2l ^ (~b3l & b4l);
  b[45] = b2h ^ (~b3h & b4h);
  b[46] = b3l ^ (~b4l & b0l);
  b[47] = b3h ^ (~b4h & b0h);
  b[48] = b4l ^ (~b0l & b1l);
  b[49] = b4h ^ (~b0h & b1h);
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
  const constants = new Int32Array(2 * KECCAK_ROUNDS);
  // Algorithm 5: a linear feedback shift register over x^8 + x^6 + x^5 + x^4 + 1
  let register = 1;
  for (let i = 0; i < KECCAK_ROUNDS; i++) {
    for (let j = 0; j < 7; j++) {
      const bit = 2 ** j - 1;
      if (register & 1) constants[2 * i + (bit >> 5)] |= 1 << (bit & 31);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
  }
  return constants;
}
