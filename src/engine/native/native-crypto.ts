/**
 * WebCrypto for callers without a registry: content scripts and the format's default. Content scripts
 * bundle this file, so it must not import an algorithm of src/crypto.
 */
import { concat, wipe } from '../../crypto/bytes.ts';
import type { AeadParams } from '../contract.ts';
import type { ChunkAead, MessagePrimitives } from '../message-primitives.ts';
import { hmacWithKey } from './hmac.ts';
import { gcmWithKey } from './keyed-ciphers.ts';
import type { NativeCipher } from './keyed-ciphers.ts';

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

/** The platform's own, for calls of pages whose algorithms it has, and for Ed25519. */
export const platformSubtle = (): SubtleCrypto => crypto.subtle;

/**
 * AES-GCM with all its parameters.
 *
 * @param key 16, 24 or 32 bytes; the platform keeps a copy
 */
export function nativeAesGcm(key: Uint8Array): Promise<NativeCipher<AeadParams>> {
  return gcmWithKey(crypto.subtle, key);
}

/** Begins work on so many bytes, which may block the thread until it has ended: when the caller's turn comes. */
export type InTurn = <T>(bytes: number, begin: () => Promise<T>) => Promise<T>;

/**
 * HMAC-SHA-256 (FIPS 198-1).
 *
 * @param key any length; the caller may wipe it once the promise has settled
 * @returns 32 bytes
 */
export async function nativeHmacSha256(
  key: Uint8Array,
  data: Uint8Array,
  inTurn: InTurn = (_bytes, begin) => begin(),
): Promise<Uint8Array> {
  const mac = await hmacWithKey(crypto.subtle, key, 'SHA-256');
  return inTurn(data.length, () => mac.sign(data));
}
