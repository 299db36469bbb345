/**
 * CBC (SP 800-38A, section 6.2), raw and with the padding of PKCS#7 (RFC 5652, section 6.3).
 *
 * It is not authenticated, and an attacker who can find out whether a padding is valid can decrypt (Vaudenay
 * 2002): verify a MAC over IV and ciphertext before `cbcDecrypt`. Every invalid padding gives the same
 * AuthenticationError after the same work.
 */
import type { BlockBytes, BlockCipher } from '../contracts.ts';
import { copyOf, wipe, xorInto } from '../bytes.ts';
import { AuthenticationError, checkBytes, targetOf } from '../errors.ts';

const CHUNK_BYTES = 4096;

/**
 * Pads with PKCS#7 and encrypts.
 *
 * @param iv one unpredictable block
 * @param source any length
 * @param into at least the result's length; may begin where `source` begins; a new array if absent
 * @returns b · (⌊source.length / b⌋ + 1) bytes for blocks of b bytes, a view of `into` if given
 */
export function cbcEncrypt(
  cipher: BlockCipher<BlockBytes>,
  iv: Uint8Array,
  source: Uint8Array,
  into?: Uint8Array,
): Uint8Array {
  checkBytes('iv', iv, cipher.blockBytes);
  const padded = pkcs7(source, into, cipher.blockBytes);
  return cbcEncryptRaw(cipher, iv, padded, padded);
}

/**
 * Padding of PKCS#7 (RFC 5652, section 6.3): 1 to `blockBytes` bytes that fill the block. Each is the number
 * of padding bytes.
 *
 * @param source, into and the result: as for `cbcEncrypt`
 */
export function pkcs7(
  source: Uint8Array,
  into?: Uint8Array,
  blockBytes: BlockBytes = 16,
): Uint8Array {
  checkBytes('source', source);
  const padding = blockBytes - (source.length % blockBytes);
  const padded = room(into, source.length + padding);
  if (padded.byteOffset !== source.byteOffset || padded.buffer !== source.buffer) {
    padded.set(source);
  }
  padded.fill(padding, source.length);
  return padded;
}

/**
 * Decrypts and removes the padding.
 *
 * @param iv one block
 * @param source whole blocks, at least one
 * @param into at least source.length bytes; may begin where `source` begins; a new array if absent
 * @returns the message, one byte to one block shorter, a view of `into` if given
 * @throws AuthenticationError if length or padding is invalid; `into` is then wiped
 */
export function cbcDecrypt(
  cipher: BlockCipher<BlockBytes>,
  iv: Uint8Array,
  source: Uint8Array,
  into?: Uint8Array,
): Uint8Array {
  const { blockBytes } = cipher;
  checkBytes('iv', iv, blockBytes);
  checkBytes('source', source);
  if (source.length === 0 || source.length % blockBytes !== 0) throw new AuthenticationError();
  const padded = cbcDecryptRaw(cipher, iv, source, room(into, source.length));
  const message = unpadded(padded, blockBytes);
  if (!message) throw new AuthenticationError();
  return message;
}

/**
 * Removes the padding.
 *
 * @param padded whole blocks, at least one
 * @returns a view; undefined if the padding is invalid, and `padded` is then wiped
 */
export function unpadded(padded: Uint8Array, blockBytes: BlockBytes = 16): Uint8Array | undefined {
  const padding = paddingOf(padded, blockBytes);
  if (padding !== 0) return padded.subarray(0, padded.length - padding);
  padded.fill(0);
  return undefined;
}

/**
 * CBC without padding.
 *
 * @param iv one block
 * @param source whole blocks
 * @param target as long as `source`, which it may be; a new array if absent
 * @returns `target`
 */
export function cbcEncryptRaw(
  cipher: BlockCipher<BlockBytes>,
  iv: Uint8Array,
  source: Uint8Array,
  target?: Uint8Array,
): Uint8Array {
  const { chain, result } = checkRaw(cipher, iv, source, target);
  if (cipher.cbcEncryptBlocks) cipher.cbcEncryptBlocks(chain, source, result);
  else encryptPortable(cipher, chain, source, result);
  return result;
}

