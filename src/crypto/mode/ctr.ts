/**
 * CTR (SP 800-38A, section 6.5) with a counter of any width: the low `counterBits` bits of the counter block
 * count and wrap without a carry (the standard incrementing function of appendix B.1); the bits above them
 * are a nonce and never change.
 *
 * Encryption and decryption are the same operation. It is not authenticated: changing a bit of the ciphertext
 * changes that bit of the plaintext.
 */
import type { BlockBytes, BlockCipher } from '../contracts.ts';
import { checkBytes, checkInteger, targetOf } from '../errors.ts';
import { load32be, store32be } from '../words.ts';

/** The counter block of the running call: a new array costs as much as the encryption of a block. */
const COUNTERS = {
  8: /* @__PURE__ */ new Uint8Array(8),
  16: /* @__PURE__ */ new Uint8Array(16),
} as const;

/**
 * @param initialCounter one block, not changed
 * @param counterBits 1 to all bits of the block: the number of low bits that count
 * @param source any length up to 2^counterBits blocks
 * @param target as long as `source`, which it may be; a new array if absent
 * @returns `target`
 * @throws RangeError if the message is so long that a counter block would repeat
 */
export function ctr(
  cipher: BlockCipher<BlockBytes>,
  initialCounter: Uint8Array,
  counterBits: number,
  source: Uint8Array,
  target?: Uint8Array,
): Uint8Array {
  const { blockBytes } = cipher;
  checkBytes('initialCounter', initialCounter, blockBytes);
  checkInteger('counterBits', counterBits, 1, 8 * blockBytes);
  checkBytes('source', source);
  const result = targetOf(target, source.length);
  const blocks = Math.ceil(source.length / blockBytes);
  // A power costs as much as the encryption of a block.
  if (blocks > countedIn32(counterBits) && blocks > 2 ** counterBits) {
    throw new RangeError(
      `source has ${source.length} bytes, more than ${counterBits} counter bits allow`,
    );
  }
  const counter = COUNTERS[blockBytes];
  counter.set(initialCounter);
  for (let done = 0; done < source.length;) {
    const bytes = Math.min(blockBytes * blocksToWrap(counter, counterBits), source.length - done);
    ctr32(cipher, counter, part(source, done, bytes), part(result, done, bytes));
    done += bytes;
    if (done < source.length) wrap(counter, initialCounter, counterBits);
  }
  return result;
}

/**
 * CTR of any length with inc32, which wraps within the last 32 bits. GCM and CCM use it too.
 *
 * @param counter one block, updated to the block after the last one used, also if that one was partial
 * @param source any length
 * @param target as long as `source`, which it may be, or longer
 */
export function ctr32(
  cipher: BlockCipher<BlockBytes>,
  counter: Uint8Array,
  source: Uint8Array,
  target: Uint8Array,
): void {
  const { blockBytes } = cipher;
  const whole = source.length - (source.length % blockBytes);
  const rest = source.length - whole;
  if (whole > 0) {
    const from = part(source, 0, whole);
    if (cipher.ctrBlocks) cipher.ctrBlocks(counter, from, target);
    else ctrPortable(cipher, counter, from, target);
  }
  if (rest === 0) return;
  const keyStream = new Uint8Array(blockBytes);
  cipher.encryptBlocks(counter, keyStream);
  for (let i = 0; i < rest; i++) target[whole + i] = source[whole + i] ^ keyStream[i];
  keyStream.fill(0);
  increment(counter);
}

/** The array itself where it is all of it: a view costs as much as the encryption of a block. */
const part = (array: Uint8Array, start: number, bytes: number): Uint8Array =>
  bytes === array.length ? array : array.subarray(start, start + bytes);

/** Whole blocks with any block cipher: encrypts a run of counter blocks and XORs them to the source. */
function ctrPortable(
  cipher: BlockCipher<BlockBytes>,
  counter: Uint8Array,
  source: Uint8Array,
  target: Uint8Array,
): void {
  const keyStream = new Uint8Array(Math.min(source.length, 4096));
  for (let done = 0; done < source.length; done += keyStream.length) {
    const bytes = Math.min(keyStream.length, source.length - done);
    for (let i = 0; i < bytes; i += cipher.blockBytes) {
      keyStream.set(counter, i);
      increment(counter);
    }
    cipher.encryptBlocks(keyStream, keyStream);
    for (let i = 0; i < bytes; i++) target[done + i] = source[done + i] ^ keyStream[i];
  }
  keyStream.fill(0);
}

/** inc32 of SP 800-38D, section 6.2 */
function increment(counter: Uint8Array): void {
  const low = counter.length - 4;
  store32be(counter, low, load32be(counter, low) + 1);
}

/** The values that the counting bits take, or the last 32 bits if fewer. */
const countedIn32 = (counterBits: number): number =>
  counterBits < 32 ? (1 << counterBits) >>> 0 : 0x1_0000_0000;

/** Blocks until the counting bits, or the last 32 bits if fewer, are all zero again. */
function blocksToWrap(counter: Uint8Array, counterBits: number): number {
  const width = countedIn32(counterBits);
  return width - ((load32be(counter, counter.length - 4) & (width - 1)) >>> 0);
}

/**
 * Corrects the counter after ctr32, which counts in exactly 32 bits, if these wrapped: carries into the
 * counting bits above them, and restores the nonce bits below them.
 */
function wrap(counter: Uint8Array, initialCounter: Uint8Array, counterBits: number): void {
  const low = counter.length - 4;
  for (let i = low - 1; load32be(counter, low) === 0 && i >= 0; i--) {
    counter[i]++;
    if (counter[i] !== 0) break;
  }
  // The highest counting bit is in byte `split`; it and the bits below keep the new value.
  const split = counter.length - 1 - ((counterBits - 1) >> 3);
  const counting = 0xff >> (7 - ((counterBits - 1) & 7));
  counter.set(initialCounter.subarray(0, split));
  counter[split] = (initialCounter[split] & ~counting) | (counter[split] & counting);
}
