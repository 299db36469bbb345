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
 * Section 6.4.2. Eight rounds are unrolled, so that the working variables change roles instead of moving. `ah` and `al`
 * are the halves of a, and so on. Carries come from sums as doubles: with comparisons, Firefox takes
 * seven times as long (measured alone in a worker), V8 as long.
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
  let sum: number;
  for (let t = 0; t < 160; t += 16) {
    // T1 = h + Σ1(e) + Ch(e, f, g) + K_t + W_t, where Σ1 = ROTR 14 ⊕ ROTR 18 ⊕ ROTR 41;  d = d + T1;
    // h = T1 + Σ0(a) + Maj(a, b, c), where Σ0 = ROTR 28 ⊕ ROTR 34 ⊕ ROTR 39: low halves, then high halves with the carry
    sum = low(hl) + low(half(el, eh, 14) ^ half(el, eh, 18) ^ half(eh, el, 9));
    sum += low(choose(el, fl, gl)) + low(K[t + 1]) + low(w[t + 1]);
    hh += (half(eh, el, 14) ^ half(eh, el, 18) ^ half(el, eh, 9)) + choose(eh, fh, gh);
    hh = (hh + K[t] + w[t] + carry(sum)) | 0;
    hl = sum | 0;
    sum = low(dl) + low(hl);
    dh = (dh + hh + carry(sum)) | 0;
    dl = sum | 0;
    sum = low(hl) + low(half(al, ah, 28) ^ half(ah, al, 2) ^ half(ah, al, 7));
    sum += low(majority(al, bl, cl));
    hh += (half(ah, al, 28) ^ half(al, ah, 2) ^ half(al, ah, 7)) + majority(ah, bh, ch);
    hh = (hh + carry(sum)) | 0;
    hl = sum | 0;

    sum = low(gl) + low(half(dl, dh, 14) ^ half(dl, dh, 18) ^ half(dh, dl, 9));
    sum += low(choose(dl, el, fl)) + low(K[t + 3]) + low(w[t + 3]);
    gh += (half(dh, dl, 14) ^ half(dh, dl, 18) ^ half(dl, dh, 9)) + choose(dh, eh, fh);
    gh = (gh + K[t + 2] + w[t + 2] + carry(sum)) | 0;
    gl = sum | 0;
    sum = low(cl) + low(gl);
    ch = (ch + gh + carry(sum)) | 0;
    cl = sum | 0;
    sum = low(gl) + low(half(hl, hh, 28) ^ half(hh, hl, 2) ^ half(hh, hl, 7));
    sum += low(majority(hl, al, bl));
    gh += (half(hh, hl, 28) ^ half(hl, hh, 2) ^ half(hl, hh, 7)) + majority(hh, ah, bh);
    gh = (gh + carry(sum)) | 0;
    gl = sum | 0;

    sum = low(fl) + low(half(cl, ch, 14) ^ half(cl, ch, 18) ^ half(ch, cl, 9));
    sum += low(choose(cl, dl, el)) + low(K[t + 5]) + low(w[t + 5]);
    fh += (half(ch, cl, 14) ^ half(ch, cl, 18) ^ half(cl, ch, 9)) + choose(ch, dh, eh);
    fh = (fh + K[t + 4] + w[t + 4] + carry(sum)) | 0;
    fl = sum | 0;
    sum = low(bl) + low(fl);
    bh = (bh + fh + carry(sum)) | 0;
    bl = sum | 0;
    sum = low(fl) + low(half(gl, gh, 28) ^ half(gh, gl, 2) ^ half(gh, gl, 7));
    sum += low(majority(gl, hl, al));
    fh += (half(gh, gl, 28) ^ half(gl, gh, 2) ^ half(gl, gh, 7)) + majority(gh, hh, ah);
    fh = (fh + carry(sum)) | 0;
    fl = sum | 0;

    sum = low(el) + low(half(bl, bh, 14) ^ half(bl, bh, 18) ^ half(bh, bl, 9));
    sum += low(choose(bl, cl, dl)) + low(K[t + 7]) + low(w[t + 7]);
    eh += (half(bh, bl, 14) ^ half(bh, bl, 18) ^ half(bl, bh, 9)) + choose(bh, ch, dh);
    eh = (eh + K[t + 6] + w[t + 6] + carry(sum)) | 0;
    el = sum | 0;
    sum = low(al) + low(el);
    ah = (ah + eh + carry(sum)) | 0;
    al = sum | 0;
    sum = low(el) + low(half(fl, fh, 28) ^ half(fh, fl, 2) ^ half(fh, fl, 7));
    sum += low(majority(fl, gl, hl));
    eh += (half(fh, fl, 28) ^ half(fl, fh, 2) ^ half(fl, fh, 7)) + majority(fh, gh, hh);
    eh = (eh + carry(sum)) | 0;
    el = sum | 0;

    sum = low(dl) + low(half(al, ah, 14) ^ half(al, ah, 18) ^ half(ah, al, 9));
    sum += low(choose(al, bl, cl)) + low(K[t + 9]) + low(w[t + 9]);
    dh += (half(ah, al, 14) ^ half(ah, al, 18) ^ half(al, ah, 9)) + choose(ah, bh, ch);
    dh = (dh + K[t + 8] + w[t + 8] + carry(sum)) | 0;
    dl = sum | 0;
    sum = low(hl) + low(dl);
    hh = (hh + dh + carry(sum)) | 0;
    hl = sum | 0;
    sum = low(dl) + low(half(el, eh, 28) ^ half(eh, el, 2) ^ half(eh, el, 7));
    sum += low(majority(el, fl, gl));
    dh += (half(eh, el, 28) ^ half(el, eh, 2) ^ half(el, eh, 7)) + majority(eh, fh, gh);
    dh = (dh + carry(sum)) | 0;
    dl = sum | 0;

    sum = low(cl) + low(half(hl, hh, 14) ^ half(hl, hh, 18) ^ half(hh, hl, 9));
    sum += low(choose(hl, al, bl)) + low(K[t + 11]) + low(w[t + 11]);
    ch += (half(hh, hl, 14) ^ half(hh, hl, 18) ^ half(hl, hh, 9)) + choose(hh, ah, bh);
    ch = (ch + K[t + 10] + w[t + 10] + carry(sum)) | 0;
    cl = sum | 0;
    sum = low(gl) + low(cl);
    gh = (gh + ch + carry(sum)) | 0;
    gl = sum | 0;
    sum = low(cl) + low(half(dl, dh, 28) ^ half(dh, dl, 2) ^ half(dh, dl, 7));
    sum += low(majority(dl, el, fl));
    ch += (half(dh, dl, 28) ^ half(dl, dh, 2) ^ half(dl, dh, 7)) + majority(dh, eh, fh);
    ch = (ch + carry(sum)) | 0;
    cl = sum | 0;

    sum = low(bl) + low(half(gl, gh, 14) ^ half(gl, gh, 18) ^ half(gh, gl, 9));
    sum += low(choose(gl, hl, al)) + low(K[t + 13]) + low(w[t + 13]);
    bh += (half(gh, gl, 14) ^ half(gh, gl, 18) ^ half(gl, gh, 9)) + choose(gh, hh, ah);
    bh = (bh + K[t + 12] + w[t + 12] + carry(sum)) | 0;
    bl = sum | 0;
    sum = low(fl) + low(bl);
    fh = (fh + bh + carry(sum)) | 0;
    fl = sum | 0;
    sum = low(bl) + low(half(cl, ch, 28) ^ half(ch, cl, 2) ^ half(ch, cl, 7));
    sum += low(majority(cl, dl, el));
    bh += (half(ch, cl, 28) ^ half(cl, ch, 2) ^ half(cl, ch, 7)) + majority(ch, dh, eh);
    bh = (bh + carry(sum)) | 0;
    bl = sum | 0;

    sum = low(al) + low(half(fl, fh, 14) ^ half(fl, fh, 18) ^ half(fh, fl, 9));
    sum += low(choose(fl, gl, hl)) + low(K[t + 15]) + low(w[t + 15]);
    ah += (half(fh, fl, 14) ^ half(fh, fl, 18) ^ half(fl, fh, 9)) + choose(fh, gh, hh);
    ah = (ah + K[t + 14] + w[t + 14] + carry(sum)) | 0;
    al = sum | 0;
    sum = low(el) + low(al);
    eh = (eh + ah + carry(sum)) | 0;
    el = sum | 0;
    sum = low(al) + low(half(bl, bh, 28) ^ half(bh, bl, 2) ^ half(bh, bl, 7));
    sum += low(majority(bl, cl, dl));
    ah += (half(bh, bl, 28) ^ half(bl, bh, 2) ^ half(bl, bh, 7)) + majority(bh, ch, dh);
    ah = (ah + carry(sum)) | 0;
    al = sum | 0;
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

/** W_t = σ1(W_(t-2)) + W_(t-7) + σ0(W_(t-15)) + W_(t-16) for t = 16 … 79. */
function extend(w: Int32Array): void {
  for (let t = 32; t < 160; t += 2) {
    // σ0 = ROTR 1 ⊕ ROTR 8 ⊕ SHR 7
    const xh = w[t - 30];
    const xl = w[t - 29];
    const sigma0h = half(xh, xl, 1) ^ half(xh, xl, 8) ^ (xh >>> 7);
    const sigma0l = half(xl, xh, 1) ^ half(xl, xh, 8) ^ half(xl, xh, 7);
    // σ1 = ROTR 19 ⊕ ROTR 61 ⊕ SHR 6
    const yh = w[t - 4];
    const yl = w[t - 3];
    const sigma1h = half(yh, yl, 19) ^ half(yl, yh, 29) ^ (yh >>> 6);
    const sigma1l = half(yl, yh, 19) ^ half(yh, yl, 29) ^ half(yl, yh, 6);
    const sum = low(sigma0l) + low(sigma1l) + low(w[t - 13]) + low(w[t - 31]);
    w[t] = sigma0h + sigma1h + w[t - 14] + w[t - 32] + carry(sum);
    w[t + 1] = sum;
  }
}

/** state[i], state[i + 1] += ofHigh, ofLow */
function accumulate(state: Int32Array, i: number, ofHigh: number, ofLow: number): void {
  const sum = low(state[i + 1]) + low(ofLow);
  state[i] += ofHigh + carry(sum);
  state[i + 1] = sum;
}

/** A low half as a number from 0 on. */
function low(half: number): number {
  return half >>> 0;
}

/** What a sum of at most five low halves, which is exact, carries to the high half. */
function carry(sum: number): number {
  return (sum / 2 ** 32) | 0;
}

/**
 * One half of a 64-bit word rotated right by `count` (1 … 31): half(high, low, n) is the new high half,
 * half(low, high, n) the new low half. For 32 + n the two are exchanged.
 */
function half(near: number, far: number, count: number): number {
  return (near >>> count) | (far << (32 - count));
}

/** Ch: each bit from f where e is 1, from g where e is 0. */
function choose(e: number, f: number, g: number): number {
  return g ^ (e & (f ^ g));
}

/** Maj: the majority of the three bits. */
function majority(a: number, b: number, c: number): number {
  return (a & b) ^ (c & (a ^ b));
}
