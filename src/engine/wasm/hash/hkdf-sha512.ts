/**
 * HKDF-Expand (RFC 5869, section 2.3) with HMAC-SHA-512, directly in the memory of the SHA module: for many
 * short derivations, in which the hashes of block-hash.ts spend most of their time exchanging states.
 */
import { checkBytes, checkInteger } from '../../../crypto/errors.ts';
import { hkdfExpand } from '../../../crypto/kdf/hkdf.ts';
import {
  BUFFER,
  BUFFER_BYTES,
  INITIAL_512,
  INNER,
  OUTER,
  STATE,
  SWAP_8,
} from '../generator/hash/sha-layout.ts';
import { pad } from './sha.ts';
import type { ShaModule } from './sha.ts';

const BLOCK_BYTES = 128;
const DIGEST_BYTES = 64;
/** The block counter is one byte (RFC 5869, section 2.3). */
const MAX_BLOCKS = 255;
/** FIPS 198-1, table 1 */
const IPAD = 0x36;
const OPAD = 0x5c;

/**
 * @param prk up to 128 bytes; longer ones, which HMAC would hash first, do not occur in this format
 * @param info any length
 * @param lengthBytes 0 … 255 · 64
 * @returns `lengthBytes` new bytes
 * @throws TypeError, RangeError for anything else
 */
export function expandSha512(
  module: ShaModule,
  prk: Uint8Array,
  info: Uint8Array,
  lengthBytes: number,
): Uint8Array {
  checkBytes('prk', prk, { min: 0, max: BLOCK_BYTES });
  checkBytes('info', info);
  checkInteger('lengthBytes', lengthBytes, 0, MAX_BLOCKS * DIGEST_BYTES);
  // T(i - 1), info and i must fit into the buffer together.
  if (DIGEST_BYTES + info.length + 1 > BUFFER_BYTES) {
    return hkdfExpand(module.hashes['SHA-512'], prk, info, lengthBytes);
  }
  const { instance, memory } = module;
  instance.owner?.leave();
  key(module, prk);
  const output = new Uint8Array(lengthBytes);
  for (let i = 1, offset = 0; offset < lengthBytes; i++, offset += DIGEST_BYTES) {
    // T(i) = HMAC(PRK, T(i - 1) ‖ info ‖ i); T(i - 1) is at BUFFER already.
    const before = i === 1 ? 0 : DIGEST_BYTES;
    memory.set(info, BUFFER + before);
    memory[BUFFER + before + info.length] = i;
    sign(module, before + info.length + 1);
    const part = Math.min(DIGEST_BYTES, lengthBytes - offset);
    output.set(memory.subarray(BUFFER, BUFFER + part), offset);
  }
  instance.wipe(Math.max(instance.touched, DIGEST_BYTES + info.length + 2 * BLOCK_BYTES));
  instance.touched = 0;
  return output;
}

/** INNER and OUTER: the states after K ⊕ ipad and K ⊕ opad. */
function key({ memory, functions }: ShaModule, prk: Uint8Array): void {
  for (const [state, pattern] of [
    [INNER, IPAD],
    [OUTER, OPAD],
  ] as const) {
    memory.fill(pattern, BUFFER, BUFFER + BLOCK_BYTES);
    for (let i = 0; i < prk.length; i++) memory[BUFFER + i] = prk[i]! ^ pattern;
    memory.copyWithin(STATE, INITIAL_512, INITIAL_512 + DIGEST_BYTES);
    functions.sha512Blocks(BUFFER, 1);
    memory.copyWithin(state, STATE, STATE + DIGEST_BYTES);
  }
}

/** BUFFER := HMAC(K, `length` bytes at BUFFER) */
function sign(module: ShaModule, length: number): void {
  compress(module, INNER, length);
  compress(module, OUTER, DIGEST_BYTES);
}

/** BUFFER := the digest of the key's block and of `length` bytes at BUFFER. */
function compress({ memory, functions }: ShaModule, from: number, length: number): void {
  memory.copyWithin(STATE, from, from + DIGEST_BYTES);
  const whole = length - (length % BLOCK_BYTES);
  const padding = pad(memory, BUFFER + whole, length - whole, BLOCK_BYTES + length, BLOCK_BYTES);
  functions.sha512Blocks(BUFFER, whole / BLOCK_BYTES + padding);
  functions.swap(STATE, DIGEST_BYTES / 16, SWAP_8);
  memory.copyWithin(BUFFER, STATE, STATE + DIGEST_BYTES);
}