/** The inverse of `cbcEncryptRaw`, under the same conditions. */
export function cbcDecryptRaw(
  cipher: BlockCipher<BlockBytes>,
  iv: Uint8Array,
  source: Uint8Array,
  target?: Uint8Array,
): Uint8Array {
  const { chain, result } = checkRaw(cipher, iv, source, target);
  if (cipher.cbcDecryptBlocks) cipher.cbcDecryptBlocks(chain, source, result);
  else decryptPortable(cipher, chain, source, result);
  return result;
}

function checkRaw(
  { blockBytes }: BlockCipher<BlockBytes>,
  iv: Uint8Array,
  source: Uint8Array,
  target: Uint8Array | undefined,
): { chain: Uint8Array; result: Uint8Array } {
  checkBytes('iv', iv, blockBytes);
  checkBytes('source', source, { min: 0, multipleOf: blockBytes });
  const result = targetOf(target, source.length);
  return { chain: copyOf(iv), result };
}

/** C_1 = E(P_1 ⊕ IV), C_j = E(P_j ⊕ C_{j-1}) */
function encryptPortable(
  cipher: BlockCipher<BlockBytes>,
  chain: Uint8Array,
  source: Uint8Array,
  target: Uint8Array,
): void {
  const { blockBytes } = cipher;
  for (let i = 0; i < source.length; i += blockBytes) {
    xorInto(chain, source.subarray(i, i + blockBytes));
    cipher.encryptBlocks(chain, chain);
    target.set(chain, i);
  }
}

/**
 * P_1 = D(C_1) ⊕ IV, P_j = D(C_j) ⊕ C_{j-1}: no block depends on the previous plaintext, so chunks are
 * decrypted.
 */
function decryptPortable(
  cipher: BlockCipher<BlockBytes>,
  chain: Uint8Array,
  source: Uint8Array,
  target: Uint8Array,
): void {
  const { blockBytes } = cipher;
  const words = Math.min(source.length, CHUNK_BYTES) / 4;
  const previous = new Int32Array(words + blockBytes / 4);
  const plain = new Int32Array(words);
  const previousBytes = new Uint8Array(previous.buffer);
  const plainBytes = new Uint8Array(plain.buffer);
  previousBytes.set(chain);
  for (let done = 0; done < source.length; done += CHUNK_BYTES) {
    const chunk = source.subarray(done, done + CHUNK_BYTES);
    // Source and target may be the same array, so the ciphertext is copied: IV ‖ C_1 ‖ C_2 ‖ …
    previousBytes.set(chunk, blockBytes);
    cipher.decryptBlocks(chunk, plainBytes.subarray(0, chunk.length));
    for (let i = 0; i < words; i++) plain[i] ^= previous[i];
    target.set(plainBytes.subarray(0, chunk.length), done);
    previousBytes.copyWithin(0, chunk.length, chunk.length + blockBytes);
  }
  wipe(plain);
}

/** The padding's length, or 0 if it is invalid. Reads all of the last block, without a branch on it. */
function paddingOf(padded: Uint8Array, blockBytes: BlockBytes): number {
  const { length } = padded;
  const padding = padded[length - 1];
  // Only the signs of these words matter: a negative word means a violated condition.
  let wrong = (padding - 1) | (blockBytes - padding);
  for (let i = 1; i <= blockBytes; i++) {
    const inside = (i - 1 - padding) >> 31; // all ones where i ≤ padding
    wrong |= inside & -(padded[length - i] ^ padding);
  }
  return padding & ~(wrong >> 31);
}

function room(into: Uint8Array | undefined, length: number): Uint8Array {
  if (into === undefined) return new Uint8Array(length);
  checkBytes('into', into, { min: length });
  return into.subarray(0, length);
}
