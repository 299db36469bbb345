/**
 * The compression function G of Argon2 (RFC 9106, section 3.5). A block is 1024 bytes as 128 words of 64
 * bits. JavaScript has no fast 64-bit integers. Each word is two adjacent 32-bit halves, the low one first.
 */

/** 32-bit halves of a block */
export const BLOCK_WORDS = 256;

/**
 * target = G(x, y), or target ⊕ G(x, y)
 *
 * @param target may be x or y
 */
export function mixBlocks(
  x: Int32Array,
  y: Int32Array,
  target: Int32Array,
  intoWhatIsThere: boolean,
): void {
  // R = X XOR Y
  const r = x.map((word, i) => word ^ y[i]);
  const z = r.slice();
  // P on the rows of 16 words, then on the columns of pairs of words
  for (let row = 0; row < 8; row++) permute(z, (i) => 32 * row + 2 * i);
  for (let column = 0; column < 8; column++) {
    permute(z, (i) => 4 * column + 32 * (i >> 1) + 2 * (i & 1));
  }
  // R XOR Z
  for (let i = 0; i < BLOCK_WORDS; i++) {
    const word = r[i] ^ z[i];
    target[i] = intoWhatIsThere ? target[i] ^ word : word;
  }
  r.fill(0);
  z.fill(0);
}

/** The round of BLAKE2b on sixteen words. @param at the position in `v` of the i-th word */
function permute(v: Int32Array, at: (i: number) => number): void {
  for (let i = 0; i < 4; i++) mix(v, at(i), at(4 + i), at(8 + i), at(12 + i));
  for (let i = 0; i < 4; i++) {
    mix(v, at(i), at(4 + ((i + 1) & 3)), at(8 + ((i + 2) & 3)), at(12 + ((i + 3) & 3)));
  }
}

/** GB, figure 19 */
function mix(v: Int32Array, a: number, b: number, c: number, d: number): void {
  addProduct(v, a, b);
  xorRotate(v, d, a, 32);
  addProduct(v, c, d);
  xorRotate(v, b, c, 24);
  addProduct(v, a, b);
  xorRotate(v, d, a, 16);
  addProduct(v, c, d);
  xorRotate(v, b, c, 63);
}

/** x = (x + y + 2 · trunc(x) · trunc(y)) mod 2^64 */
function addProduct(v: Int32Array, x: number, y: number): void {
  const [xLow, yLow] = [v[x] >>> 0, v[y] >>> 0];
  const low = Math.imul(xLow, yLow);
  const high = multiplyHigh(xLow, yLow);
  const sum = xLow + yLow + ((low << 1) >>> 0);
  v[x] = sum;
  v[x + 1] += v[y + 1] + ((high << 1) | (low >>> 31)) + Math.floor(sum / 2 ** 32);
}

/** x = (x ⊕ y) >>> count, 64 bits */
function xorRotate(v: Int32Array, x: number, y: number, count: 16 | 24 | 32 | 63): void {
  const low = v[x] ^ v[y];
  const high = v[x + 1] ^ v[y + 1];
  const [first, second] = count < 32 ? [low, high] : [high, low];
  const bits = count % 32;
  v[x] = bits === 0 ? first : (first >>> bits) | (second << (32 - bits));
  v[x + 1] = bits === 0 ? second : (second >>> bits) | (first << (32 - bits));
}

/** @returns the upper 32 bits of the product of two numbers of 32 bits */
export function multiplyHigh(a: number, b: number): number {
  const [aLow, aHigh] = [a & 0xffff, a >>> 16];
  const [bLow, bHigh] = [b & 0xffff, b >>> 16];
  const [crossed, other] = [aLow * bHigh, aHigh * bLow];
  const carry = ((aLow * bLow) >>> 16) + (crossed & 0xffff) + (other & 0xffff);
  return aHigh * bHigh + (crossed >>> 16) + (other >>> 16) + (carry >>> 16);
}
