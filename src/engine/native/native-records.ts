/**
 * WebCrypto for the records of sync services, for callers without a registry: AES-256-CBC with PKCS #7, and
 * HMAC-SHA-256. `sealwright/sync` uses it, which therefore carries no engine of this project.
 */
import type { CbcParams, Cipher, MacAlgorithm } from '../contract.ts';
import { hmacWithKey } from './hmac.ts';
import { importAesKey, keyedCipher, type NativeCipher } from './keyed-ciphers.ts';
import { source } from './platform.ts';

/** The two algorithms, as far as one key at a time needs them. */
export interface RecordPrimitives {
  readonly 'AES-CBC': Pick<Cipher<CbcParams>, 'withKey'>;
  readonly HMAC: Pick<MacAlgorithm, 'withKey'>;
}

/** Needs `globalThis.crypto.subtle`; without it, every call rejects. */
export const NATIVE_RECORDS: RecordPrimitives = {
  'AES-CBC': {
    /** @param key 32 bytes; the platform keeps a copy */
    withKey: (key) => cbcWithKey(crypto.subtle, key),
  },
  HMAC: {
    /** @param key any length; the platform keeps a copy */
    withKey: (key) => hmacWithKey(crypto.subtle, key, 'SHA-256'),
  },
};

/**
 * AES-CBC with PKCS #7 under one key.
 *
 * @param key 16, 24 or 32 bytes; the platform keeps a copy
 */
export async function cbcWithKey(
  subtle: SubtleCrypto,
  key: Uint8Array,
): Promise<NativeCipher<CbcParams>> {
  return keyedCipher(subtle, await importAesKey(subtle, 'AES-CBC', key), ({ iv }: CbcParams) => ({
    name: 'AES-CBC',
    iv: source(iv),
  }));
}
