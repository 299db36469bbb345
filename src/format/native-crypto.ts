/*
 * FormatCrypto over WebCrypto alone. Content scripts bundle this file: no algorithm of src/crypto
 * may come with it.
 */
import { concat, wipe } from '../crypto/bytes.ts';
import { AuthenticationError } from '../crypto/errors.ts';
import type { RandomSource } from '../random/contract.ts';
import type { ChunkAead, FormatCrypto } from './format-crypto.ts';

/** SHA-512 (FIPS 180-4). */
const DIGEST_BYTES = 64;

/** The default engine of the format. Needs `globalThis.crypto.subtle`. */
export const NATIVE_CRYPTO: FormatCrypto = { expand, aesGcm };

/** The platform's generator. The extension passes its own (src/random/random.ts). */
export const NATIVE_RANDOM: RandomSource = {
  bytes: (lengthBytes) => crypto.getRandomValues(new Uint8Array(lengthBytes)),
};

/** RFC 5869 section 2.3: T(i) = HMAC(PRK, T(i-1) ‖ info ‖ i); the output is T(1) ‖ T(2) ‖ … */
async function expand(key: Uint8Array, info: Uint8Array, lengthBytes: number): Promise<Uint8Array> {
  const hmac = { name: 'HMAC', hash: 'SHA-512' };
  const prk = await crypto.subtle.importKey('raw', source(key), hmac, false, ['sign']);
  const output = new Uint8Array(lengthBytes);
  let previous = new Uint8Array(0);
  for (let i = 1, offset = 0; offset < lengthBytes; i++, offset += DIGEST_BYTES) {
    const input = concat(previous, info, Uint8Array.of(i));
    const block = new Uint8Array(await crypto.subtle.sign(hmac, prk, source(input)));
    output.set(block.subarray(0, lengthBytes - offset), offset);
    wipe(previous, input);
    previous = block;
  }
  wipe(previous);
  return output;
}

async function aesGcm(key: Uint8Array): Promise<ChunkAead> {
  const usages: KeyUsage[] = ['encrypt', 'decrypt'];
  const handle = await crypto.subtle.importKey('raw', source(key), 'AES-GCM', false, usages);
  return {
    async seal(nonce, data) {
      return new Uint8Array(await crypto.subtle.encrypt(gcm(nonce), handle, source(data)));
    },
    async open(nonce, data) {
      try {
        return new Uint8Array(await crypto.subtle.decrypt(gcm(nonce), handle, source(data)));
      } catch (error) {
        // Web Cryptography API section 29.4.2: OperationError is how a wrong tag shows.
        throw isOperationError(error) ? new AuthenticationError() : error;
      }
    },
  };
}

function gcm(nonce: Uint8Array): AesGcmParams {
  return { name: 'AES-GCM', iv: source(nonce), tagLength: 128 };
}

/** By its name: in a content script of Firefox the error belongs to the page's realm. */
function isOperationError(error: unknown): boolean {
  return (error as { readonly name?: unknown } | null)?.name === 'OperationError';
}

/** WebCrypto's type excludes shared memory; a view of it is refused by the call itself. */
function source(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}
