import { concat } from '../../crypto/bytes.ts';
import type { CtrParams } from '../contract.ts';
import { source } from './platform.ts';

const BLOCK_BYTES = 16;

/**
 * AES-CTR of WebCrypto, for every message that SP 800-38A allows.
 *
 * The platform never wraps the counter itself: Firefox (seen in 153) computes wrong blocks after the wrap if
 * the number of counter bits is not a multiple of 8, and refuses a message that uses all values of its
 * counter. A message that reaches the wrap is split there. Neither part wraps, so all 128 bits may count.
 *
 * @throws RangeError if the message has more blocks than the counter has values
 */
export async function nativeCtr(
  subtle: SubtleCrypto,
  key: CryptoKey,
  { counter, counterBits }: CtrParams,
  data: Uint8Array,
): Promise<Uint8Array> {
  const blocks = Math.ceil(data.length / BLOCK_BYTES);
  if (blocks > 2 ** counterBits) {
    throw new RangeError(`data: ${blocks} blocks would repeat a counter of ${counterBits} bits`);
  }
  const run = async (from: Uint8Array, part: Uint8Array) => {
    const algorithm = { name: 'AES-CTR', counter: source(from), length: 128 };
    return new Uint8Array(await subtle.encrypt(algorithm, key, source(part)));
  };
  const untilWrap = blocksUntilWrap(counter, counterBits);
  if (blocks <= untilWrap) return run(counter, data);
  const cut = untilWrap * BLOCK_BYTES;
  const [before, after] = await Promise.all([
    run(counter, data.subarray(0, cut)),
    run(wrapped(counter, counterBits), data.subarray(cut)),
  ]);
  return concat(before, after);
}

/** Exact below 2^53, which exceeds the length of every message. */
function blocksUntilWrap(counter: Uint8Array, bits: number): number {
  let left = 1;
  for (let i = 0; i < BLOCK_BYTES; i++) {
    const mask = countingBits(i, bits);
    left += (mask ^ (counter[BLOCK_BYTES - 1 - i]! & mask)) * 2 ** (8 * i);
  }
  return left;
}

/** The counter block after the last one: the counting bits are zero again, the others do not change. */
function wrapped(counter: Uint8Array, bits: number): Uint8Array {
  return counter.map((byte, at) => byte & ~countingBits(BLOCK_BYTES - 1 - at, bits));
}

/** The mask of the counting bits in the i-th byte from the end. */
function countingBits(i: number, bits: number): number {
  const left = Math.min(8, Math.max(0, bits - 8 * i));
  return (1 << left) - 1;
}
