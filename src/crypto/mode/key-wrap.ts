import type { BlockCipher } from '../contracts.ts';
import { copyOf, equal, wipe } from '../bytes.ts';
import { AuthenticationError, checkBytes } from '../errors.ts';

/*
 * AES Key Wrap (RFC 3394, the KW of SP 800-38F): deterministic authenticated encryption of keys, six passes
 * over 64-bit halves. The padded variant KWP is not implemented.
 */

const HALF_BYTES = 8;

/** RFC 3394, section 2.2: n ≥ 2 halves of plaintext. */
const MIN_PLAINTEXT_BYTES = 16;

/** RFC 3394, section 2.2.1: passes over all halves. */
const PASSES = 6;

/** RFC 3394, section 2.2.3.1: the default initial value. */
const INITIAL_VALUE = /* @__PURE__ */ Uint8Array.of(0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6);

/**
 * @param plaintext 16 or more bytes, a multiple of 8
 * @param into at least 8 bytes longer; may begin where `plaintext` begins
 * @returns plaintext.length + 8 bytes, a view of `into` if given
 */
export function wrapKey(cipher: BlockCipher, plaintext: Uint8Array, into?: Uint8Array): Uint8Array {
  checkBytes('plaintext', plaintext, { min: MIN_PLAINTEXT_BYTES, multipleOf: HALF_BYTES });
  const wrappedBytes = plaintext.length + HALF_BYTES;
  if (into !== undefined) checkBytes('into', into, { min: wrappedBytes });
  const wrapped = (into ?? new Uint8Array(wrappedBytes)).subarray(0, wrappedBytes);
  // A is wrapped[0 … 7], R[i] is wrapped[8 i … 8 i + 7]
  wrapped.set(plaintext, HALF_BYTES);
  wrapped.set(INITIAL_VALUE);
  const n = plaintext.length / HALF_BYTES;
  const block = new Uint8Array(2 * HALF_BYTES);
  block.set(INITIAL_VALUE);
  for (let j = 0; j < PASSES; j++) {
    for (let i = 1; i <= n; i++) {
      // B = AES(K, A | R[i]); A = MSB(64, B) ^ t where t = (n * j) + i; R[i] = LSB(64, B)
      block.set(wrapped.subarray(HALF_BYTES * i, HALF_BYTES * (i + 1)), HALF_BYTES);
      cipher.encryptBlocks(block, block);
      wrapped.set(block.subarray(HALF_BYTES), HALF_BYTES * i);
      xorCounter(block, n * j + i);
    }
  }
  wrapped.set(block.subarray(0, HALF_BYTES));
  wipe(block);
  return wrapped;
}

/**
 * @param wrapped 24 or more bytes, a multiple of 8
 * @param into at least as long as the plaintext; may begin where `wrapped` begins
 * @returns wrapped.length - 8 bytes, a view of `into` if given
 * @throws AuthenticationError if it does not verify, also for an impossible length
 */
export function unwrapKey(cipher: BlockCipher, wrapped: Uint8Array, into?: Uint8Array): Uint8Array {
  checkBytes('wrapped', wrapped);
  const plaintextBytes = wrapped.length - HALF_BYTES;
  if (plaintextBytes < MIN_PLAINTEXT_BYTES || plaintextBytes % HALF_BYTES !== 0) {
    throw new AuthenticationError();
  }
  if (into !== undefined) checkBytes('into', into, { min: plaintextBytes });
  const block = new Uint8Array(2 * HALF_BYTES);
  const plaintext = reverse(cipher, wrapped, block);
  const verified = equal(block.subarray(0, HALF_BYTES), INITIAL_VALUE);
  wipe(block);
  if (!verified) {
    wipe(plaintext);
    throw new AuthenticationError();
  }
  if (into === undefined) return plaintext;
  into.set(plaintext);
  wipe(plaintext);
  return into.subarray(0, plaintextBytes);
}

/** The six passes in reverse, in new memory. Leaves A in the first half of `block`. */
function reverse(cipher: BlockCipher, wrapped: Uint8Array, block: Uint8Array): Uint8Array {
  const r = copyOf(wrapped.subarray(HALF_BYTES));
  const n = r.length / HALF_BYTES;
  block.set(wrapped.subarray(0, HALF_BYTES));
  for (let j = PASSES - 1; j >= 0; j--) {
    for (let i = n; i >= 1; i--) {
      // B = AES-1(K, (A ^ t) | R[i]) where t = n * j + i; A = MSB(64, B); R[i] = LSB(64, B)
      const half = r.subarray(HALF_BYTES * (i - 1), HALF_BYTES * i);
      xorCounter(block, n * j + i);
      block.set(half, HALF_BYTES);
      cipher.decryptBlocks(block, block);
      half.set(block.subarray(HALF_BYTES));
    }
  }
  return r;
}

/** The first half of the block ⊕= t as a 64-bit big-endian number; t < 2^53. */
function xorCounter(block: Uint8Array, t: number): void {
  for (let i = HALF_BYTES - 1, rest = t; rest > 0; i--, rest = Math.floor(rest / 256)) {
    block[i] ^= rest % 256;
  }
}
