/**
 * XChaCha20 (draft-irtf-cfrg-xchacha-03): ChaCha20 with nonces of 24 bytes, which may be random. A subkey is
 * derived from the key and the first 16 bytes; the last 8 bytes are the nonce under it.
 */
import { wipe } from '../bytes.ts';
import { checkBytes } from '../errors.ts';
import { load32le, store32le } from '../words.ts';
import { chacha20, chachaRounds, chachaState } from './chacha20.ts';

/**
 * Section 2.3.
 *
 * @param key 32 bytes
 * @param nonce 24 bytes, never twice under one key
 * @param counter number of the first block, 0 … 2^32 - 1
 * @param source any length, of at most 2^32 - counter blocks of 64 bytes
 * @param target as long as `source`, which it may be; a new array if absent
 * @returns `target`: source ⊕ key stream
 * @throws RangeError if the message is so long that the counter would repeat
 */
export function xchacha20(
  key: Uint8Array,
  nonce: Uint8Array,
  counter: number,
  source: Uint8Array,
  target?: Uint8Array,
): Uint8Array {
  checkBytes('nonce', nonce, 24);
  const subkey = hchacha20(key, nonce.subarray(0, 16));
  const result = chacha20(subkey, shortNonce(nonce), counter, source, target);
  wipe(subkey);
  return result;
}

/**
 * Section 2.2: the rounds of ChaCha20 with the 16 bytes in place of counter and nonce. Returns only the words
 * whose initial values are public (constants and nonce). An attacker could subtract these from a ChaCha20
 * block, so the missing final addition reveals nothing new.
 *
 * @param key 32 bytes
 * @param nonce 16 bytes
 * @returns subkey, 32 bytes; to be wiped
 */
export function hchacha20(key: Uint8Array, nonce: Uint8Array): Uint8Array<ArrayBuffer> {
  checkBytes('key', key, 32);
  checkBytes('nonce', nonce, 16);
  const state = chachaState(key, load32le(nonce, 0), nonce.subarray(4));
  chachaRounds(state);
  const subkey = new Uint8Array(32);
  for (let i = 0; i < 4; i++) {
    store32le(subkey, 4 * i, state[i]);
    store32le(subkey, 16 + 4 * i, state[12 + i]);
  }
  wipe(state);
  return subkey;
}

/** Section 2.3: the nonce under the subkey, 4 zero bytes and the last 8 of the 24. */
export function shortNonce(nonce: Uint8Array): Uint8Array<ArrayBuffer> {
  const short = new Uint8Array(12);
  short.set(nonce.subarray(16), 4);
  return short;
}
