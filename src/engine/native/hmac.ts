/** HMAC of WebCrypto. Content scripts bundle this file. */
import type { HashName, KeyedMac } from '../contract.ts';
import { source } from './platform.ts';

/** A MAC of the platform, with results as promises. */
interface NativeMac extends KeyedMac {
  sign(data: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * HMAC under one key.
 *
 * @param key any length, 0 included; the platform keeps a copy
 */
export async function hmacWithKey(
  subtle: SubtleCrypto,
  key: Uint8Array,
  hash: HashName,
): Promise<NativeMac> {
  return keyed(subtle, await importKey(subtle, key, hash));
}

/**
 * WebCrypto refuses an empty key. HMAC pads every key with zeros to the length of a hash block (RFC 2104,
 * section 2, step 1), so a single zero byte is an equivalent key.
 */
function importKey(subtle: SubtleCrypto, key: Uint8Array, hash: HashName): Promise<CryptoKey> {
  const bytes = key.length === 0 ? new Uint8Array(1) : source(key);
  return subtle.importKey('raw', bytes, { name: 'HMAC', hash }, false, ['sign', 'verify']);
}

function keyed(subtle: SubtleCrypto, key: CryptoKey): NativeMac {
  return {
    sign: async (data) => new Uint8Array(await subtle.sign('HMAC', key, source(data))),
    verify: (tag, data) => subtle.verify('HMAC', key, source(tag), source(data)),
    wipe: () => undefined,
  };
}
