/**
 * WebCrypto for callers without a registry: content scripts, the format's default, and values that
 * have to be derived before any engine is probed. Content scripts bundle this file, so it must not
 * import an algorithm of src/crypto.
 */
import { concat, wipe } from '../../crypto/bytes.ts';
import type { AeadParams, Pbkdf2Params } from '../contract.ts';
import type { ChunkAead, MessagePrimitives } from '../message-primitives.ts';
import { gcmWithKey } from './ciphers.ts';
import type { NativeCipher } from './ciphers.ts';
import { hmacWithKey } from './digests.ts';
import { derivePbkdf2 } from './kdfs.ts';

/** SHA-512 (FIPS 180-4). */
const DIGEST_BYTES = 64;
const TAG_BYTES = 16;
const NO_BYTES = new Uint8Array(0);

/** Needs `globalThis.crypto.subtle`; without it, every call rejects. */
export const NATIVE_CRYPTO: MessagePrimitives = { expand, aesGcm };

/** RFC 5869 section 2.3: T(i) = HMAC(PRK, T(i-1) ‖ info ‖ i); the output is T(1) ‖ T(2) ‖ … */
async function expand(key: Uint8Array, info: Uint8Array, lengthBytes: number): Promise<Uint8Array> {
  const prk = await hmacWithKey(crypto.subtle, key, 'SHA-512');
  const output = new Uint8Array(lengthBytes);
  let previous = new Uint8Array(0);
  for (let i = 1, offset = 0; offset < lengthBytes; i++, offset += DIGEST_BYTES) {
    const input = concat(previous, info, Uint8Array.of(i));
    const block = await prk.sign(input);
    output.set(block.subarray(0, lengthBytes - offset), offset);
    wipe(previous, input);
    previous = block;
  }
  wipe(previous);
  return output;
}

async function aesGcm(key: Uint8Array): Promise<ChunkAead> {
  const cipher = await nativeAesGcm(key);
  const params = (nonce: Uint8Array) => ({ nonce, associatedData: NO_BYTES, tagBytes: TAG_BYTES });
  return {
    seal: (nonce, data) => cipher.encrypt(params(nonce), data),
    open: (nonce, data) => cipher.decrypt(params(nonce), data),
  };
}

/**
 * AES-GCM with all its parameters.
 *
 * @param key 16, 24 or 32 bytes; the platform keeps a copy
 */
export function nativeAesGcm(key: Uint8Array): Promise<NativeCipher<AeadParams>> {
  return gcmWithKey(crypto.subtle, key);
}

/**
 * HMAC-SHA-256 (FIPS 198-1).
 *
 * @param key any length; the caller may wipe it once the promise has settled
 * @returns 32 bytes
 */
export async function nativeHmacSha256(key: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  return (await hmacWithKey(crypto.subtle, key, 'SHA-256')).sign(data);
}

/**
 * PBKDF2 of the platform (RFC 8018 section 5.2).
 *
 * @param secret not empty: some platforms refuse an empty one
 * @returns `lengthBytes` bytes, which the caller wipes
 * @throws Error where the platform has no `crypto.subtle`
 */
export async function nativePbkdf2(
  secret: Uint8Array,
  params: Pbkdf2Params,
  lengthBytes: number,
): Promise<Uint8Array> {
  const { subtle } = crypto as Partial<Crypto>;
  if (subtle === undefined) throw new Error('PBKDF2: the platform does not have it');
  return derivePbkdf2(subtle, secret, params, lengthBytes);
}
