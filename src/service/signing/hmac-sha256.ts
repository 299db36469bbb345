import { hmac } from '../../crypto/mac/hmac.ts';
import { SHA256 } from '../../crypto/hash/sha256.ts';

/** Up to here this thread is through before WebCrypto's has begun. */
const SMALL_BYTES = 4 * 1024;

/**
 * HMAC-SHA-256 (FIPS 198-1).
 *
 * @param key 32 bytes; the caller may wipe them once the promise has settled
 * @returns 32 bytes
 */
export async function tagOf(key: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  if (data.length <= SMALL_BYTES) return hmac(SHA256, key, data);
  const { subtle } = crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const [keyBytes, dataBytes] = [key, data] as Uint8Array<ArrayBuffer>[];
  const hmacKey = await subtle.importKey('raw', keyBytes!, algorithm, false, ['sign']);
  return new Uint8Array(await subtle.sign('HMAC', hmacKey, dataBytes!));
}
