/**
 * The compression function G of Argon2 (RFC 9106, section 3.5). A block is 1024 bytes as 128 words of 64
 * bits. JavaScript has no fast 64-bit integers. Each word is two adjacent 32-bit halves, the low one first.
 */

/** 32-bit halves of a block */
export const BLOCK_WORDS = 256;

/**
 * The block on which P works: filled and used within one call, and wiped by `wipeScratch`. As a constant of the
 * module its length is known to the compiler, which saves a sixth of the time of G (measured in Node 20).
 */
const V = /* @__PURE__ */ new Int32Array(BLOCK_WORDS);

/** To be called when the last block of a derivation is computed. */
export function wipeScratch(): void {
  V.fill(0);
}

/**
 * target = G(x, y), or target ⊕ G(x, y)
 *
 * @param memory holds the blocks; x, y and target are their places in it
 * @param target may be x or y
 */
export function mixBlocks(
  memory: Int32Array,
  x: number,
  y: number,
  target: number,
  intoWhatIsThere: boolean,
): void {
  // R = X XOR Y, of which the target gets its part at once: later the blocks would have to be read again
  if (intoWhatIsThere) {
    for (let i = 0; i < BLOCK_WORDS; i++) {
      const r = memory[x + i] ^ memory[y + i];
      V[i] = r;
      memory[target + i] ^= r;
    }
  } else {
    for (let i = 0; i < BLOCK_WORDS; i++) {
      const r = memory[x + i] ^ memory[y + i];
      V[i] = r;
      memory[target + i] = r;
    }
  }
  // P on the rows of 16 words, then on the columns of pairs of words
  for (let row = 0; row < BLOCK_WORDS; row += 32) permute(row, 4);
  for (let column = 0; column < 32; column += 4) permute(column, 32);
  // R XOR Z
  for (let i = 0; i < BLOCK_WORDS; i++) memory[target + i] ^= V[i];
}

/**
 * P, figure 18, on sixteen words of V: eight pairs, each `step` halves after the one before.
 *
 * @param v0 the place of the first word
 */
function permute(v0: number, step: number): void {
  const v2 = v0 + step;
  const v4 = v2 + step;
  const v6 = v4 + step;
  const v8 = v6 + step;
  const v10 = v8 + step;
  const v12 = v10 + step;
  const v14 = v12 + step;
  mix(v0, v4, v8, v12);
  mix(v0 + 2, v4 + 2, v8 + 2, v12 + 2);
  mix(v2, v6, v10, v14);
  mix(v2 + 2, v6 + 2, v10 + 2, v14 + 2);
  mix(v0, v4 + 2, v10, v14 + 2);
  mix(v0 + 2, v6, v10 + 2, v12);
  mix(v2, v6 + 2, v8, v12 + 2);
  mix(v2 + 2, v4, v8 + 2, v14);
}

/**
 * GB, figure 19. `high` is as multiplyHigh computes it, written out for the same reason as in sha256.ts.
 *
 * @param a the place of a low half in V, as b, c and d are
 */
function mix(a: number, b: number, c: number, d: number): void {
  let al = V[a];
  let ah = V[a + 1];
  let bl = V[b];
  let bh = V[b + 1];
  let cl = V[c];
  let ch = V[c + 1];
  let dl = V[d];
  let dh = V[d + 1];

  // a = a + b + 2 · trunc(a) · trunc(b)
  let product = Math.imul(al, bl);
  let high = (((al >>> 0) * (bl >>> 0) - (product >>> 0)) / 2 ** 32 + 0.5) | 0;
  let low = (al >>> 0) + (bl >>> 0) + ((product << 1) >>> 0);
  ah = (ah + bh + ((high << 1) | (product >>> 31)) + ((low / 2 ** 32) | 0)) | 0;
  al = low | 0;
  // d = (d ⊕ a) >>> 32, which exchanges the halves
  let other = dl ^ al;
  dl = dh ^ ah;
  dh = other;

  // c = c + d + 2 · trunc(c) · trunc(d)
  product = Math.imul(cl, dl);
  high = (((cl >>> 0) * (dl >>> 0) - (product >>> 0)) / 2 ** 32 + 0.5) | 0;
  low = (cl >>> 0) + (dl >>> 0) + ((product << 1) >>> 0);
  ch = (ch + dh + ((high << 1) | (product >>> 31)) + ((low / 2 ** 32) | 0)) | 0;
  cl = low | 0;
  // b = (b ⊕ c) >>> 24
  other = bl ^ cl;
  bh ^= ch;
  bl = (other >>> 24) | (bh << 8);
  bh = (bh >>> 24) | (other << 8);

  // a = a + b + 2 · trunc(a) · trunc(b)
  product = Math.imul(al, bl);
  high = (((al >>> 0) * (bl >>> 0) - (product >>> 0)) / 2 ** 32 + 0.5) | 0;
  low = (al >>> 0) + (bl >>> 0) + ((product << 1) >>> 0);
  ah = (ah + bh + ((high << 1) | (product >>> 31)) + ((low / 2 ** 32) | 0)) | 0;
  al = low | 0;
  V[a] = al;
  V[a + 1] = ah;
  // d = (d ⊕ a) >>> 16
  other = dl ^ al;
  dh ^= ah;
  dl = (other >>> 16) | (dh << 16);
  dh = (dh >>> 16) | (other << 16);
  V[d] = dl;
  V[d + 1] = dh;

  // c = c + d + 2 · trunc(c) · trunc(d)
  product = Math.imul(cl, dl);
  high = (((cl >>> 0) * (dl >>> 0) - (product >>> 0)) / 2 ** 32 + 0.5) | 0;
  low = (cl >>> 0) + (dl >>> 0) + ((product << 1) >>> 0);
  ch = (ch + dh + ((high << 1) | (product >>> 31)) + ((low / 2 ** 32) | 0)) | 0;
  cl = low | 0;
  V[c] = cl;
  V[c + 1] = ch;
  // b = (b ⊕ c) >>> 63, which is 1 to the left
  other = bl ^ cl;
  bh ^= ch;
  V[b] = (other << 1) | (bh >>> 31);
  V[b + 1] = (bh << 1) | (other >>> 31);
}

/**
 * The upper 32 bits of the product of two numbers of 32 bits, signed or not. The product of the doubles is
 * within 2^10 of the true one, which has 64 bits. So the quotient is within 2^-22 of the integer that it would
 * be without rounding.
 *
 * @param product the lower 32 bits of it, Math.imul(x, y)
 * @returns 32 bits, signed
 */
export function multiplyHigh(x: number, y: number, product: number): number {
  return (((x >>> 0) * (y >>> 0) - (product >>> 0)) / 2 ** 32 + 0.5) | 0;
}
