import type { HashAlgorithm } from '../contracts.ts';
import { hashAlgorithm, hashOf } from './merkle-damgard.ts';
import { firstPrimes, halves, rootFraction } from './sha-constants.ts';

/*
 * SHA-512 and SHA-384 (FIPS 180-4, sections 6.4 and 6.5): one compression function, other initial values.
 * JavaScript has no fast 64-bit integers. Each 64-bit word is two adjacent 32-bit halves in every array, the
 * high one first.
 */
const FAMILY = { blockBytes: 128, lengthBytes: 16, scheduleWords: 160, compress } as const;

/** Section 5.3.5: from the square roots of the first eight primes */
const INITIAL_512 = halves(firstPrimes(8).map((prime) => rootFraction(prime, 2)));

/** Section 5.3.4: from the square roots of the ninth to the sixteenth prime */
const INITIAL_384 = halves(
  firstPrimes(16)
    .slice(8)
    .map((prime) => rootFraction(prime, 2)),
);

/** Section 4.2.3: from the cube roots of the first eighty primes */
const K = halves(firstPrimes(80).map((prime) => rootFraction(prime, 3)));

/** SHA-512 (FIPS 180-4): 128-byte blocks, 64-byte digest. */
export const SHA512: HashAlgorithm = hashAlgorithm({
  ...FAMILY,
  name: 'SHA-512',
  digestBytes: 64,
  initial: INITIAL_512,
});

/** SHA-384 (FIPS 180-4): 128-byte blocks, 48-byte digest. */
export const SHA384: HashAlgorithm = hashAlgorithm({
  ...FAMILY,
  name: 'SHA-384',
  digestBytes: 48,
  initial: INITIAL_384,
});

/** @returns 64 bytes: the digest of all parts, one after the other */
export function sha512(...parts: readonly Uint8Array[]): Uint8Array {
  return hashOf(SHA512, parts);
}

/** @returns 48 bytes: the digest of all parts, one after the other */
export function sha384(...parts: readonly Uint8Array[]): Uint8Array {
  return hashOf(SHA384, parts);
}

/**
 * Section 6.4.2. `ah` and `al` are the halves of a, and so on. Low halves are added as doubles, which hold the sum of five
 * of them exactly; a sum carries its quotient by 2^32, which is a literal, because a bundler makes a variable of a named
 * constant. ROTR by 32 and more exchanges the halves. Rotations, Ch and Maj are written out for the same reason as in
 * sha256.ts.
 *
 * @param state 8 words of two halves; changed
 * @param w 80 words of two halves, of which the first 16 are the block; changed
 */
function compress(state: Int32Array, w: Int32Array): void {
  extend(w);
  let ah = state[0];
  let al = state[1];
  let bh = state[2];
  let bl = state[3];
  let ch = state[4];
  let cl = state[5];
  let dh = state[6];
  let dl = state[7];
  let eh = state[8];
  let el = state[9];
  let fh = state[10];
  let fl = state[11];
  let gh = state[12];
  let gl = state[13];
  let hh = state[14];
  let hl = state[15];
  for (let t = 0; t < 160; t += 2) {
    // T1 = h + Σ1(e) + Ch(e, f, g) + K_t + W_t, where Σ1 = ROTR 14 ⊕ ROTR 18 ⊕ ROTR 41
    const sum1h =
      ((eh >>> 14) | (el << 18)) ^ ((eh >>> 18) | (el << 14)) ^ ((el >>> 9) | (eh << 23));
    const sum1l =
      ((el >>> 14) | (eh << 18)) ^ ((el >>> 18) | (eh << 14)) ^ ((eh >>> 9) | (el << 23));
    const chooseL = gl ^ (el & (fl ^ gl));
    const t1 = (hl >>> 0) + (sum1l >>> 0) + (chooseL >>> 0) + (K[t + 1] >>> 0) + (w[t + 1] >>> 0);
    const t1l = t1 >>> 0;
    const t1h = (hh + sum1h + (gh ^ (eh & (fh ^ gh))) + K[t] + w[t] + ((t1 / 2 ** 32) | 0)) | 0;
    // T2 = Σ0(a) + Maj(a, b, c), where Σ0 = ROTR 28 ⊕ ROTR 34 ⊕ ROTR 39;  the new a is T1 + T2
    const sum0h = ((ah >>> 28) | (al << 4)) ^ ((al >>> 2) | (ah << 30)) ^ ((al >>> 7) | (ah << 25));
    const sum0l = ((al >>> 28) | (ah << 4)) ^ ((ah >>> 2) | (al << 30)) ^ ((ah >>> 7) | (al << 25));
    const majorityL = (al & bl) ^ (cl & (al ^ bl));
    const sumA = t1l + (sum0l >>> 0) + (majorityL >>> 0);
    const nextAh = (t1h + sum0h + ((ah & bh) ^ (ch & (ah ^ bh))) + ((sumA / 2 ** 32) | 0)) | 0;
    const sumE = (dl >>> 0) + t1l;
    hh = gh;
    hl = gl;
    gh = fh;
    gl = fl;
    fh = eh;
    fl = el;
    eh = (dh + t1h + ((sumE / 2 ** 32) | 0)) | 0;
    el = sumE | 0;
    dh = ch;
    dl = cl;
    ch = bh;
    cl = bl;
    bh = ah;
    bl = al;
    ah = nextAh;
    al = sumA | 0;
  }
  accumulate(state, 0, ah, al);
  accumulate(state, 2, bh, bl);
  accumulate(state, 4, ch, cl);
  accumulate(state, 6, dh, dl);
  accumulate(state, 8, eh, el);
  accumulate(state, 10, fh, fl);
  accumulate(state, 12, gh, gl);
  accumulate(state, 14, hh, hl);
}

/** W_t = σ1(W_(t-2)) + W_(t-7) + σ0(W_(t-15)) + W_(t-16) for t = 16 … 79. Storing reduces modulo 2^32. */
function extend(w: Int32Array): void {
  for (let t = 32; t < 160; t += 2) {
    // σ0 = ROTR 1 ⊕ ROTR 8 ⊕ SHR 7
    const xh = w[t - 30];
    const xl = w[t - 29];
    const sigma0h = ((xh >>> 1) | (xl << 31)) ^ ((xh >>> 8) | (xl << 24)) ^ (xh >>> 7);
    const sigma0l =
      ((xl >>> 1) | (xh << 31)) ^ ((xl >>> 8) | (xh << 24)) ^ ((xl >>> 7) | (xh << 25));
    // σ1 = ROTR 19 ⊕ ROTR 61 ⊕ SHR 6
    const yh = w[t - 4];
    const yl = w[t - 3];
    const sigma1h = ((yh >>> 19) | (yl << 13)) ^ ((yl >>> 29) | (yh << 3)) ^ (yh >>> 6);
    const sigma1l =
      ((yl >>> 19) | (yh << 13)) ^ ((yh >>> 29) | (yl << 3)) ^ ((yl >>> 6) | (yh << 26));
    const sum = (sigma0l >>> 0) + (sigma1l >>> 0) + (w[t - 13] >>> 0) + (w[t - 31] >>> 0);
    w[t] = sigma0h + sigma1h + w[t - 14] + w[t - 32] + ((sum / 2 ** 32) | 0);
    w[t + 1] = sum;
  }
}

/** state[i], state[i + 1] += high, low */
function accumulate(state: Int32Array, i: number, high: number, low: number): void {
  const sum = (state[i + 1] >>> 0) + (low >>> 0);
  state[i] += high + ((sum / 2 ** 32) | 0);
  state[i + 1] = sum;
}
